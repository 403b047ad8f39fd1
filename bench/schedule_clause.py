#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What schedules cost that OMP_SCHEDULE names, beside the same as clauses that the compiler has seen.

Double-precision LU, whose iterations are short, on 2 threads; medians of interleaved runs, with the quartiles.
"""
import argparse
import statistics
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "examples"))
from measuring import plain_environment, run, timed  # noqa: E402

SCHEDULES = ("static", "static,1", "dynamic,1")


def build(compiler, directory, schedule):
    program = directory / f"lu-{schedule}"
    run([compiler, "-O2", "-fopenmp", "-DLU_DOUBLE", f"-DSCHEDULE={schedule}", TOP / "examples" / "lu.c", "-lm",
         "-o", program])
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--compiler", default="clang-19")
    parser.add_argument("--runs", type=int, default=21, help="of each (default: 21)")
    parser.add_argument("--size", type=int, default=600, help="of the matrix (default: 600)")
    options = parser.parse_args()
    if options.runs < 2:
        parser.error("--runs must be at least 2, or there is no spread to show")
    environment = dict(plain_environment(), OMP_NUM_THREADS="2", OMP_PROC_BIND="true", OMP_WAIT_POLICY="active")
    with tempfile.TemporaryDirectory(prefix="prophet-schedule-") as name:
        asking = build(options.compiler, Path(name), "runtime")
        compiled = {schedule: build(options.compiler, Path(name), schedule) for schedule in SCHEDULES}
        seconds = {(schedule, way): [] for schedule in SCHEDULES for way in ("clause", "OMP_SCHEDULE")}
        for _ in range(options.runs):
            for schedule in SCHEDULES:
                size = str(options.size)
                seconds[schedule, "clause"].append(timed([compiled[schedule], size], environment)[0])
                seconds[schedule, "OMP_SCHEDULE"].append(
                    timed([asking, size], dict(environment, OMP_SCHEDULE=f"nonmonotonic:{schedule}"
                                               if schedule.startswith("dynamic") else schedule))[0])
    print(f"{'schedule':<11}{'as':<14}{'ms':>7}{'quartiles':>16}")
    for (schedule, way), times in seconds.items():
        low, middle, high = (1000 * value for value in statistics.quantiles(times, n=4))
        print(f"{schedule:<11}{way:<14}{middle:>7.1f}{low:>9.1f}{high:>7.1f}")


if __name__ == "__main__":
    main()
