#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions with and without the memory model beside the real OpenMP program, for every example.

`./bootstrap demo` measures the examples; here each is also built to measure its use of memory, and its profile
predicted with that and without, on a machine file that is calibrated before each, unless --machine names one: a
virtual machine's cores may be neighbours at one time and far from each other at another. What a memory has left
changes within minutes where other guests share it, so runs are compared with those of the same round: speedups and
errors are medians of the rounds', and the spread is the interquartile range of the rounds' speedups. --again calibrates
once more behind the runs: where the two machine files do not predict the same, the machine has changed meanwhile.

A machine without a compiler measures what another one has built (--programs, --build-only), and what is measured there
can be predicted elsewhere, and again by a later Prophet (--save, --saved).
"""
import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
import demo  # noqa: E402
from measuring import (add_arguments, add_quiet_arguments, check_arguments,  # noqa: E402
                       check_quiet_arguments, cores_program, die, plain_environment, run, say)

# Small enough for their data to move from one parallel loop to the next, and too large for any cache.
MORE = [demo.Example("lu-1200", "lu.c", ["-DLU_DOUBLE"], ["1200"]),
        demo.Example("cg-large", "cg.c", [], ["200000", "16", "2"]),
        demo.Example("stencil-big", "stencil.c", [], ["1500", "6"]),
        demo.Example("cg-plain", "cg.c", ["-DCG_PLAIN"], ["400000", "16", "4"]),
        demo.Example("stream", "stream.c", [], ["1000", "500"]),
        demo.Example("jacobi", "jacobi.c", [], ["2500", "800"]),
        demo.Example("ranking", "ranking.c", [], ["128", "24"])]
# For many cores: fewer passes through as much, and through more than the caches of many have.
MANY = [demo.Example("stream-short", "stream.c", [], ["1000", "50"]),
        demo.Example("stream-large", "stream.c", [], ["6000", "16"]),
        demo.Example("jacobi-short", "jacobi.c", [], ["2500", "100"]),
        demo.Example("jacobi-large", "jacobi.c", [], ["7000", "26"]),
        demo.Example("cg-plain-short", "cg.c", ["-DCG_PLAIN"], ["400000", "16", "2"]),
        demo.Example("cg-plain-large", "cg.c", ["-DCG_PLAIN"], ["1000000", "16", "2"]),
        demo.Example("ranking-short", "ranking.c", [], ["128", "12"]),
        demo.Example("lu-2000", "lu.c", ["-DLU_DOUBLE"], ["2000"])]
# For hosts that move the cores every few seconds: most runs begin and end in one place (by_place.py).
BRIEF = [demo.Example("stream-brief", "stream.c", [], ["1000", "10"]),
         demo.Example("jacobi-brief", "jacobi.c", [], ["2500", "20"]),
         demo.Example("cg-plain-brief", "cg.c", ["-DCG_PLAIN"], ["400000", "16", "1"]),
         demo.Example("ranking-brief", "ranking.c", [], ["128", "3"])]
# Tasks that are next to each other in memory, of which schedules make chunks; those of the fourth are in the last-level
# cache, those of the last ones in the cores' own.
ROWS = [demo.Example("rows-read", "../bench/memory_rows.c", ["-DREAD"], []),
        demo.Example("rows-copy", "../bench/memory_rows.c", ["-DCOPY"], []),
        demo.Example("rows-stencil", "../bench/memory_rows.c", [], []),
        demo.Example("rows-near", "../bench/memory_rows.c", [], ["2500", "800", "1200"]),
        demo.Example("rows-own", "../bench/memory_rows.c", [], ["200", "250", "15000"]),
        demo.Example("rows-own-copy", "../bench/memory_rows.c", ["-DCOPY"], ["96", "520", "15000"])]
# What clauses make each thread's own, the same where the annotation does not say so, where tasks allocate it, and where
# it is thread-local.
BINS = [demo.Example("bins", "../bench/private_bins.c", [], []),
        demo.Example("bins-unlisted", "../bench/private_bins.c", ["-DUNLISTED"], []),
        demo.Example("bins-heap", "../bench/private_bins.c", ["-DHEAP"], []),
        demo.Example("bins-thread", "../bench/private_bins.c", ["-DTHREAD_LOCAL"], [])]
ALL = BRIEF + demo.EXAMPLES + MORE + MANY + ROWS + BINS


def kinds():
    """Of the programs of an example."""
    return ["plain", "prophet", "memory", *demo.SCHEDULES]


def build(example, options, directory):
    """The programs of an example, by kind; all are built where one is not in `directory`."""
    programs = {kind: directory / f"{example.name}-{kind}" for kind in kinds()}
    missing = [program.name for program in programs.values() if not program.exists()]
    if not missing:
        return programs
    if not shutil.which(options.compiler):
        die(f"{directory} lacks {' '.join(missing)}, and there is no {options.compiler}: build them where there is one "
            "(--build-only, with the same --schedule)")
    say(f"{example.name}: building")
    demo.build(example, options, directory)
    run([options.compiler, "-O2", *example.flags, demo.HERE / example.source, "-lm",
         f"-fplugin={options.build}/lib/prophet.so", "-fplugin-arg-prophet-memory", "-o", programs["memory"]])
    return programs


class MemoryRuns(demo.Runs):
    """The measurements of one example by schedule and threads, which go to a directory."""

    def __init__(self, example, builds, directory, record, options):
        super().__init__(example, builds, directory, options)
        if self.cores:
            memory = json.loads((record / "machine.json").read_text()).get("memory", {})
            self.cores.handover_ns = memory.get("quality", {}).get("handover_ns", 0)
        self.record, self.threads = record, options.threads
        self.tree = record / "tree.json"
        self.configurations["profiled"][1]["PROPHET_OUT"] = str(self.tree)
        openmp = self.configurations.pop("openmp 1")[1]
        for schedule in demo.SCHEDULES:
            program = self.configurations.pop(schedule)[0]
            for threads in options.threads:
                self.configurations[f"{schedule} {threads}"] = (program, dict(openmp, OMP_NUM_THREADS=str(threads)))
        profile = record / "profile.json"
        run([builds["memory"], *example.arguments], dict(plain_environment(), PROPHET_MEMORY_OUT=str(profile)))
        if not profile.exists():
            die(f"{builds['memory']} wrote no memory profile: what it says when it is run tells why")

    def round(self, prophet):
        self.run_all()
        self.tree.rename(self.record / f"tree.{len(self.seconds['serial']) - 1}.json")
        (self.record / "measured.json").write_text(json.dumps(
            {"threads": self.threads, "schedules": demo.SCHEDULES, "seconds": self.seconds}))


def calibrate(prophet, name, machine):
    """Writes the machine file."""
    say(f"{name}: calibrating")
    subprocess.run([prophet, "calibrate", "-o", machine], check=True, stdout=subprocess.DEVNULL)
    memory = json.loads(machine.read_text())["memory"]
    say(f"{name}: a line from another core takes {memory.get('transfer_ns', 0)} ns, of many in order "
        f"{memory.get('transfer_ahead_ns', 0)} ns")


def measure(example, options, directory, record, prophet):
    """Writes what was measured of `example` to directory `record`."""
    builds = build(example, options, directory)
    machine = Path(options.machine).read_bytes() if options.machine else None  # of this record, maybe
    record.mkdir(parents=True, exist_ok=True)
    for old in record.glob("*.json"):
        old.unlink()
    if machine:
        (record / "machine.json").write_bytes(machine)
    else:
        calibrate(prophet, example.name, record / "machine.json")
    demo.measure(MemoryRuns(example, builds, directory, record, options), options.rounds, options.rounds, prophet)
    if options.again:
        calibrate(prophet, example.name, record / "behind.json")


def estimates(prophet, tree, machine, words, schedules=demo.SCHEDULES, threads=(2,)):
    """What is predicted of `tree`, with the memory model that `words` choose."""
    command = [prophet, "predict", tree, "--threads", ",".join(map(str, threads)), "--machine", machine,
               "--format", "json", "--wait-policy", "active", *words]
    command += [word for schedule in schedules for word in ("--schedule", schedule)]
    return json.loads(run(command))["estimates"]


class Predicted:
    """What was measured of an example and kept in a directory, and the predictions of it by way, schedule, threads."""

    def __init__(self, record, prophet):
        self.name = record.name
        measured = json.loads((record / "measured.json").read_text())
        self.threads, self.schedules, self.seconds = measured["threads"], measured["schedules"], measured["seconds"]
        self.speedup, self.interval = {}, {}
        profile = ["--memory-profile", record / "profile.json"]
        for number in range(len(self.seconds["serial"])):
            tree = record / f"tree.{number}.json"
            self.predict(prophet, "without", tree, record / "machine.json", ["--memory", "none"])
            self.predict(prophet, "with", tree, record / "machine.json", profile)
            if (record / "behind.json").exists():
                self.predict(prophet, "again", tree, record / "behind.json", profile)

    def predict(self, prophet, way, tree, machine, words):
        for estimate in estimates(prophet, tree, machine, words, self.schedules, self.threads):
            key = way, estimate["schedule"], estimate["threads"]
            self.speedup.setdefault(key, []).append(estimate["speedup"])
            self.interval.setdefault(key, []).append(estimate["interval"])

    def ways(self):
        return list(dict.fromkeys(way for way, _, _ in self.speedup))

    def cases(self):
        return [(schedule, threads) for schedule in self.schedules for threads in self.threads]

    def measured(self, case):
        """By round."""
        return [serial / parallel for serial, parallel
                in zip(self.seconds["serial"], self.seconds[f"{case[0]} {case[1]}"])]

    def spread(self, case):
        if len(self.measured(case)) < 2:  # cut off
            return math.nan
        measured = self.measured(case)
        low, middle, high = statistics.quantiles(measured, n=4)
        return (min(high, max(measured)) - max(low, min(measured))) / middle

    def error(self, way, case):
        return statistics.median(predicted / measured - 1 for predicted, measured
                                 in zip(self.speedup[way, *case], self.measured(case)))

    def inside(self, way, case):
        """Of the rounds, whether the speedup was in the interval that was predicted of it."""
        return [low <= measured <= high
                for (low, high), measured in zip(self.interval[way, *case], self.measured(case))]


def print_case(found, case):
    line = (f"{found.name:<15}{case[0]:<10}{case[1]:>3}{statistics.median(found.measured(case)):>9.3f}"
            f"{found.spread(case):>8.1%}")
    for way in found.ways():
        line += f"{statistics.median(found.speedup[way, *case]):>9.3f}{found.error(way, case):>+8.1%}"
    print(line)


def print_means(results, way, threads, what):
    those = [(found, case) for found in results if way in found.ways() for case in found.cases() if case[1] in threads]
    if not those:
        return
    errors = [abs(found.error(way, case)) for found, case in those]
    inside = [is_inside for found, case in those for is_inside in found.inside(way, case)]
    print(f"{way:<8} memory, {what}: mean absolute error {statistics.mean(errors):.1%}, largest {max(errors):.1%}; "
          f"{sum(inside)} of {len(inside)} rounds' speedups are in the predicted intervals")


def report(results):
    ways = list(dict.fromkeys(way for found in results for way in found.ways()))
    head = "".join(f"{way:>9}{'error':>8}" for way in ways)
    print(f"{'program':<15}{'schedule':<10}{'on':>3}{'measured':>9}{'spread':>8}{head}")
    for found in results:
        for case in found.cases():
            print_case(found, case)
    counts = sorted({threads for found in results for threads in found.threads})
    print()
    for way in ways:
        for threads in counts if len(counts) > 1 else []:
            print_means(results, way, [threads], f"{threads} threads")
        print_means(results, way, counts, "all" if len(counts) > 1 else f"{counts[0]} threads")


def parse(known):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add_arguments(parser, 7, "of measurements")
    parser.add_argument("--threads", action="append", type=int, metavar="N", help="repeatable (default: 2)")
    parser.add_argument("--schedule", action="append", metavar="S",
                        help=f"static[,CHUNK] or dynamic[,CHUNK]; repeatable (default: {' '.join(demo.SCHEDULES)})")
    parser.add_argument("--machine", metavar="FILE", help="what 'prophet calibrate' measured (default: measure now)")
    parser.add_argument("--again", action="store_true", help="calibrate behind the runs, too, and predict by that")
    parser.add_argument("--programs", type=Path, metavar="DIR",
                        help="where the programs are, and are built that are not (default: built in a temporary one)")
    parser.add_argument("--build-only", action="store_true", help="measure nothing")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep there what was measured, and predict nothing")
    parser.add_argument("--saved", type=Path, metavar="DIR", help="measure nothing, and predict what is kept there")
    add_quiet_arguments(parser, known)
    options = parser.parse_args()
    options.threads = list(dict.fromkeys(options.threads or [demo.THREADS]))
    demo.SCHEDULES = tuple(dict.fromkeys(options.schedule or demo.SCHEDULES))
    demo.THREADS = max(options.threads)  # which probes of the processors take
    if min(options.threads) < 1:
        parser.error("--threads must be at least 1")
    if options.saved and any((options.save, options.build_only, options.machine, options.schedule, options.again,
                              options.realtime, options.threads != [2])):
        parser.error("--saved predicts what was measured, as it was: leave out what says how to measure")
    if options.build_only and (options.save or options.realtime or not options.programs):
        parser.error("--build-only needs --programs, or what is built is lost, and measures nothing")
    options.programs = options.programs and options.programs.resolve()
    prophet = check_arguments(parser, options)
    check_quiet_arguments(parser, options, known, 1 if options.build_only or options.saved else demo.THREADS)
    return options, prophet


def measure_all(examples, options, directory, records, prophet):
    """Makes the directories of `records`, one for each of the examples."""
    programs = options.programs or directory
    programs.mkdir(parents=True, exist_ok=True)
    for example in examples:
        if options.build_only:
            build(example, options, programs)
        else:
            measure(example, options, programs, records / example.name, prophet)
    if options.build_only:
        cores_program(options.compiler, programs)


def main():
    options, prophet = parse([example.name for example in ALL])
    examples = [example for example in ALL if not options.names or example.name in options.names]
    with tempfile.TemporaryDirectory(prefix="prophet-memory-") as name:
        records = options.saved or options.save or Path(name) / "records"
        if not options.saved:
            measure_all(examples, options, Path(name), records, prophet)
        if options.build_only or options.save:
            return 0
        kept = [records / example.name for example in examples if (records / example.name / "measured.json").exists()]
        lacking = [name for name in options.names if records / name not in kept]
        if lacking or not kept:
            die(f"{records} holds no measurements{' of ' if lacking else ''}{' '.join(lacking)}; make them with --save")
        report([Predicted(record, prophet) for record in kept])
    return 0


if __name__ == "__main__":
    sys.exit(main())
