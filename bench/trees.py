#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes program trees, large ones to time prophet with, ones of short tasks to see what --method
synth makes of them: trees.py SHAPE [TASKS] > FILE."""

import argparse
import random
import sys

HEAD = """{{"format": "prophet-program-tree", "version": 1, "timebase_hz": 1000000000,
"tolerance": 0.05,
"program": {{"command": ["{shape}"]}},
"sites": [{sites}],
"locks": [{locks}],
"nodes": [
"""


class Writer:
    """Streams nodes to standard output; each call gives the node's index."""

    def __init__(self, shape, sites, locks=0):
        self.count = 0
        self.write = sys.stdout.write
        named = ('{"name": "%s", "kind": "%s"}' % site for site in sites)
        self.write(HEAD.format(shape=shape, sites=", ".join(named),
                               locks=", ".join('"lock%d"' % lock for lock in range(locks))))

    def node(self, text):
        self.write(("," if self.count else "") + "{" + text + "}\n")
        self.count += 1
        return self.count - 1

    def computes(self, length):
        return self.node('"kind": "U", "length": %d' % length)

    def locked(self, lock, length):
        return self.node('"kind": "L", "lock": %d, "length": %d' % (lock, length))

    def holds(self, kind, children):
        pairs = ", ".join("[%d, %d]" % child for child in children)
        return self.node('"kind": %s, "children": [%s]' % (kind, pairs))

    def task(self, *parts):
        return self.holds('"task"', [(part, 1) for part in parts])

    def section(self, children, site=0):
        return self.holds('"section", "site": %d' % site, children)

    def end(self, section):
        root = self.holds('"root"', [(section, 1)])
        self.write('],\n"root": %d}\n' % root)


LOOP = ("loop", "parallel_for")


def length():
    return 1000 + random.randrange(100_000)


def equal(tasks, ns):
    """A loop of iterations that are all as long (--length)."""
    tree = Writer("equal", [LOOP])
    tree.end(tree.section([(tree.task(tree.computes(ns)), tasks)]))


def distinct(tasks):
    """A loop of iterations that all differ."""
    tree = Writer("distinct", [LOOP])
    tree.end(tree.section([(tree.task(tree.computes(length())), 1) for _ in range(tasks)]))


def runs(tasks):
    """Iterations of ten lengths in ten runs."""
    tree = Writer("runs", [LOOP])
    bounds = [tasks * part // 10 for part in range(11)]
    tree.end(tree.section([(tree.task(tree.computes(1000 + 777 * part)), high - low)
                           for part, (low, high) in enumerate(zip(bounds, bounds[1:]))
                           if high > low]))


def locked(tasks):
    """Distinct iterations, a fifth of each under one of four locks."""
    tree = Writer("locked", [LOOP], locks=4)
    children = []
    for _ in range(tasks):
        whole = length()
        parts = tree.computes(whole * 4 // 5), tree.locked(random.randrange(4), whole // 5)
        children.append((tree.task(*parts), 1))
    tree.end(tree.section(children))


def nested(tasks):
    """A loop around loops of equal trip counts, all iterations distinct."""
    tree = Writer("nested", [("outer", "parallel_for"), ("inner", "parallel_for")])
    side = max(1, round(tasks ** 0.5))
    outer = []
    for _ in range(side):
        inner = [(tree.task(tree.computes(length())), 1) for _ in range(side)]
        outer.append((tree.task(tree.section(inner, site=1)), 1))
    tree.end(tree.section(outer))


def deep(tasks):
    """A quicksort: each call partitions, then spawns two on what is left and right of the pivot."""
    tree = Writer("deep", [("sort", "tasks")])

    def sort(count):  # its depth grows with the logarithm of `tasks`
        parts = [tree.computes(100 * count + random.randrange(100))]
        if count >= 3:
            left = 1 + int((count - 2) * random.uniform(0.2, 0.8))
            calls = [(sort(half), 1) for half in (left, count - 1 - left)]
            parts.append(tree.section(calls))
        return tree.task(*parts)

    tree.end(tree.section([(sort(tasks), 1)]))


SHAPES = {shape.__name__: shape for shape in (equal, distinct, runs, locked, nested, deep)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog="shapes: " + "; ".join(
        f"{name}: {shape.__doc__}" for name, shape in SHAPES.items()))
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("tasks", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--length", metavar="NS", type=int, default=100,
                        help="of the iterations of 'equal' (default: 100)")
    args = parser.parse_args()
    random.seed(1)
    SHAPES[args.shape](args.tasks, *([args.length] if args.shape == "equal" else []))


if __name__ == "__main__":
    main()
