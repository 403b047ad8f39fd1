#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What two threads' caches miss: predicted from the memory profile of a serial run, and of the OpenMP program itself.

Each kernel (memory_kernels/) is built twice with -fplugin-arg-prophet-memory: annotated, for the profile; and with OpenMP's
pragma in the annotation's place, to be run by two threads under a runtime (memory_kernels/trace_runtime.c) that writes down
every access of both, in the order in which they come, and where parallel regions begin and end. Both go through the same caches
(memmodel/Replay.h), a private one for each thread and a shared one of several sizes: the sample, dealt to the threads as the
schedule does, and the whole trace, each region's accesses merged by their numbers, or in the order in which they came (--order
came): how far the threads of that run were apart from each other at a time is then in the figures, too. The
runs are made with so many repetitions and with twice as many, and the difference counts, so that what comes before the loop
is left out. At a knife's edge, where shared caches of 0.7 and 1.4 times the size miss unlike numbers, the predicted figure is a
band; there the error is how far the real one is outside of it.
"""
import argparse
import os
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "examples"))
from measuring import plain_environment, run  # noqa: E402

SOURCES = TOP / "bench" / "memory_kernels"
# name, source, flags, size, repetitions
KERNELS = [
    ("triad", "triad.c", [], 150000, 3),
    ("stencil", "stencil.c", [], 600, 2),
    ("matmul", "matmul.c", [], 260, 1),
    ("matmul, interchanged", "matmul.c", ["-DINTERCHANGED"], 400, 1),
    ("matmul, blocked", "matmul.c", ["-DBLOCKED"], 416, 1),
    ("sparse matrix", "spmv.c", [], 40000, 2),
    ("merge sort", "sort.c", [], 400000, 1),
]
SHARED = [256, 512, 1024, 2048, 4096]  # KiB
EDGE = 1.4


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default=TOP / "build" / "opt", type=Path)
    parser.add_argument("--clang", default="/usr/lib/llvm-19/bin/clang")
    parser.add_argument("--private", default=128, type=int, help="KiB of a thread's own cache (default 128)")
    parser.add_argument("--rate", default="1/8", help="as PROPHET_MEMORY_RATE: 1/8 has as many lines of these small arrays in the "
                        "sample as the profiler's own choice (auto) of larger ones (default 1/8)")
    parser.add_argument("--order", default="even", choices=["even", "came"], help="of both threads' accesses (default even)")
    parser.add_argument("--only", default="", help="kernels with this in their names")
    parser.add_argument("--most-error", type=float, help="in percent: fail where it is larger")
    return parser.parse_args()


class Kernel:
    def __init__(self, arguments, work, kernel):
        self.arguments, self.work = arguments, work
        self.name, source, flags, self.size, self.repetitions = kernel
        command = [arguments.clang, "-O2", "-w", *flags, f"-fplugin={arguments.build}/lib/prophet.so",
                   "-fplugin-arg-prophet-memory", f"-I{SOURCES}"]
        self.serial = work / "serial"
        run([*command, "-o", self.serial, SOURCES / source])
        text = (SOURCES / source).read_text()
        assert "#pragma prophet parallel for name(kernel)" in text
        self.parallel = {}
        for schedule in "static", "static,1":
            openmp = work / "openmp.c"
            openmp.write_text(text.replace("#pragma prophet parallel for name(kernel)",
                                           f"#pragma omp parallel for schedule({schedule})"))
            self.parallel[schedule] = work / f"parallel-{schedule}"
            run([*command, "-fopenmp", "-o", self.parallel[schedule], openmp])

    def replay(self, *words):
        output = run([self.arguments.build / "bench" / "memory_replay", *map(str, words)])
        return [tuple(map(float, line.split())) for line in output.splitlines()]

    def predicted(self, schedule, sizes):
        """Pairs of what comes from memory and from the other thread."""
        def once(repetitions):
            profile = self.work / "profile.json"
            variables = {"PROPHET_MEMORY_OUT": str(profile)}
            if self.arguments.rate != "auto":
                variables["PROPHET_MEMORY_RATE"] = self.arguments.rate
            run([self.serial, str(self.size), str(repetitions)], plain_environment() | variables)
            return self.replay("profile", profile, 2, int(schedule == "static,1"), self.arguments.private, *sizes)
        return self.difference(once)

    def measured(self, schedule, runtime):
        def once(repetitions):
            trace = self.work / "trace.bin"
            variables = {"PROPHET_MEMORY_RUNTIME": str(runtime), "TRACE_OUT": str(trace), "OMP_TOOL_LIBRARIES": str(runtime),
                         "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "active"}
            run([self.parallel[schedule], str(self.size), str(repetitions)], plain_environment() | variables)
            self.accesses = os.path.getsize(trace) // 8
            found = self.replay("trace", self.arguments.order, trace, 2, self.arguments.private, *SHARED)
            trace.unlink()
            return found
        return self.difference(once)

    def difference(self, once):
        return [(two[0] - one[0], two[1] - one[1])
                for one, two in zip(once(self.repetitions), once(2 * self.repetitions))]


def outside(real, band):
    return max(0, min(band) - real, real - max(band))


def compare(kernel, schedule, runtime):
    real = kernel.measured(schedule, runtime)
    sizes = [factor * size for size in SHARED for factor in (1 / EDGE, 1, EDGE)]
    all_predicted = kernel.predicted(schedule, sizes)
    worst = 0
    for index, size in enumerate(SHARED):
        more, here, fewer = (pair[0] for pair in all_predicted[3 * index:3 * index + 3])
        misses, transfers = real[index]
        if misses < 1000:
            text = "(fits)"
        elif more > 1.1 * fewer:
            text = f"{100 * outside(misses, (more, fewer)) / misses:.2f} outside of the edge's band"
            worst = max(worst, outside(misses, (more, fewer)) / misses)
        else:
            text = f"{100 * (here / misses - 1):+.2f}"
            worst = max(worst, abs(here / misses - 1))
        print(f"{kernel.name:22}{schedule:10}{size:7}{misses:11.0f}{here:11.0f}{transfers:11.0f}"
              f"{all_predicted[3 * index + 1][1]:11.0f}  {text}", flush=True)
    return worst


def main():
    arguments = parse()
    print(f"{'kernel':22}{'schedule':10}{'KiB':>7}{'misses':>11}{'predicted':>11}{'transfers':>11}{'predicted':>11}  error of misses, %")
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        runtime = work / "libtrace.so"
        run([arguments.clang, "-O2", "-shared", "-fPIC", "-I", TOP / "runtime" / "include",
             SOURCES / "trace_runtime.c", "-o", runtime])
        for description in KERNELS:
            if arguments.only in description[0]:
                kernel = Kernel(arguments, work, description)
                for schedule in kernel.parallel:
                    worst = max(worst, compare(kernel, schedule, runtime))
    print(f"largest error {100 * worst:.2f} %")
    return 1 if arguments.most_error is not None and 100 * worst > arguments.most_error else 0


if __name__ == "__main__":
    sys.exit(main())
