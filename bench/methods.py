#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Both methods of prediction beside the real OpenMP program, for every example at 2 threads.

`./bootstrap demo` measures the examples; here its last profile of each is predicted by the emulator (ff), by the real
runtime on this machine's cores (synth) and by the real runtime in virtual time. ff and virtual time charge what constructs cost by
a machine file that is calibrated before each example, unless --machine names one. The last two columns are what
synth took, over the serial run: the paper's T_SYN (§VII-D), which is the profiled run (taken as 1) and one repetition, and
all repetitions until their median is known to 1 %.
"""
import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
import demo  # noqa: E402
from measuring import (add_arguments, add_quiet_arguments, check_arguments,  # noqa: E402
                       check_quiet_arguments, run, say)

METHODS = ("ff", "synth", "virtual")


def predict(prophet, tree, *words):
    command = [prophet, "predict", tree, "--threads", str(demo.THREADS), "--format", "json", *words]
    return json.loads(run(command))


class MethodRuns(demo.ComparedRuns):
    """The measurements of one example, and what both methods say of its last profile."""

    def predict_all(self, prophet, seconds, machine):
        charged = ["--machine", str(machine), "--wait-policy", "active"]
        both = predict(prophet, self.tree, "--method", "ff", "--method", "synth", "--delay",
                       "spin", "--time-limit", str(seconds), *charged)
        virtual = predict(prophet, self.tree, "--method", "synth", "--delay", "virtual",
                          "--time-limit", "3600", *charged)
        self.rough = [warning for warning in both["warnings"] if warning.startswith("synth:")]
        self.cost = {}
        serial = both["serial_ticks"] / both["timebase_hz"]
        for estimate in both["estimates"] + virtual["estimates"]:
            method = "virtual" if estimate.get("delay") == "virtual" else estimate["method"]
            self.predicted[method, estimate["schedule"]] = [estimate["speedup"]]
            if method == "synth":
                once = estimate["seconds"] / serial
                self.cost[estimate["schedule"]] = (1 + once, estimate["repetitions"]["tried"] * once)


def measure(example, options, directory, prophet):
    say(f"{example.name}: building")
    runs = MethodRuns(example, demo.build(example, options, directory), directory, options)
    demo.measure(runs, options.rounds, options.rounds, prophet)
    machine = options.machine
    if not machine:
        say(f"{example.name}: calibrating")
        machine = directory / f"{example.name}.machine.json"
        run([prophet, "calibrate", "-o", machine])
    runs.predict_all(prophet, options.time_limit, machine)
    for warning in runs.rough:
        say(f"{example.name}: {warning}")
    return runs


def report(results):
    demo.print_ways(results, METHODS, f"{'T_SYN':>8}{'all':>8}",
                    lambda runs, schedule: "".join(f"{cost:>8.2f}" for cost in runs.cost[schedule]))
    inside = [runs for runs in results if not runs.example.outside]
    if not inside:
        return
    demo.print_mean_errors(inside, METHODS)
    apart = [abs(runs.prediction_by("virtual", schedule) / runs.prediction_by("synth", schedule) - 1)
             for runs in inside for schedule in demo.SCHEDULES]
    print(f"virtual beside spinning: mean {statistics.mean(apart):.1%}, largest {max(apart):.1%}")
    for runs in results:
        if runs.example.outside:
            print(f"{runs.example.name} does not count: {runs.example.outside}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    known = [example.name for example in demo.EXAMPLES]
    add_arguments(parser, 7, "of measurements")
    parser.add_argument("--time-limit", type=int, default=60, metavar="SECONDS",
                        help="of synth, for each example (default: 60)")
    parser.add_argument("--machine", metavar="FILE", help="what 'prophet calibrate' measured (default: measure now)")
    add_quiet_arguments(parser, known)
    options = parser.parse_args()
    prophet = check_arguments(parser, options)
    check_quiet_arguments(parser, options, known, demo.THREADS)
    with tempfile.TemporaryDirectory(prefix="prophet-methods-") as name:
        report([measure(example, options, Path(name), prophet) for example in demo.EXAMPLES
                if not options.names or example.name in options.names])
    return 0


if __name__ == "__main__":
    sys.exit(main())
