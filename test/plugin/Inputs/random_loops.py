#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops that measure memory do what they do without, and count the same instructions whatever the sample is.

Loops count up, down, in steps, in any type, until a bound that is known or not, and lie inside others; their arrays are
read and written ahead, behind and in strides, some only where a condition holds. Each program is built with and without
-fplugin-arg-prophet-memory at several levels. The same seed gives the same programs. To run many:

  python3 test/plugin/Inputs/random_loops.py --count 300 --plugin build/dev/lib/prophet.so \\
    --clang /usr/lib/llvm-19/bin/clang --work random-loops
"""
import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path

LEVELS = [["-O1"], ["-O2"], ["-O2", "-fno-vectorize", "-fno-slp-vectorize"], ["-O3"]]
RATES = ["1", "1/4", "1/64"]
ROOM = 4096  # elements; no index below comes near it
CALLS = ["130, 57, 3", "40, 90, 9", "1, 3, 0", "200, 9, 100"]
FUNCTIONS = 6


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def array(self):
        return self.random.choice("abc")

    def index(self, v):
        some = self.random.randint
        return self.random.choice([v, v, f"{v} + {some(1, 20)}", f"2 * {v}", f"3 * {v} + 1", f"{v} * {some(4, 9)}", f"600 - {v}"])

    def sum(self, v):
        return " + ".join(f"{self.array()}[{self.index(v)}]" for _ in range(self.random.randint(1, 4)))

    def statement(self, v):
        kind = self.random.random()
        store = f"{self.array()}[{self.index(v)}] = (T)(({self.sum(v)}) / 4 + 1);"
        if kind < 0.6:
            return store
        return f"s += {self.sum(v)};" if kind < 0.8 else f"if ({self.array()}[{v}] > (T)3) {store}"

    def loop(self, v, depth):
        choose = self.random.choice
        counter, step = choose(["long", "int", "unsigned", "unsigned long", "short"]), choose([1, 1, 1, 2, 3, 5])
        first = choose(["0", "1", "i0", "m % 7"])
        bound = choose(["n", "n / 2", "n + 3", "m", "n * m % 97", "i0 + 5"] + ["i % 50 + 1", "2 * i"] * (v != "i"))
        body = " ".join(self.statement(v) for _ in range(self.random.randint(1, 3)))
        if depth and self.random.random() < 0.6:
            body += " " + self.loop(chr(ord(v) + 1), depth - 1)
        up = f"for ({counter} {v} = {first}; {v} {{}} ({counter})({bound}); {v} += {step}) {{{{ {body.replace('{', '{{').replace('}', '}}')} {{}} }}}}"
        return choose([
            up.format("<", ""), up.format("<", ""), up.format("<=", ""), up.format("<", f"if (c[{v}] == (T)77) break;"),
            f"for (long {v} = {bound}; {v} > {first}; {v} -= {step}) {{ {body} }}",
            f"for (long {v} = 0; {v} != {bound}; {v}++) {{ {body} }}",
            f"{{ long {v} = {first}; do {{ {body} {v} += {step}; }} while ({v} < {bound}); }}"])

    def program(self):
        lines = ["#include <stdio.h>", f"typedef {self.random.choice(['double', 'float', 'int', 'long', 'short'])} T;",
                 f"static T a[{ROOM}], b[{ROOM}], c[{ROOM}];"]
        for number in range(FUNCTIONS):
            lines += [f"__attribute__((noinline)) static double f{number}(long n, long m, long i0) {{", "  double s = 0;",
                      f"#pragma prophet parallel for name(f{number})", "  for (int part = 0; part < 2; part++) {",
                      "    " + self.loop("i", 1), "  }", "  return s;", "}"]
        lines += ["int main(void) {", f"  for (int i = 0; i < {ROOM}; i++)",
                  "    a[i] = (T)(i % 50), b[i] = (T)(i % 13), c[i] = (T)(i % 29);", "  double sum = 0;", "  unsigned long all = 0;"]
        lines += [f"  sum += f{number}({call});" for number in range(FUNCTIONS) for call in CALLS]
        lines += ["  for (unsigned long i = 0; i < sizeof a; i++)",
                  "    all = ((all * 31 + ((unsigned char *)a)[i]) * 31 + ((unsigned char *)b)[i]) * 31 + ((unsigned char *)c)[i];",
                  r'  printf("%.17g %lx\n", sum, all);', "  return 0;", "}"]
        return "\n".join(lines) + "\n"


def output(command, **variables):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, **variables)).stdout


def check(arguments, seed, level):
    """What is wrong, or None; and how many instructions and floating-point operations were counted."""
    source, plain, measured, profile = (arguments.work / name for name in ("loops.c", "plain", "measured", "loops.json"))
    # Additions wrap, and what is read is what was written last: nothing is undefined.
    compiler = [arguments.clang, *level, "-fwrapv", "-Wno-unknown-pragmas", source]
    output([*compiler, "-o", plain])
    output([*compiler, f"-fplugin={arguments.plugin}", "-fplugin-arg-prophet-memory", "-o", measured])
    expected, counts = output([plain]), set()
    for rate in RATES:
        found = output([measured], PROPHET_MEMORY_RATE=rate, PROPHET_MEMORY_OUT=str(profile))
        if found != expected:
            return f"{found.strip()}, not {expected.strip()}, at a rate of {rate}", 0
        sites = json.loads(profile.read_text())["sites"]
        counts.add(tuple((site["instructions"], site["flops"]) for site in sites))
    if len(counts) != 1:
        return f"what is counted depends on the sample: {sorted(counts)}", 0
    return None, sum(map(sum, counts.pop()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=10, help="programs (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="of the first one")
    parser.add_argument("--plugin", required=True, type=Path)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--work", required=True, type=Path, help="a folder for what is built")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    builds = total = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        (arguments.work / "loops.c").write_text(Writer(seed).program())
        for level in LEVELS:
            wrong, counted = check(arguments, seed, level)
            if wrong:
                print(f"seed {seed}, {' '.join(level)}: {wrong}")
                return 1
            builds += 1
            total += counted
    print(f"{builds} builds, {total} instructions: all as without")
    return 0


if __name__ == "__main__":
    sys.exit(main())
