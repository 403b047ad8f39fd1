#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Both methods of prediction beside real OpenMP programs of random shape: the validation of Parallel Prophet, §VII-B.

Samples of validation.c (Test1, Test2, without and with critical sections) are profiled serially once; their speedups by
the emulator (ff) and by the real runtime (synth) are compared with those of the same program built with OpenMP, under
static, static,1 and dynamic,1. Times are medians of runs. Delays are by the clock, so what is compared is how
iterations, locks and overheads meet, and no memory.
"""
import argparse
import csv
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples"))
from measuring import die, plain_environment, run, say, take_the_processors, timed  # noqa: E402

PATTERNS = {"Test1": "11", "Test1-locks": "1", "Test2": "12", "Test2-locks": "2"}
SCHEDULES = ("static", "static,1", "dynamic,1")  # each compiled in: OMP_SCHEDULE's are others (examples/support.h)
COLUMNS = ["pattern", "seed", "threads", "schedule", "measured", "spread"]


def build(options, directory):
    """validation.c as programs: `serial`, `profiled`, and OpenMP's by schedule. Those are built that are not there."""
    source = [HERE / "validation.c", "-O2", "-lm"]
    commands = {"serial": [options.compiler],
                "profiled": [options.compiler, f"-fplugin={options.build}/lib/prophet.so"]}
    openmp = "gcc" if options.runtime == "libgomp" else options.compiler
    for schedule in SCHEDULES:
        commands[schedule] = [openmp, "-fopenmp", f"-DSCHEDULE={schedule}"]
    directory.mkdir(parents=True, exist_ok=True)
    programs = {kind: directory / f"validation-{kind}" for kind in commands}
    for kind, program in programs.items():
        if not program.exists():
            run([*commands[kind], *source, "-o", program])
    return programs


def spread_of(seconds):
    """Interquartile range over median."""
    low, _, high = statistics.quantiles(seconds, n=4)
    return (high - low) / statistics.median(seconds)


class Sample:
    """One random program: its profile, its runs and its predictions."""

    def __init__(self, pattern, seed, options, programs, directory):
        self.pattern, self.seed, self.options, self.programs = pattern, seed, options, programs
        self.tree = directory / "sample.prophet.json"
        self.environment = plain_environment()
        self.environment["PROPHET_OUT"] = str(self.tree)
        self.environment["OMP_MAX_ACTIVE_LEVELS"] = str(options.max_active_levels)
        self.disturbed = 0

    def seconds(self, kind, **variables):
        """One run's, repeated where other programs disturbed it."""
        command = [self.programs[kind], PATTERNS[self.pattern], str(self.seed),
                   str(1000 * self.options.milliseconds)]
        for _ in range(4):
            seconds, quiet = timed(command, dict(self.environment, **variables))
            if self.options.realtime:  # others need time, or the system gives it to them
                time.sleep(seconds)
            if quiet or self.options.realtime:
                return seconds
        self.disturbed += 1
        return seconds

    def predict(self):
        """Speedups by threads, schedule and method."""
        options = self.options
        command = [options.build / "bin" / "prophet", "predict", self.tree, "--format", "json",
                   "--runtime", options.runtime, "--threads", ",".join(map(str, options.threads)),
                   "--max-active-levels", str(options.max_active_levels)]
        for method in options.methods:
            command += ["--method", method]
        if "synth" in options.methods:
            command += ["--time-limit", "10"]
            command += ["--delay", options.delay] if options.delay else []
        if options.overheads:
            command += ["--overheads", options.overheads]
        return {(estimate["threads"], estimate["schedule"], estimate["method"]): estimate["speedup"]
                for estimate in json.loads(run(command))["estimates"]}

    def compare(self):
        """Rows of COLUMNS and a speedup for each method."""
        self.seconds("profiled")
        serial, rows = [], []
        parallel = {(threads, schedule): [] for threads in self.options.threads
                    for schedule in SCHEDULES}
        for _ in range(self.options.repetitions):
            serial.append(self.seconds("serial"))
            for (threads, schedule), seconds in parallel.items():
                seconds.append(self.seconds(schedule, OMP_NUM_THREADS=str(threads)))
        predicted = self.predict()
        for (threads, schedule), seconds in parallel.items():
            measured = statistics.median(serial) / statistics.median(seconds)
            rows.append([self.pattern, self.seed, threads, schedule, measured, spread_of(seconds),
                         *(predicted[threads, schedule, method] for method in self.options.methods)])
        return rows


def report(rows, options):
    print(f"{'programs':<13}{'method':<8}{'estimates':>9}{'mean':>9}{'median':>9}{'largest':>9}"
          f"{'signed':>9}")
    for pattern in [*options.patterns, "all"]:
        for index, method in enumerate(options.methods):
            errors = [row[len(COLUMNS) + index] / row[4] - 1 for row in rows
                      if pattern in ("all", row[0])]
            sizes = [abs(error) for error in errors]
            print(f"{pattern:<13}{method:<8}{len(errors):>9}{statistics.mean(sizes):>9.2%}"
                  f"{statistics.median(sizes):>9.2%}{max(sizes):>9.2%}{statistics.mean(errors):>+9.2%}")
    print(f"The interquartile range of a program's repetitions is "
          f"{statistics.median(row[5] for row in rows):.2%} in the median of all, "
          f"{max(row[5] for row in rows):.2%} at most.")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", type=Path, default=HERE.parent / "build" / "opt",
                        help="build directory of Prophet (default: build/opt)")
    parser.add_argument("--compiler", default="clang-19")
    parser.add_argument("--samples", type=int, default=20, help="of each pattern (default: 20; the "
                        "paper has 300)")
    parser.add_argument("--seed", type=int, default=1, help="of the first; the next has the next (default: 1)")
    parser.add_argument("--pattern", dest="patterns", action="append", choices=PATTERNS,
                        help="repeatable; default: all")
    parser.add_argument("--method", dest="methods", action="append", choices=["ff", "synth"],
                        help="repeatable; default: both")
    parser.add_argument("--delay", choices=["spin", "virtual"], help="of synth")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[2],
                        help="default: 2")
    parser.add_argument("--runtime", choices=["libomp", "libgomp"], default="libomp")
    parser.add_argument("--max-active-levels", type=int, default=1, help="with 2, Test2's inner loops have teams (default: 1)")
    parser.add_argument("--overheads", help="as prophet predict takes it")
    parser.add_argument("--milliseconds", type=int, default=50, help="of a program's serial run (default: 50)")
    parser.add_argument("--repetitions", type=int, default=5, help="of each run (default: 5)")
    parser.add_argument("--realtime", action="store_true",
                        help="run with real-time priority, so that other programs wait; needs root")
    parser.add_argument("--programs", type=Path, metavar="DIR", help="where the programs of one --runtime are, or else are "
                        "built: measured on a machine without a compiler, for example (default: a temporary one)")
    parser.add_argument("--csv", type=Path, help="write every comparison there, as well")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.patterns = options.patterns or list(PATTERNS)
    options.methods = options.methods or ["ff", "synth"]
    if options.repetitions < 2 or options.samples < 1:
        parser.error("--samples must be at least 1 and --repetitions at least 2")
    cores = len(os.sched_getaffinity(0))
    if max(options.threads) > cores:
        parser.error(f"this machine offers {cores} cores; more threads cannot be measured here")
    if not (options.build / "bin" / "prophet").exists():
        die(f"{options.build} holds no build of Prophet; run ./bootstrap build, or give --build")
    return options


def main():
    options = arguments()
    if options.realtime:
        take_the_processors(options)
    rows, disturbed = [], 0
    with tempfile.TemporaryDirectory(prefix="prophet-validation-") as name:
        programs = build(options, options.programs.resolve() if options.programs else Path(name))
        for number in range(options.samples):
            for pattern in options.patterns:
                sample = Sample(pattern, options.seed + number, options, programs, Path(name))
                rows += sample.compare()
                disturbed += sample.disturbed
            if sys.stderr.isatty() or (number + 1) % 10 == 0:
                say(f"{number + 1} of {options.samples} samples")
    report(rows, options)
    if disturbed:
        print(f"{disturbed} runs shared the machine with other programs.")
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([*COLUMNS, *options.methods])
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
