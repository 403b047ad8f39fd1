#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicted beside measured speedup of the examples with tasks.

quicksort and fft are profiled serially, and exist written by hand with OpenMP's tasks (-omp.c) and
with oneTBB's (-tbb.cpp, where that is installed). All programs run in turn; medians are compared.
The measured speedup is over the plain serial program.
"""
import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))
from measuring import (Medians, add_arguments, check_arguments, plain_environment, run,  # noqa: E402
                       say, timed)

PROGRAMS = {"quicksort": ["3000", "20000"], "fft": ["20", "13"]}


def build(name, options, directory):
    """The programs by kind; a kind that cannot be built is left out, with the reason."""
    flags = ["-O2", "-lm"]
    sources = {
        "serial": [options.compiler, EXAMPLES / f"{name}.c"],
        "profiled": [options.compiler, EXAMPLES / f"{name}.c",
                     f"-fplugin={options.build}/lib/prophet.so"],
        "openmp": [options.compiler, "-fopenmp", EXAMPLES / f"{name}-omp.c"],
        "tbb": [options.compiler.replace("clang", "clang++"), "-std=c++20",
                EXAMPLES / f"{name}-tbb.cpp", "-ltbb"],
    }
    if not Path("/usr/include/tbb/task_group.h").exists():
        say("oneTBB is left out: there is no tbb/task_group.h; install libtbb-dev")
        del sources["tbb"]
    programs = {}
    for kind, command in sources.items():
        programs[kind] = directory / f"{name}-{kind}"
        run([*command, *flags, "-o", programs[kind]])
    return programs


class Measurement(Medians):
    """The runs of one example."""

    def __init__(self, name, options, directory):
        super().__init__()
        self.name, self.options = name, options
        self.tree = directory / f"{name}.prophet.json"
        programs = build(name, options, directory)
        plain = plain_environment()
        self.commands = {
            "serial": ([programs["serial"], *PROGRAMS[name]], plain),
            "profiled": ([programs["profiled"], *PROGRAMS[name]],
                         dict(plain, PROPHET_OUT=str(self.tree)))}
        for threads in [1, *options.threads]:
            self.commands["openmp", threads] = (
                [programs["openmp"], *PROGRAMS[name]],
                dict(plain, OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="active"))
            if "tbb" in programs:
                self.commands["tbb", threads] = (
                    [programs["tbb"], *PROGRAMS[name], str(threads)], plain)
        self.predicted = {}
        self.disturbed = 0

    def round(self, prophet):
        for kind, (command, environment) in self.commands.items():
            for attempt in range(5):
                seconds, quiet = timed(command, environment)
                if quiet:
                    break
                time.sleep(0.5)
            self.disturbed += not quiet
            self.add(kind, seconds)
        for paradigm, threads in self.parallel():
            for method in self.options.methods:
                command = [prophet, "predict", self.tree,
                           "--threads", str(threads), "--schedule", "static", "--format", "json",
                           "--method", method]
                if paradigm == "tbb":
                    del command[5:7]  # loops would be split, too
                    command += ["--paradigm", "tbb"]
                else:
                    command += ["--wait-policy", "active"]
                estimate = json.loads(run(command))["estimates"][0]
                key = paradigm, threads, method
                self.predicted.setdefault(key, []).append(estimate["speedup"])

    def parallel(self):
        return [kind for kind in self.commands if isinstance(kind, tuple) and kind[1] > 1]

    def show(self):
        for paradigm, threads in self.parallel():
            kind = paradigm, threads
            measured = self.speedup(kind)
            line = f"{self.name:<11}{paradigm:<8}{threads:>7}{measured:>10.3f}"
            for method in self.options.methods:
                speedup = statistics.median(self.predicted[paradigm, threads, method])
                line += f"{speedup:>9.3f}{speedup / measured - 1:>+8.1%}"
            spread = max(self.spread(kind), self.spread("serial"))
            print(f"{line}{spread:>8.1%}{self.speedup((paradigm, 1)):>11.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add_arguments(parser, 9, "of measurements")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")],
                        default=[2], help="default: 2")
    parser.add_argument("--method", dest="methods", action="append",
                        help="as prophet predict takes it; repeatable (default: ff)")
    options = parser.parse_args()
    prophet = check_arguments(parser, options)
    options.methods = options.methods or ["ff"]
    with tempfile.TemporaryDirectory(prefix="prophet-tasks-") as directory:
        results = [Measurement(name, options, Path(directory)) for name in PROGRAMS]
        for number in range(options.rounds):
            for result in results:
                result.round(prophet)
            say(f"round {number + 1} of {options.rounds} done")
    head = "".join(f"{method:>9}{'error':>8}" for method in options.methods)
    print(f"{'program':<11}{'tasks':<8}{'threads':>7}{'measured':>10}{head}{'spread':>8}"
          f"{'one thread':>11}")
    for result in results:
        result.show()
    disturbed = sum(result.disturbed for result in results)
    if disturbed:
        print(f"{disturbed} runs shared the machine with other programs")


if __name__ == "__main__":
    main()
