#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far apart predictions are whose memory profiles are of equal runs, or whose calibrations are of equal machines.

Large programs are sampled: which lines are in the sample depends on where the system put their data. For each example
measures the use of memory --rounds times, and predicts one tree on two threads by each of these profiles and each machine
file; with --rounds 1 and several of these it says how far apart they are. The columns: how many lines were sampled
(median), the speedup without a memory model, and with it the median, the least and the most; then how far the farthest is
from the median. With --limit, exit status 1 where that is more.
"""
import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
import memory_predictions  # noqa: E402
from measuring import add_arguments, check_arguments, check_names, plain_environment, run, say  # noqa: E402


class Samples:
    """Profiles of an example, and what they predict by schedule."""

    def __init__(self, example, options, directory, prophet, machines):
        self.example, self.prophet, self.machines = example, prophet, machines
        self.programs = memory_predictions.build(example, options, directory)
        self.tree, self.profile = directory / "tree.json", directory / "profile.json"
        self.run("prophet", "PROPHET_OUT", self.tree)
        self.lines, self.speedups = [], {}
        self.without = self.predict(machines[0], ["--memory", "none"])

    def run(self, kind, variable, path):
        run([self.programs[kind], *self.example.arguments], dict(plain_environment(), **{variable: str(path)}))

    def predict(self, machine, words):
        found = memory_predictions.estimates(self.prophet, self.tree, machine, words)
        return {estimate["schedule"]: estimate["speedup"] for estimate in found}

    def add(self):
        self.run("memory", "PROPHET_MEMORY_OUT", self.profile)
        self.lines.append(json.loads(self.profile.read_text())["sampled_lines"])
        for machine in self.machines:
            for schedule, speedup in self.predict(machine, ["--memory-profile", self.profile]).items():
                self.speedups.setdefault(schedule, []).append(speedup)

    def deviation(self, schedule):
        """Of the farthest from the median, %."""
        found = self.speedups[schedule]
        return 100 * max(abs(speedup / statistics.median(found) - 1) for speedup in found)

    def report(self):
        for schedule, found in self.speedups.items():
            print(f"{self.example.name:<15}{schedule:<10}{statistics.median(self.lines):>8.0f}{self.without[schedule]:>9.3f}"
                  f"{statistics.median(found):>8.3f}{min(found):>8.3f}{max(found):>8.3f}{self.deviation(schedule):>7.1f} %",
                  flush=True)


def parse(known):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, 8, "memory profiles of each")
    parser.add_argument("--machine", type=Path, metavar="FILE", action="append", dest="machines",
                        help="what 'prophet calibrate' measured, once or several times (default: measure now)")
    parser.add_argument("--limit", type=float, metavar="PERCENT", help="that a speedup may be from the median")
    parser.add_argument("names", nargs="*", metavar="EXAMPLE",
                        help=f"of {', '.join(known)} (default: those that wait for memory)")
    options = parser.parse_args()
    prophet = check_arguments(parser, options)
    check_names(parser, options, known)
    return options, prophet


def main():
    known = {example.name: example for example in memory_predictions.ALL}
    default = [*(example.name for example in memory_predictions.BRIEF), "lu-1200", "lu-double"]
    options, prophet = parse(known)
    farthest = 0
    with tempfile.TemporaryDirectory(prefix="prophet-samples-") as name:
        machines = options.machines or [Path(name) / "machine.json"]
        if not options.machines:
            memory_predictions.calibrate(prophet, "all", machines[0])
        print(f"{'program':<15}{'schedule':<10}{'lines':>8}{'without':>9}{'with':>8}{'least':>8}{'most':>8}{'':>9}", flush=True)
        for example in options.names or default:
            samples = Samples(known[example], options, Path(name), prophet, machines)
            for number in range(options.rounds):
                samples.add()
                say(f"{example}: profile {number + 1} of {options.rounds}")
            samples.report()
            farthest = max(farthest, *map(samples.deviation, samples.speedups))
    return int(options.limit is not None and farthest > options.limit)


if __name__ == "__main__":
    sys.exit(main())
