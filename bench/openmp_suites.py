#!/usr/bin/env python3
"""Compiles and runs the programs of public OpenMP suites as they are with --from-openmp.

  bench/openmp_suites.py --suites DIR --prophet build/dev/bin/prophet

Every program is built twice: by plain Clang without OpenMP (the reference; the calls of omp.h come
from libomp) and by `prophet cc --from-openmp` with the -fopenmp that its makefile would pass. A
program is good where the second compiles, prints what the first prints (times and dates aside), and
writes a complete tree with sections in it, of which no event was misplaced, and which `prophet
tree` and, where it has no tasks, `prophet predict` read. "By hand" are programs that print the
same and share out all work by hand, of which the plugin warned: there is nothing to record. Prints
one row for each program, then totals. Exit status 1 where a program is neither.
openmp_programs.py says where the suites come from.
"""
import argparse
import collections
import concurrent.futures
import difflib
import json
import os
import re
import shutil
import subprocess
import sys

from openmp_programs import SUITES

#: Lines that differ from run to run: times, rates, addresses, the machine's load.
TIMELY = re.compile(r"time|second|m(fl)?op|date|perform|rate|speed|elapsed|flags|compil|thread|"
                    r"num_procs|\bms\b|\bus\b|GB/s|processor|load avg|/sec|0x[0-9a-f]{6}| took |"
                    r"\d s(,|$)|z/s", re.I)
#: In OmpSCR's table of results a time is a number with six decimals.
#: In the plugin's warning of work that it cannot see.
BY_HAND = "shared out by hand"
TABLE_TIME = re.compile(r"\b\d+\.\d{6}(?!\d)")
TEXT = dict(capture_output=True, text=True, errors="replace")


class Failure(Exception):
    pass


def call(command, what, seconds=120, **options):
    try:
        done = subprocess.run(command, timeout=seconds, **TEXT, **options)
    except subprocess.TimeoutExpired:
        raise Failure(f"{what}: longer than {seconds} s") from None
    return done


def must(command, what, **options):
    done = call(command, what, **options)
    if done.returncode != 0:
        said = done.stderr.splitlines()
        lines = [l for l in said if re.search("error:|undefined|multiple", l)] or said
        raise Failure(f"{what}: " + (lines[0] if lines else f"exit status {done.returncode}"))
    return done


class Runner:
    def __init__(self, args, program, folder):
        self.args, self.program, self.folder = args, program, folder
        self.work = os.path.join(args.work, program.suite, program.name.replace(" ", "-"))

    def language(self):
        return "C++" if self.program.sources[0].endswith((".cpp", ".cc")) else "C"

    def prepare(self):
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        if self.program.header:
            source, arguments = self.program.header
            made = os.path.join(self.work, "header", "made")
            os.makedirs(made)
            os.makedirs(os.path.join(self.work, "header", "config"))
            with open(os.path.join(self.work, "header", "config", "make.def"), "w") as file:
                file.write("CC = cc\nCLINK = cc\n")
            tool = os.path.join(self.work, "tool")
            must([self.clang(source), *self.common(), "-w", os.path.join(self.folder, source),
                  "-lm", "-o", tool], "header tool")
            must([tool, *arguments], "header", cwd=made)

    def clang(self, source):
        return os.path.join(self.args.llvm, "bin",
                            "clang++" if source.endswith((".cpp", ".cc")) else "clang")

    def common(self):
        """What every source needs: the macro that -fopenmp would define, and C as it once was."""
        return ["-D_OPENMP=201511", *(["-std=gnu89"] if self.language() == "C" else [])]

    def flags(self):
        flags = ["-O2", *self.common(), "-I" + os.path.join(self.work, "header", "made")]
        for flag in self.program.flags:
            flags.append("-I" + os.path.join(self.folder, flag[2:]) if flag[:2] == "-I" else flag)
        return flags + [os.path.join(self.folder, source) for source in self.program.sources]

    def reference(self):
        library = os.path.join(self.args.llvm, "lib")
        program = os.path.join(self.work, "reference")
        link = ["-L" + library, "-lomp", "-Wl,-rpath," + library, "-lm", "-o", program]
        must([self.clang(self.program.sources[0]), "-w", *self.flags(),
              *(link if self.program.runs else ["-fsyntax-only"])], "reference build")
        return program

    def profiled(self):
        program = os.path.join(self.work, "profiled")
        verb = "c++" if self.language() == "C++" else "cc"
        done = must([self.args.prophet, verb, "--from-openmp", "-fopenmp", "-Wno-everything",
                     "-Wbackend-plugin",
                     *self.flags(),
                     *(["-lm", "-o", program] if self.program.runs else ["-fsyntax-only"])],
                    "build")
        return program, re.findall(r"warning: (.*) \[-Wbackend-plugin\]", done.stderr)

    def run(self, program, where):
        cwd = os.path.join(self.work, "runs", where, "a", "b")
        for name, text in {".": "", **self.program.inputs}.items():
            path = os.path.join(cwd, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if text:
                with open(path, "w") as file:
                    file.write(text)
        arguments = [a.replace("SUITE", self.folder) for a in self.program.arguments]
        tree = os.path.join(self.work, "tree.json")
        same = shutil.copy(program, os.path.join(self.work, "program"))  # it may print its name
        done = call([same, *arguments], "run", cwd=cwd,
                    env=dict(os.environ, OMP_NUM_THREADS="1", PROPHET_OUT=tree))
        said = [done.stdout, done.stderr]
        for name in self.program.outputs:
            path = os.path.join(cwd, name)
            if os.path.exists(path):
                with open(path, errors="replace") as file:
                    said.append(file.read())
        lines = "\n".join(said).splitlines()
        return done.returncode, [TABLE_TIME.sub("TIME", l) for l in lines
                                 if not TIMELY.search(l) and "prophet:" not in l]

    def compare(self, reference, profiled):
        if reference[0] != profiled[0]:
            raise Failure(f"exit status {profiled[0]}, the reference's is {reference[0]}")
        for line in difflib.unified_diff(reference[1], profiled[1], lineterm="", n=0):
            if line[:1] in "+-" and line[:3] not in ("+++", "---"):
                raise Failure("output differs: " + line[:60])

    def tree(self, warnings):
        """How many sites of each kind the tree has; None where there is nothing to record."""
        path = os.path.join(self.work, "tree.json")
        if not os.path.exists(path) and any(BY_HAND in w for w in warnings):
            return None
        if not os.path.exists(path):
            raise Failure("no tree was written")
        with open(path) as file:
            tree = json.load(file)
        must([self.args.prophet, "tree", path], "prophet tree")
        if not tree["complete"]:
            raise Failure("the tree is incomplete")
        wrong = {counter: number for counter, number in tree["profiler"].items()
                 if number and re.search("drop|misplac|mismatch|other_thread|memory", counter)}
        if wrong:
            raise Failure(f"the profiler counted {wrong}")
        kinds = collections.Counter(site["kind"] for site in tree["sites"])
        if not kinds:
            raise Failure("the tree has no section")
        if not kinds["tasks"]:
            must([self.args.prophet, "predict", path, "--quiet"], "prophet predict")
        return kinds

    def judge(self):
        """What became of the program: a word and remarks, and the warnings."""
        try:
            self.prepare()
            reference = self.reference()
            # Programs that print what was never written differ from themselves.
            first = second = None
            if self.program.runs:
                first, second = self.run(reference, "first"), self.run(reference, "second")
        except Failure as failure:
            return "no reference", str(failure), []
        if first and first[0] < 0:
            return "no reference", f"the reference dies of signal {-first[0]}", []
        if first != second:
            return "no reference", "two runs of the reference differ", []
        warnings = []
        try:
            profiled, warnings = self.profiled()
            if not self.program.runs:
                return "compiled", "no input", warnings
            self.compare(first, self.run(profiled, "profiled"))
            kinds = self.tree(warnings)
            if kinds is None:
                return "by hand", "all work is shared out by hand", warnings
            return "good", ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())), warnings
        except Failure as failure:
            return "BAD", str(failure), warnings


def kind_of(warning):
    """A warning without the names in it, to be counted by."""
    return re.sub(r"line \d+", "line N", warning)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", required=True, help="folder with the suites' checkouts")
    parser.add_argument("--prophet", required=True)
    parser.add_argument("--llvm", default="/usr/lib/llvm-19")
    parser.add_argument("--work", default="openmp-suites.work")
    parser.add_argument("--only", default="", help="regular expression on SUITE/PROGRAM")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    args.work, args.prophet = os.path.abspath(args.work), os.path.abspath(args.prophet)

    runners = []
    for suite, (below, programs) in SUITES.items():
        folder = os.path.abspath(os.path.join(args.suites, below))
        if not os.path.isdir(folder):
            print(f"{suite}: not in {args.suites}, left out", file=sys.stderr)
            continue
        runners += [Runner(args, p, folder) for p in programs(folder)
                    if re.search(args.only, f"{suite}/{p.name}")]
    totals, kinds = collections.defaultdict(collections.Counter), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for runner, (word, remark, warnings) in zip(runners, pool.map(Runner.judge, runners)):
            print(f"{runner.program.suite:14} {runner.program.name:24} {word:13} {remark}"
                  + (f"; {len(warnings)} warnings" if warnings else ""), flush=True)
            totals[runner.program.suite][word] += 1
            kinds.update(map(kind_of, warnings))
    print("\n| suite | programs | good | by hand | compiled, no input | no reference | bad |"
          "\n|---|---|---|---|---|---|---|")
    everything = sum(totals.values(), collections.Counter())
    for suite, count in [*totals.items(), ("all", everything)]:
        print(f"| {suite} | {sum(count.values())} | {count['good']} | {count['by hand']} | "
              f"{count['compiled']} | {count['no reference']} | {count['BAD']} |")
    print()
    for warning, count in kinds.most_common():
        print(f"{count:5} {warning}")
    sys.exit(1 if everything["BAD"] else 0)


if __name__ == "__main__":
    main()
