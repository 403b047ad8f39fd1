#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much slower kernels run while they measure their use of memory, and how wrong the measured miss ratio is.

Each kernel (memory_kernels/) is built without and with -fplugin-arg-prophet-memory. Slow-down: the median of the ratios
of runs that follow each other. Error: the largest difference of the share of accesses that miss, over caches of 64 KiB
(--least) to 64 MiB, between the profile and a runtime that leaves no line out (memory_kernels/exact_runtime.c), at the rate that
the profiler chooses and at 1/64. At the knife's edge, where 0.7 and 1.4 times the cache differ by more than a tenth of all
accesses or by half of the misses, a cache's miss ratio is a band; there the error is how far the exact one is outside of it.
"""
import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "examples"))
from measuring import plain_environment, run  # noqa: E402

SOURCES = TOP / "bench" / "memory_kernels"
# name, source, flags, (size, repetitions) for the slow-down, the same for the error
KERNELS = [
    ("triad in L2", "triad.c", [], (10000, 40000), (10000, 400)),
    ("triad in DRAM", "triad.c", [], (8000000, 20), (400000, 8)),
    ("matmul", "matmul.c", [], (500, 3), (200, 1)),
    ("matmul, nested", "matmul.c", ["-DNESTED"], (500, 3), (200, 1)),
    ("matmul, interchanged", "matmul.c", ["-DINTERCHANGED"], (800, 3), (300, 1)),
    ("matmul, blocked", "matmul.c", ["-DBLOCKED"], (800, 3), (320, 1)),
    ("list", "chase.c", [], (200000, 20), (100000, 8)),
    ("list in L2", "chase.c", [], (6000, 3000), (6000, 100)),
    ("stencil", "stencil.c", [], (2000, 20), (700, 4)),
    ("stencil in L2", "stencil.c", [], (150, 4000), (150, 50)),
    ("sparse matrix", "spmv.c", [], (200000, 10), (50000, 3)),
    ("histogram", "histogram.c", [], (4000000, 15), (1000000, 3)),
    ("merge sort", "sort.c", [], (1000000, 4), (200000, 1)),
    ("trees", "trees.c", [], (3000, 60), (200000, 1)),
]


def run_kernel(program, size, **variables):
    return run([program, *map(str, size)], plain_environment() | variables)


def seconds(program, size, **variables):
    return float(run_kernel(program, size, **variables).split()[1])


def build(arguments, work, kernel, level):
    name, source, flags = kernel[:3]
    plain, measured = work / f"{name}{level}.plain", work / f"{name}{level}"
    compiler = [arguments.clang, level, *flags, *arguments.flag, SOURCES / source]
    run([*compiler, "-Wno-unknown-pragmas", "-o", plain])
    run([*compiler, f"-fplugin={arguments.build}/lib/prophet.so", "-fplugin-arg-prophet-memory", "-o", measured])
    return plain, measured


def slow_down(arguments, programs, kernel):
    size, repetitions = kernel[3]
    size = size, repetitions * arguments.longer
    ratios = []
    for _ in range(arguments.runs):
        plain = seconds(programs[0], size)
        ratios.append(seconds(programs[1], size, PROPHET_MEMORY_OUT="/dev/null") / plain)
    return statistics.median(ratios)


def lower_ends(profile):
    """Where bins begin, by where they end (docs/memory-profile.md)."""
    exact, parts = profile["bins"]["exact"], profile["bins"]["per_octave"]

    def begin(end):
        if end < exact:
            return end
        octave = end.bit_length() - 1
        return end + 1 - (1 << octave) // parts
    return begin


def above(pairs, lines, begin):
    """How much of a histogram is at least so many lines away; a bin that straddles that, in proportion."""
    total = 0
    for end, count in pairs:
        low = begin(end)
        total += count * min(1, max(0, (end + 1 - lines) / (end + 1 - low)))
    return total


class Profile:
    def __init__(self, path):
        data = json.loads(path.read_text())
        (self.site,) = data["sites"]
        self.begin = lower_ends(data)
        self.accesses = sum(self.site["accesses"].values())
        self.rate, self.lines = data["rate"], data["sampled_lines"]

    def misses(self, lines):
        return sum(c["cold"] + above(c["reuse"], lines, self.begin) for c in self.site["classes"].values())

    def writebacks(self, lines):
        return above(self.site["writebacks"]["reuse"], lines, self.begin)


def exact_table(path):
    lines = path.read_text().splitlines()
    return int(lines[0].split()[1]), [tuple(map(int, line.split())) for line in lines[1:]]


def error(program, work, size, exact_runtime, rate, least):
    out, truth = work / "profile.json", work / "exact.txt"
    run_kernel(program, size, PROPHET_MEMORY_OUT=str(out), PROPHET_MEMORY_RATE=rate)
    if not truth.exists():
        run_kernel(program, size, PROPHET_MEMORY_RUNTIME=str(exact_runtime), EXACT_OUT=str(truth))
    profile = Profile(out)
    accesses, table = exact_table(truth)
    worst = outside = write = 0
    for index, (lines, misses, writebacks) in enumerate(table):
        if lines * 64 < least * 1024:
            continue
        low = table[max(0, index - 2)][1]
        high = table[min(len(table) - 1, index + 2)][1]
        ratio = profile.misses(lines) / profile.accesses
        apart = abs(ratio - misses / accesses)
        if low - high > 0.1 * accesses or low > 2 * high:
            band = [profile.misses(lines * factor) / profile.accesses for factor in (1.4, 0.7)]
            outside = max(outside, band[0] - misses / accesses, misses / accesses - band[1])
        else:
            worst = max(worst, apart)
            write = max(write, abs(profile.writebacks(lines) - writebacks) / accesses)
    return profile, worst, outside, write


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default=TOP / "build" / "opt", type=Path)
    parser.add_argument("--clang", default="/usr/lib/llvm-19/bin/clang")
    parser.add_argument("--flag", action="append", default=[], help="one more for the compiler")
    parser.add_argument("--runs", type=int, default=5, help="pairs of runs for the slow-down; 0: leave it out")
    parser.add_argument("--longer", type=int, default=1,
                        help="so many times the repetitions in these, of which some take 50 ms (default 1)")
    parser.add_argument("--only", default="", help="kernels with this in their names")
    parser.add_argument("--least", type=int, default=64, help="the smallest cache that is looked at, in KiB (default 64)")
    parser.add_argument("--most-error", type=float, help="in percent: fail where it is larger")
    arguments = parser.parse_args()
    if arguments.longer < 1:
        parser.error("--longer must be at least 1")
    return arguments


def main():
    arguments = parse()
    failed = False
    slowest = []
    columns = "slow-down -O2, -O3" if arguments.runs else ""
    print(f"{'kernel':22}{columns:>20}{'rate':>9}{'lines':>7}{'error %':>9}{'edge %':>8}{'written %':>10}")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        exact_runtime = work / "libexact.so"
        run([arguments.clang, "-O2", "-shared", "-fPIC", "-I", TOP / "runtime" / "include",
             SOURCES / "exact_runtime.c", "-o", exact_runtime])
        for kernel in KERNELS:
            if arguments.only not in kernel[0]:
                continue
            (work / "exact.txt").unlink(missing_ok=True)
            programs = {level: build(arguments, work, kernel, level) for level in ("-O2", "-O3")}
            slow = [slow_down(arguments, programs[level], kernel) for level in programs] if arguments.runs else []
            slowest.append(slow)
            ratios = "".join(f"{ratio:10.2f}" for ratio in slow)
            for rate in "", "1/64":
                profile, worst, edge, write = error(programs["-O2"][1], work, kernel[4], exact_runtime, rate, arguments.least)
                print(f"{'' if rate else kernel[0]:22}{'' if rate else ratios:>20}{profile.rate:9.5f}{profile.lines:7}"
                      f"{100 * worst:9.3f}{100 * edge:8.3f}{100 * write:10.3f}", flush=True)
                failed |= arguments.most_error is not None and 100 * max(worst, edge) > arguments.most_error
    if arguments.runs and slowest:
        for what, of in ("median", statistics.median), ("most", max):
            print(f"{what:22}{''.join(f'{of(level):10.2f}' for level in zip(*slowest)):>20}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
