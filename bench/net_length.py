#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a task of some 50 ns is in a profile, and how long it is without profiler.

Runs BUILD/bench/net_length-noop and BUILD/bench/net_length in turns and prints, for tasks of many and of few chains of
computation, the median net length, the median time without profiler, and the median of the rounds' ratios with its
range. 1 would be no error: a processor that hides a part of the calls behind the task's own work has too much
subtracted (docs/runtime.md).
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path


def net_length(path):
    """The net length of the most frequent task of the tree in a file, in nanoseconds."""
    tree = json.loads(path.read_text(encoding="utf-8"))
    nodes, count = tree["nodes"], collections.Counter()
    for node in nodes:
        if node["kind"] == "section":
            for child, repeat in node["children"]:
                count[child] += repeat
    task = nodes[count.most_common(1)[0][0]]
    return sum(nodes[child]["length"] * repeat for child, repeat in task["children"]) * 1e9 / tree["timebase_hz"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", type=Path, default=Path("build/dev"), help="the build tree (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=11, help="of measurements (default: %(default)s)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: 1 at least")
    bench = options.build / "bench"
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory) / "tree.json"
        profiled = dict(os.environ, PROPHET_OUT=str(tree))
        for chains in ("many", "few"):
            rounds = []
            for _ in range(options.rounds):
                bare = float(subprocess.run([bench / "net_length-noop", chains], check=True, capture_output=True, text=True).stdout)
                subprocess.run([bench / "net_length", chains], check=True, stdout=subprocess.DEVNULL, env=profiled)
                rounds.append((net_length(tree), bare))
            ratios = [net / bare for net, bare in rounds]
            net, bare = (statistics.median(column) for column in zip(*rounds))
            print(f"{chains:4} chains: net {net:.1f} ns, without profiler {bare:.1f} ns; "
                  f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
