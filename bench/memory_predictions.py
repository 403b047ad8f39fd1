#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions with and without the memory model beside the real OpenMP program, for every example at 2 threads.

`./bootstrap demo` measures the examples; here each is also built to measure its use of memory, and its profile
predicted with that and without, on a machine file that is calibrated before each, unless --machine names one: a
virtual machine's cores may be neighbours at one time and far from each other at another. What a memory has left
changes within minutes where other guests share it, so runs are compared with those of the same round: speedups and
errors are medians of the rounds', and the spread is the interquartile range of the rounds' speedups. --again calibrates
once more behind the runs: where the two machine files do not predict the same, the machine has changed meanwhile.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
import demo  # noqa: E402
from measuring import (add_arguments, add_quiet_arguments, check_arguments,  # noqa: E402
                       check_quiet_arguments, plain_environment, run, say)

# Small enough for their data to move from one parallel loop to the next, and too large for any cache.
MORE = [demo.Example("lu-1200", "lu.c", ["-DLU_DOUBLE"], ["1200"]),
        demo.Example("cg-large", "cg.c", [], ["200000", "16", "2"]),
        demo.Example("stencil-big", "stencil.c", [], ["1500", "6"]),
        demo.Example("cg-plain", "cg.c", ["-DCG_PLAIN"], ["400000", "16", "4"]),
        demo.Example("stream", "stream.c", [], ["1000", "500"]),
        demo.Example("jacobi", "jacobi.c", [], ["2500", "800"]),
        demo.Example("ranking", "ranking.c", [], ["128", "24"])]
# Tasks that are next to each other in memory, of which schedules make chunks; the last one's are in the last-level cache.
ROWS = [demo.Example("rows-read", "../bench/memory_rows.c", ["-DREAD"], []),
        demo.Example("rows-copy", "../bench/memory_rows.c", ["-DCOPY"], []),
        demo.Example("rows-stencil", "../bench/memory_rows.c", [], []),
        demo.Example("rows-near", "../bench/memory_rows.c", [], ["2500", "800", "1200"])]
MODES = {"without": ["--memory", "none"], "with": []}
AGAIN = "again"  # "with", by the machine file that was measured behind the runs


class MemoryRuns(demo.ComparedRuns):
    """The measurements of one example, and its predictions by mode."""

    def __init__(self, example, builds, directory, options, machine):
        super().__init__(example, builds, directory, options)
        self.machine = machine
        self.trees = []  # of the rounds
        self.intervals = {}  # as self.predicted
        self.profile = directory / f"{example.name}.prophet-memory.json"
        run([builds["memory"], *example.arguments],
            dict(plain_environment(), PROPHET_MEMORY_OUT=str(self.profile)))

    def speedups(self, schedule):
        """By round."""
        return [serial / parallel for serial, parallel in zip(self.seconds["serial"], self.seconds[schedule])]

    def speedup(self, schedule):
        return statistics.median(self.speedups(schedule))

    def spread_of(self, schedule):
        low, middle, high = statistics.quantiles(self.speedups(schedule), n=4)
        return (high - low) / middle

    def error_by(self, way, schedule):
        return statistics.median(predicted / measured - 1 for predicted, measured
                                 in zip(self.predicted[way, schedule], self.speedups(schedule)))

    def predict(self, prophet, way, tree, machine, words):
        command = [prophet, "predict", tree, "--threads", str(demo.THREADS), "--machine", machine, "--format", "json",
                   "--wait-policy", "active", *words]
        command += [word for schedule in demo.SCHEDULES for word in ("--schedule", schedule)]
        for estimate in json.loads(run(command))["estimates"]:
            self.predicted.setdefault((way, estimate["schedule"]), []).append(estimate["speedup"])
            self.intervals.setdefault((way, estimate["schedule"]), []).append(estimate["interval"])

    def inside(self, way):
        """Of each schedule's rounds, whether the speedup was in the interval that was predicted of it."""
        return [low <= measured <= high for schedule in demo.SCHEDULES
                for (low, high), measured in zip(self.intervals[way, schedule], self.speedups(schedule))]

    def round(self, prophet):
        self.run_all()
        self.trees.append(self.tree.rename(self.tree.with_suffix(f".{len(self.trees)}.json")))
        for way, words in MODES.items():
            profile = [] if words else ["--memory-profile", self.profile]
            self.predict(prophet, way, self.trees[-1], self.machine, [*words, *profile])

    def predict_again(self, prophet, machine):
        for tree in self.trees:
            self.predict(prophet, AGAIN, tree, machine, ["--memory-profile", self.profile])


def build(example, options, directory):
    """The programs of an example, by kind."""
    programs = demo.build(example, options, directory)
    programs["memory"] = directory / f"{example.name}-memory"
    run([options.compiler, "-O2", *example.flags, demo.HERE / example.source, "-lm",
         f"-fplugin={options.build}/lib/prophet.so", "-fplugin-arg-prophet-memory", "-o", programs["memory"]])
    return programs


def calibrate(prophet, example, directory, when):
    """The machine file."""
    machine = directory / f"{example.name}.{when}.machine.json"
    say(f"{example.name}: calibrating")
    subprocess.run([prophet, "calibrate", "-o", machine], check=True, stdout=subprocess.DEVNULL)
    memory = json.loads(machine.read_text())["memory"]
    say(f"{example.name}: a line from the other core takes {memory.get('transfer_ns', 0)} ns, of many in order "
        f"{memory.get('transfer_ahead_ns', 0)} ns")
    return machine


def measure(example, options, directory, prophet):
    machine = options.machine or calibrate(prophet, example, directory, "before")
    say(f"{example.name}: building")
    runs = MemoryRuns(example, build(example, options, directory), directory, options, machine)
    demo.measure(runs, options.rounds, options.rounds, prophet)
    if options.again:
        runs.predict_again(prophet, calibrate(prophet, example, directory, "behind"))
    return runs


def report(results, ways):
    demo.print_ways(results, ways)
    demo.print_mean_errors(results, ways, " memory:")
    for way in ways:
        inside = [found for runs in results for found in runs.inside(way)]
        print(f"{way:<8} memory: {sum(inside)} of {len(inside)} rounds' speedups are in the predicted intervals")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    examples = demo.EXAMPLES + MORE + ROWS
    known = [example.name for example in examples]
    add_arguments(parser, 7, "of measurements")
    parser.add_argument("--machine", metavar="FILE", help="what 'prophet calibrate' measured (default: measure now)")
    parser.add_argument("--schedule", action="append", metavar="S",
                        help=f"static[,CHUNK] or dynamic[,CHUNK]; repeatable (default: {' '.join(demo.SCHEDULES)})")
    parser.add_argument("--again", action="store_true", help="calibrate behind the runs, too, and predict by that")
    add_quiet_arguments(parser, known)
    options = parser.parse_args()
    prophet = check_arguments(parser, options)
    check_quiet_arguments(parser, options, known, demo.THREADS)
    demo.SCHEDULES = options.schedule or demo.SCHEDULES
    with tempfile.TemporaryDirectory(prefix="prophet-memory-") as name:
        report([measure(example, options, Path(name), prophet) for example in examples
                if not options.names or example.name in options.names], [*MODES, *([AGAIN] if options.again else [])])
    return 0


if __name__ == "__main__":
    sys.exit(main())
