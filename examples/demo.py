#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicted beside measured speedup of every example at 2 threads.

Each example is built from one source: plain, with the plugin, with -fopenmp for each schedule. The plain
build is the baseline of every measured speedup. Rounds run all builds in turn, so that a change of
the machine's speed meets all of them; medians are compared. A run that had to share the processors
with other programs is repeated.
"""
import argparse
import functools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import (Cores, Medians, add_arguments, add_quiet_arguments, check_arguments,
                       check_quiet_arguments, plain_environment, run, say, timed)

HERE = Path(__file__).resolve().parent
THREADS = 2
SCHEDULES = ("static", "static,1", "dynamic,1")  # each compiled in: OMP_SCHEDULE's are others (examples/support.h)
PAUSE = 0.5  # seconds before such a run is repeated


class Example:
    def __init__(self, name, source, flags=(), arguments=(), outside=None):
        self.name, self.source, self.flags = name, source, list(flags)
        self.arguments = list(arguments)
        self.outside = outside  # why the predictor cannot know it, or None


EXAMPLES = [
    Example("mandelbrot", "mandelbrot.c"),
    Example("lu", "lu.c"),
    Example("moldyn", "moldyn.c"),
    Example("histogram", "histogram.c"),
    Example("stencil", "stencil.c"),
    Example("cg", "cg.c"),
    Example("lu-double", "lu.c", ["-DLU_DOUBLE"], ["600"],
            "rows move between the caches, and no memory profile is made here (bench/memory_predictions.py)"),
]


@functools.cache
def cores_of(compiler, directory, build):
    """One for all examples, which is to know how fast the processors can be."""
    return Cores(compiler, directory, THREADS, build)


class Runs(Medians):
    """The measurements of one example."""

    def __init__(self, example, builds, directory, options):
        super().__init__()
        self.example, self.patience = example, options.patience
        self.cores = cores_of(options.compiler, directory, options.build) if options.whole_cores else None
        self.pauses = options.realtime
        self.predicted = {}
        self.repeated = self.disturbed = 0
        plain = plain_environment()
        openmp = dict(plain, OMP_PROC_BIND="true", OMP_WAIT_POLICY="active")
        self.configurations = {"serial": (builds["plain"], plain)}
        self.tree = directory / f"{example.name}.prophet.json"
        profiled = dict(plain, PROPHET_OUT=str(self.tree))
        self.configurations["profiled"] = (builds["prophet"], profiled)
        self.configurations["openmp 1"] = (
            builds[SCHEDULES[0]], dict(openmp, OMP_NUM_THREADS="1"))
        for schedule in SCHEDULES:
            self.configurations[schedule] = (
                builds[schedule], dict(openmp, OMP_NUM_THREADS=str(THREADS)))

    def are_whole(self):
        return not self.cores or self.cores.are_whole()

    def quiet_run(self, program, environment):
        """One run's seconds. Disturbed runs are repeated until the patience is used up."""
        while True:
            start = time.monotonic()
            quiet = self.are_whole()
            if quiet or self.patience <= 0:
                seconds, alone = timed([program, *self.example.arguments], environment)
                quiet = quiet and alone and self.are_whole()
            if self.pauses:  # programs of lower priority need time, or the system gives it to them
                time.sleep(time.monotonic() - start)
            if quiet:
                return seconds
            if self.patience <= 0:
                self.disturbed += 1
                return seconds
            time.sleep(PAUSE)
            self.repeated += 1
            self.patience -= time.monotonic() - start

    def run_all(self):
        for name, (program, environment) in self.configurations.items():
            self.add(name, self.quiet_run(program, environment))

    def round(self, prophet):
        self.run_all()
        command = [prophet, "predict", self.tree, "--threads", str(THREADS), "--format", "json", "--wait-policy", "active"]
        for estimate in json.loads(run(command))["estimates"]:
            self.predicted.setdefault(estimate["schedule"], []).append(estimate["speedup"])

    def noisy(self):
        return any(self.spread(name) > 0.02 for name in self.seconds)

    def prediction(self, schedule):
        return statistics.median(self.predicted[schedule])

    def error(self, schedule):
        return self.prediction(schedule) / self.speedup(schedule) - 1

    def slow_down(self):
        return self.median("profiled") / self.median("serial")


class ComparedRuns(Runs):
    """The measurements of one example that is predicted in several ways; `predicted` is by way and schedule."""

    def prediction_by(self, way, schedule):
        return statistics.median(self.predicted[way, schedule])

    def error_by(self, way, schedule):
        return self.prediction_by(way, schedule) / self.speedup(schedule) - 1

    def spread_of(self, schedule):
        return max(self.spread(schedule), self.spread("serial"))


def build(example, options, directory):
    """The programs of an example: `plain`, `prophet`, and OpenMP's by schedule."""
    common = [options.compiler, "-O2", *example.flags, HERE / example.source, "-lm"]
    extra = {"plain": [], "prophet": [f"-fplugin={options.build}/lib/prophet.so"]}
    for schedule in SCHEDULES:
        extra[schedule] = ["-fopenmp", f"-DSCHEDULE={schedule}"]
    programs = {}
    for kind, flags in extra.items():
        programs[kind] = directory / f"{example.name}-{kind}"
        run([*common, *flags, "-o", programs[kind]])
    return programs


def example_runs(example, options, directory):
    """No measurements of `example` yet, built as the options say."""
    say(f"{example.name}: building")
    return Runs(example, build(example, options, directory), directory, options)


def measure(runs, rounds, most_rounds, prophet):
    """Makes `rounds` rounds of `runs`, and more up to `most_rounds` while it is noisy."""
    name = runs.example.name
    while True:
        runs.round(prophet)
        made = len(runs.seconds["serial"])
        if made >= rounds and (made >= most_rounds or not runs.noisy()):
            break
        if sys.stderr.isatty() or made % 5 == 0:
            say(f"{name}: round {made} done")
    others = "other programs or shared cores" if runs.cores else "other programs"
    say(f"{name}: {made} rounds; {others} disturbed {runs.repeated + runs.disturbed} runs, "
        f"{runs.disturbed} of which count")
    return runs


def print_ways(results, ways, last="", last_of=lambda runs, schedule: ""):
    """ComparedRuns, a line for each schedule, with all ways side by side; and a last column."""
    head = "".join(f"{way:>9}{'error':>8}" for way in ways)
    print(f"{'program':<12}{'schedule':<11}{'measured':>8}{'spread':>8}{head}{last}")
    for runs in results:
        for schedule in SCHEDULES:
            line = f"{runs.example.name:<12}{schedule:<11}{runs.speedup(schedule):>8.3f}{runs.spread_of(schedule):>8.1%}"
            for way in ways:
                line += f"{runs.prediction_by(way, schedule):>9.3f}{runs.error_by(way, schedule):>+8.1%}"
            print(line + last_of(runs, schedule))


def print_mean_errors(results, ways):
    print()
    for way in ways:
        errors = [abs(runs.error_by(way, schedule)) for runs in results for schedule in SCHEDULES]
        print(f"{way:<8} mean absolute error {statistics.mean(errors):.1%}, largest {max(errors):.1%}")


def print_errors(results):
    print(f"{'program':<12}{'schedule':<11}{'predicted':>9}{'measured':>10}{'error':>8}"
          f"{'spread':>8}")
    for runs in results:
        for schedule in SCHEDULES:
            spread = max(runs.spread(schedule), runs.spread("serial"))
            print(f"{runs.example.name:<12}{schedule:<11}{runs.prediction(schedule):>9.3f}"
                  f"{runs.speedup(schedule):>10.3f}{runs.error(schedule):>+8.1%}{spread:>8.1%}")


def print_costs(results):
    print(f"\n{'program':<12}{'serial':>9}{'rounds':>8}  {'slow-down under profiling':<27}"
          "OpenMP on 1 thread")
    for runs in results:
        print(f"{runs.example.name:<12}{runs.median('serial'):>7.3f} s"
              f"{len(runs.seconds['serial']):>8}  {runs.slow_down():<27.3f}"
              f"{1 / runs.speedup('openmp 1'):.3f}")


def report(results):
    """Prints the tables; whether the targets were met."""
    inside = [runs for runs in results if not runs.example.outside]
    outside = [runs for runs in results if runs.example.outside]
    print(f"Speedup over the plain serial build at {THREADS} threads, medians of interleaved runs\n")
    print_errors(inside)
    if outside:
        print("\nOutside of what is modelled, not counted below:\n")
        print_errors(outside)
        for runs in outside:
            print(f"  {runs.example.name}: {runs.example.outside}")
    print_costs(results)
    if not inside:
        return True
    errors = {(runs.example.name, schedule): abs(runs.error(schedule))
              for runs in inside for schedule in SCHEDULES}
    worst = max(errors, key=errors.get)
    mean = statistics.mean(errors.values())
    slowest = max(inside, key=Runs.slow_down)
    print(f"\nmean absolute error {mean:.1%} (target 5 %), largest {errors[worst]:.1%} "
          f"({worst[0]}, {worst[1]}; target 10 %)")
    print(f"largest slow-down {slowest.slow_down():.3f} ({slowest.example.name}; target 1.05)")
    disturbed = sum(runs.disturbed for runs in results)
    if disturbed:
        print(f"{disturbed} runs shared the machine with other programs")
    met = mean <= 0.05 and errors[worst] <= 0.10 and slowest.slow_down() <= 1.05
    print("targets met" if met else "TARGETS MISSED")
    return met


def show_run(options, prophet, directory):
    example = EXAMPLES[0]
    program = directory / f"{example.name}-prophet"
    print(f"\n$ prophet run -- ./{example.name}", flush=True)
    subprocess.run([prophet, "run", "-o", directory / "shown.prophet.json", "--", program],
                   check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    known = [example.name for example in EXAMPLES]
    add_arguments(parser, 5, "at least")
    parser.add_argument("--most-rounds", type=int, default=15,
                        help="where the medians are noisy (default: 15)")
    parser.add_argument("--strict", action="store_true",
                        help="exit with status 1 where a target is missed")
    add_quiet_arguments(parser, known)
    options = parser.parse_args()
    prophet = check_arguments(parser, options)
    check_quiet_arguments(parser, options, known, THREADS)

    with tempfile.TemporaryDirectory(prefix="prophet-demo-") as name:
        directory = Path(name)
        chosen = [example for example in EXAMPLES
                  if not options.names or example.name in options.names]
        results = [measure(example_runs(example, options, directory), options.rounds, options.most_rounds, prophet)
                   for example in chosen]
        met = report(results)
        if not options.names or EXAMPLES[0].name in options.names:
            show_run(options, prophet, directory)
    return 1 if options.strict and not met else 0


if __name__ == "__main__":
    sys.exit(main())
