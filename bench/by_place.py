#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Examples by how far from each other a virtual machine's host has the cores: measured and predicted for each place.

For each example calibrates a few times, and then runs the serial program, the profiled one and the OpenMP program of each
schedule on two threads in turns. Before and after each run it measures what a line takes from core to core. All these
times and those of the machine files are put into order: a new place begins where one is a third more than the one before
it, and is called by the median of its times. Where the place behind a run is another one the host moved the cores
meanwhile ("moved"): brief examples have few of these. Runs beside which other programs ran, or before or after which the
cores were not as fast as usual, are "disturbed".

Speedups are medians over rounds whose serial and parallel runs were in the same place ("apart": from the lowest to the
highest, of the median), and predicted by the last machine file of that place from the profiles that were made there. A
place with less than two such rounds, or without a profile or a machine file, is not predicted. --save keeps what was
measured, --saved predicts that again, by a later Prophet.
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
import memory_predictions  # noqa: E402
from measuring import (SAME_PLACES, WHOLE_CORES, Handover, add_arguments, check_arguments, check_names,  # noqa: E402
                       cores_program, die, first_threads, plain_environment, run, say, timed, usual)

WAYS = "without", "with"  # the memory model


class Places:
    """Which of these times, ns, that a line takes from core to core are of cores that are as far from each other."""

    def __init__(self, handovers):
        self.groups = []
        for handed in sorted(handovers):
            if not self.groups or handed > SAME_PLACES * self.groups[-1][-1]:
                self.groups.append([])
            self.groups[-1].append(handed)

    def names(self):
        """From the nearest to the farthest."""
        return [f"{statistics.median(group):.0f} ns" for group in self.groups]

    def of(self, before, after):
        """The place of a run between two of the times."""
        found = {name for name, group in zip(self.names(), self.groups) if before in group or after in group}
        return found.pop() if len(found) == 1 else "moved"


class Probe:
    """Measures what a line takes from core to core, ns, and how long the slowest core takes for the same work, ms."""

    def __init__(self, options, directory):
        self.handover, self.cores = Handover(options.build), cores_program(options.compiler, directory)
        self.environment = dict(plain_environment(), OMP_PROC_BIND="true", OMP_WAIT_POLICY="active")

    def __call__(self):
        # Another program may have run in one of them.
        handed, computed = zip(*((self.handover(), float(run([self.cores, "2"], self.environment).split()[1]))
                                 for _ in range(2)))
        return min(handed), min(computed)


def measure(example, options, directory, record, prophet):
    """Writes what was measured of `example` to directory `record`."""
    programs = memory_predictions.build(example, options, directory)
    record.mkdir(parents=True, exist_ok=True)
    for old in record.glob("*.json"):
        old.unlink()
    plain = plain_environment()
    run([programs["memory"], *example.arguments], dict(plain, PROPHET_MEMORY_OUT=str(record / "profile.json")))
    for number in range(options.calibrations):
        say(f"{example.name}: calibrating ({number + 1} of {options.calibrations})")
        subprocess.run([prophet, "calibrate", "-o", record / f"machine.{number}.json"], stdout=subprocess.DEVNULL)
    probe = Probe(options, directory)
    openmp = dict(plain, OMP_PROC_BIND="true", OMP_WAIT_POLICY="active", OMP_NUM_THREADS="2")
    kinds = {"serial": (programs["plain"], plain), "profiled": (programs["prophet"], plain),
             **{schedule: (programs[schedule], openmp) for schedule in demo.SCHEDULES}}
    runs = []
    for number in range(options.rounds):
        for kind, (program, environment) in kinds.items():
            tree = {"PROPHET_OUT": str(record / f"tree.{number}.json")} if kind == "profiled" else {}
            before = probe()
            took, alone = timed([program, *example.arguments], environment | tree)
            runs.append({"round": number, "kind": kind, "seconds": took, "alone": alone, "probes": [before, probe()]})
        say(f"{example.name}: round {number + 1} of {options.rounds}")
    (record / "runs.json").write_text(json.dumps(runs))


class Recorded:
    """What was measured of an example and kept in a directory."""

    def __init__(self, record):
        self.name, self.record = record.name, record
        self.runs = json.loads((record / "runs.json").read_text())
        machines = {}
        for path in sorted(record.glob("machine.*.json")):
            memory = json.loads(path.read_text()).get("memory", {})
            if handed := memory.get("quality", {}).get("handover_ns"):
                machines[path] = handed
        self.places = Places([*(handed for one in self.runs for handed, _ in one["probes"]), *machines.values()])
        self.whole = WHOLE_CORES * usual([computed for one in self.runs for _, computed in one["probes"]], WHOLE_CORES)
        self.seconds, self.trees = {}, {}
        for one in self.runs:
            place = self.place(one)
            self.seconds.setdefault((place, one["kind"]), []).append(one["seconds"])
            if one["kind"] == "profiled":
                self.trees.setdefault(place, []).append(record / f"tree.{one['round']}.json")
        self.machines = {self.places.of(handed, handed): path for path, handed in machines.items()}  # the last of each

    def place(self, one):
        """Of a run."""
        (before, computed_before), (after, computed_after) = one["probes"]
        disturbed = not one["alone"] or max(computed_before, computed_after) > self.whole
        return "disturbed" if disturbed else self.places.of(before, after)

    def measured(self, place, schedule):
        """The speedups of the rounds whose serial and parallel runs were in that place."""
        times = {(one["round"], one["kind"]): one["seconds"] for one in self.runs if self.place(one) == place}
        return [times[number, "serial"] / took for (number, kind), took in times.items()
                if kind == schedule and (number, "serial") in times]

    def predicted(self, prophet, place):
        """By way and schedule; empty where no machine file or no profile is of that place."""
        found = {}
        for tree in self.trees.get(place, []) if place in self.machines else []:
            for way in WAYS:
                words = ["--memory", "none"] if way == "without" else ["--memory-profile", self.record / "profile.json"]
                for estimate in memory_predictions.estimates(prophet, tree, self.machines[place], words):
                    found.setdefault((way, estimate["schedule"]), []).append(estimate["speedup"])
        return {key: statistics.median(speedups) for key, speedups in found.items()}


def print_seconds(recorded):
    """A line for each kind of program, with what it took in each place: median, range, runs."""
    seen = {place for place, _ in recorded.seconds}
    places = [place for place in (*recorded.places.names(), "moved", "disturbed") if place in seen]
    print(f"{recorded.name:16}" + "".join(f"{place:>32}" for place in places))
    for kind in ("serial", *demo.SCHEDULES):
        cells = []
        for place in places:
            times = sorted(recorded.seconds.get((place, kind), []))
            cells.append(f"{statistics.median(times):.3f} s ({times[0]:.3f} to {times[-1]:.3f}, {len(times)})" if times else "-")
        print(f"  {kind:14}" + "".join(f"{cell:>32}" for cell in cells))


def report(all_recorded, prophet):
    for recorded in all_recorded:
        print_seconds(recorded)
    heads = "".join(f"{way:>9}{'error':>8}" for way in WAYS)
    print(f"\n{'program':16}{'schedule':11}{'cores':8}{'rounds':>6}{'measured':>9}{'apart':>7}{heads}")
    errors = {way: [] for way in WAYS}
    spreads = []
    for recorded in all_recorded:
        for place in recorded.places.names():
            predicted = recorded.predicted(prophet, place)
            for schedule in demo.SCHEDULES if predicted else []:
                rounds = recorded.measured(place, schedule)
                if len(rounds) < 2:
                    continue
                measured = statistics.median(rounds)
                spreads.append((max(rounds) - min(rounds)) / measured)
                line = f"{recorded.name:16}{schedule:11}{place:8}{len(rounds):>6}{measured:>9.3f}{spreads[-1]:>7.1%}"
                for way in WAYS:
                    error = predicted[way, schedule] / measured - 1
                    errors[way].append(abs(error))
                    line += f"{predicted[way, schedule]:>9.3f}{error:>+8.1%}"
                print(line)
    print()
    for way, those in errors.items():
        if those:
            print(f"{way:<8} memory: mean absolute error {statistics.mean(those):.1%}, largest {max(those):.1%}")
    worse = [(there - here, spread) for here, there, spread in zip(*errors.values(), spreads) if there > here]
    print(f"with it worse than without: {len(worse)} of {len(spreads)} rows"
          + (f", by {100 * max(by for by, _ in worse):.1f} points at most; the rounds of these rows are "
             f"{min(apart for _, apart in worse):.1%} to {max(apart for _, apart in worse):.1%} apart" if worse else ""))


def parse(known, default):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add_arguments(parser, 20, "of measurements")
    parser.add_argument("--calibrations", type=int, default=4, metavar="N",
                        help="of each example; 0 predicts nothing (default: %(default)s)")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep there what was measured")
    parser.add_argument("--saved", type=Path, metavar="DIR", help="measure nothing, and predict what is kept there")
    parser.add_argument("names", metavar="EXAMPLE", nargs="*",
                        help=f"of {', '.join(known)} (default: {', '.join(default)}; with --saved all that are kept)")
    options = parser.parse_args()
    if options.save and options.saved:
        parser.error("--saved measures nothing that --save could keep")
    prophet = check_arguments(parser, options)
    check_names(parser, options, known)
    if not options.saved and len(first_threads()) < 2:
        die("this machine has one core")
    return options, prophet


def main():
    known = {example.name: example for example in memory_predictions.ALL}
    default = [*(example.name for example in memory_predictions.BRIEF), "lu-1200"]
    options, prophet = parse(known, default)
    with tempfile.TemporaryDirectory(prefix="prophet-places-") as name:
        records = options.saved or options.save or Path(name) / "records"
        for example in [] if options.saved else options.names or default:
            measure(known[example], options, Path(name), records / example, prophet)
        kept = [name for name in options.names or known if (records / name / "runs.json").exists()]
        if not kept or len(kept) < len(options.names):
            lacking = " ".join(name for name in options.names if name not in kept)
            die(f"{records} holds no measurements{' of ' if lacking else ''}{lacking}; make them with --save")
        report([Recorded(records / name) for name in kept], prophet)
    return 0


if __name__ == "__main__":
    sys.exit(main())
