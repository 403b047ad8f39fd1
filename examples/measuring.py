# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs have in common that measure real programs: demo.py here; memory_profile.py, methods.py,
task_programs.py and validation.py in bench."""
import bisect
import json
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
# Other programs may use this share of one core during a run that counts.
FOREIGN_SHARE = 0.05
# What the processors need for the same work differs by this factor from what they usually need, or more: something
# that this machine does not show runs on their cores, or for once does not. Clock speeds alone differ by a tenth.
WHOLE_CORES = 1.15
# A line takes longer from core to core by this factor, or more, where a host has moved them (as in calibration, Rounds.cpp).
SAME_PLACES = 4 / 3
PROBES = 40  # of the processors before the first run


def say(text):
    print(text, file=sys.stderr, flush=True)


def die(text):
    say(f"{Path(sys.argv[0]).stem}: {text}")
    sys.exit(1)


def run(command, environment=None):
    """Runs `command`; its output, or the end of this program."""
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        die(f"{' '.join(map(str, command))} failed with status {result.returncode}:\n"
            f"{result.stdout}{result.stderr}")
    return result.stdout


def busy_seconds():
    """CPU time that all programs together, and other guests of the host, have used."""
    user, nice, system, _idle, _wait, irq, softirq, steal = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def timed(command, environment):
    """The seconds that the program prints for its work, and whether it had the machine for itself."""
    before, own_before = busy_seconds(), os.times()
    output = run(command, environment)
    after, own_after = busy_seconds(), os.times()
    own = (own_after.children_user + own_after.children_system + own_after.user + own_after.system
           - own_before.children_user - own_before.children_system - own_before.user
           - own_before.system)
    seconds = float(next(line for line in output.splitlines() if line.startswith("time:")).split()[1])
    wall = own_after.elapsed - own_before.elapsed
    # Both clocks tick in 1/100 s.
    return seconds, after - before - own <= FOREIGN_SHARE * wall + 0.03


def usual(times, factor):
    """The least of those `times` of which the most differ by no more than that factor (as in calibration, Rounds.cpp)."""
    times = sorted(times)
    alike = [bisect.bisect_right(times, factor * least) - first for first, least in enumerate(times)]
    return times[alike.index(max(alike))]


def cores_program(compiler, directory):
    """cores.c, which is built in `directory` where it is not there."""
    program = directory / "cores"
    if not program.exists():
        run([compiler, "-O2", "-fopenmp", TOP / "examples" / "cores.c", "-o", program])
    return program


def first_threads():
    """Of each core the first processor that this process may use, package by package, as calibration has them."""
    def read(cpu, name):
        path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/{name}")
        return int(path.read_text()) if path.exists() else 0

    cores = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        package = read(cpu, "physical_package_id")
        cores.setdefault((package, read(cpu, "core_id") if package >= 0 else cpu), cpu)
    return [cpu for _, cpu in sorted(cores.items(), key=lambda core: (core[0][0], core[1]))]


class Handover:
    """Measures what a line takes from one of this machine's cores to others, ns."""

    def __init__(self, build):
        # The least that memory-figures measures.
        self.command = [build / "libexec" / "prophet" / "memory-figures", "latency", "16384", "16384", "1048576", "1048576",
                        ",".join(map(str, first_threads())), str(os.getpid())]

    def __call__(self):
        return json.loads(run(self.command))["handover"]


class Cores:
    """Whether this machine's processors compute as fast (cores.c), and are as far from each other (memory-figures), as
    they usually are, just now. `handover_ns` is how far that is, where a calibration knows it."""

    def __init__(self, compiler, directory, threads, build):
        self.program, self.threads = cores_program(compiler, directory), threads
        self.environment = dict(plain_environment(), OMP_PROC_BIND="true", OMP_WAIT_POLICY="active")
        self.handover = Handover(build)
        self.times, self.handovers = [], []
        self.handover_ns = 0
        for _ in range(PROBES):
            self.are_whole()
            time.sleep(0.1)

    def are_whole(self):
        took = float(run([self.program, str(self.threads)], self.environment).split()[1])
        handed = self.handover()
        self.times.append(took)
        self.handovers.append(handed)
        places = self.handover_ns or usual(self.handovers, SAME_PLACES)
        return (1 / WHOLE_CORES <= took / usual(self.times, WHOLE_CORES) <= WHOLE_CORES
                and places / SAME_PLACES <= handed <= places * SAME_PLACES)


def plain_environment():
    """This process's environment without the user's settings of the runtimes."""
    return {key: value for key, value in os.environ.items()
            if not key.startswith(("OMP_", "KMP_", "LIBOMP_", "GOMP_", "TBB_", "PROPHET_"))}


class Medians:
    """Times of runs by configuration, in `seconds`."""

    def __init__(self):
        self.seconds = {}

    def add(self, name, seconds):
        self.seconds.setdefault(name, []).append(seconds)

    def median(self, name):
        return statistics.median(self.seconds[name])

    def spread(self, name):
        """Interquartile range over median."""
        low, _, high = statistics.quantiles(self.seconds[name], n=4)
        return (high - low) / self.median(name)

    def speedup(self, name):
        return self.median("serial") / self.median(name)


def add_arguments(parser, rounds, rounds_help):
    """Those of every program that measures; and what check_arguments() looks at."""
    parser.add_argument("--build", type=Path, default=TOP / "build" / "opt",
                        help="build directory of Prophet (default: build/opt)")
    parser.add_argument("--compiler", default="clang-19")
    parser.add_argument("--rounds", type=int, default=rounds, help=f"{rounds_help} (default: {rounds})")


def add_quiet_arguments(parser, known):
    """Those of programs that repeat what others disturb, for examples of the names `known`."""
    parser.add_argument("--patience", type=float, default=60, metavar="SECONDS",
                        help="how long each example's runs are repeated that other programs "
                        "disturb (default: 60)")
    parser.add_argument("--realtime", action="store_true",
                        help="run with real-time priority, so that other programs wait; needs root")
    parser.add_argument("--whole-cores", action="store_true",
                        help="repeat runs, too, before or after which the processors are not as fast, or not as far "
                        "from each other, as usual: the host of a virtual machine may have them share cores, and move "
                        "them, every few seconds")
    parser.add_argument("names", nargs="*", metavar="EXAMPLE",
                        help=f"of {', '.join(known)} (default: all of them)")


def check_arguments(parser, options):
    """Ends the program where it cannot do what it is to; returns the path of `prophet`."""
    options.build = options.build.resolve()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2, or there is no spread to show")
    prophet = options.build / "bin" / "prophet"
    if not prophet.exists():
        die(f"{options.build} holds no build of Prophet; run ./bootstrap build, or give --build")
    return prophet


def check_names(parser, options, known):
    """Of examples."""
    for name in options.names:
        if name not in known:
            parser.error(f"there is no example '{name}'; choose from {', '.join(known)}")


def check_quiet_arguments(parser, options, known, threads):
    """Of add_quiet_arguments(), for measurements of `threads` threads. Takes the processors."""
    check_names(parser, options, known)
    if (cores := len(os.sched_getaffinity(0))) < threads:
        die(f"this machine offers {cores} core{'s' if cores > 1 else ''}; measuring {threads} threads needs {threads}")
    if options.realtime and options.whole_cores:
        parser.error("--realtime repeats no runs; leave out --whole-cores")
    if options.realtime:
        take_the_processors(options)


def take_the_processors(options):
    """Real-time priority for this process and its children; then no run has to be repeated."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError:
        die("--realtime needs root, or the right to set a real-time priority")
    options.patience = 0
