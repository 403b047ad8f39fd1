#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long an example takes where a virtual machine's host has its cores near each other, and where far.

Runs the serial program and the OpenMP program of each schedule on two threads in turns, and measures before and after
each run what a line takes from core to core. Runs are put together whose two figures are alike: those of up to twice
the least figure of all are near, others far. Where they differ the host moved the cores meanwhile ("moved"): short
examples have few of these.
"""
import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
import demo  # noqa: E402
import memory_predictions  # noqa: E402
from measuring import (Handover, add_arguments, check_arguments, die, first_threads, plain_environment,  # noqa: E402
                       say, timed)

FAR = 2  # times the least


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add_arguments(parser, 20, "of measurements")
    known = {example.name: example for example in [*demo.EXAMPLES, *memory_predictions.MORE, *memory_predictions.MANY]}
    parser.add_argument("name", metavar="EXAMPLE", choices=sorted(known), help=f"of {', '.join(known)}")
    options = parser.parse_args()
    check_arguments(parser, options)
    if len(first_threads()) < 2:
        die("this machine has one core")
    example = known[options.name]
    with tempfile.TemporaryDirectory() as directory:
        programs = demo.build(example, options, Path(directory))
        handover = Handover(options.build)
        openmp = dict(plain_environment(), OMP_PROC_BIND="true", OMP_WAIT_POLICY="active", OMP_NUM_THREADS="2")
        kinds = {"serial": programs["plain"], **{schedule: programs[schedule] for schedule in demo.SCHEDULES}}
        runs = []
        for number in range(options.rounds):
            for kind, program in kinds.items():
                before = handover()
                took, _ = timed([program, *example.arguments], openmp)
                runs.append((kind, before, handover(), took))
            say(f"round {number + 1} of {options.rounds}")
    least = min(min(before, after) for _, before, after, _ in runs)
    places = {"near": [], "far": [], "moved": []}
    for kind, before, after, took in runs:
        far = [handed > FAR * least for handed in (before, after)]
        places["moved" if far[0] != far[1] else "far" if far[0] else "near"].append((kind, took))
    print(f"{'':12} " + "".join(f"{place:>34}" for place in places))
    for kind in kinds:
        cells = []
        for found in places.values():
            times = sorted(took for other, took in found if other == kind)
            cells.append(f"{statistics.median(times):.3f} s ({times[0]:.3f} to {times[-1]:.3f}, {len(times)})" if times else "-")
        print(f"{kind:12} " + "".join(f"{cell:>34}" for cell in cells))


if __name__ == "__main__":
    main()
