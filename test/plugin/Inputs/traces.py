#!/usr/bin/env python3
"""Builds an annotated program in every way there is and prints its trace of events.

The plugin at -O0 and -O2, and what prophet-rewrite prints compiled by Clang and by GCC, for each
language standard asked for: every build must print the same, or the differences are shown and the
exit status is 1. Standard output is the program's own, with Inputs/trace-runtime.c's lines in it.
"""
import argparse
import difflib
import os
import shutil
import subprocess
import sys


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}exit status {done.returncode}")
    return done.stdout


def spelled(standard):
    """The name that the newest standards had before they were published, which every compiler knows."""
    return {"c23": "c2x", "c++23": "c++2b"}.get(standard, standard)


class Builder:
    def __init__(self, args):
        self.args = args
        self.openmp = getattr(args, "openmp", False)
        os.makedirs(args.work, exist_ok=True)
        self.runtime = os.path.join(args.work, "libtrace.so")
        run([args.llvm_bin + "/clang", "-shared", "-fPIC", "-I", args.include, "-o", self.runtime,
             os.path.join(os.path.dirname(os.path.abspath(__file__)), "trace-runtime.c")])

    def trace(self, program):
        return run([program], env=dict(os.environ, PROPHET_RUNTIME=self.runtime))

    def with_plugin(self, source, standard, level):
        program = os.path.join(self.args.work, "plugin")
        openmp = ["-fplugin-arg-prophet-openmp"] if self.openmp else []
        run([self.clang(standard), "-fplugin=" + self.args.plugin, *openmp, "-std=" + spelled(standard), level,
             *self.args.flags, "-xc++" if "++" in standard else "-xc", source, "-o", program])
        return self.trace(program)

    def rewritten(self, source, standard, compiler):
        extension = ".cpp" if "++" in standard else ".c"
        text = os.path.join(self.args.work, "rewritten" + extension)
        program = os.path.join(self.args.work, "program")
        openmp = ["--from-openmp"] if self.openmp else []
        run([self.args.rewrite, *openmp, source, "-o", text, "--", "-std=" + spelled(standard), *self.args.flags,
             "-xc++" if "++" in standard else "-xc"])
        run([compiler, "-std=" + spelled(standard), *self.args.flags, "-I",
             self.args.include, "-I", os.path.dirname(source), text, self.runtime, "-o", program])
        return self.trace(program)

    def clang(self, standard):
        return self.args.llvm_bin + ("/clang++" if "++" in standard else "/clang")

    def traces(self, source):
        for standard in self.args.std.split(","):
            for level in self.args.levels.split(","):
                yield f"plugin {standard} {level}", self.with_plugin(source, standard, level)
            compilers = [self.clang(standard)]
            gcc = shutil.which("g++" if "++" in standard else "gcc")
            if gcc and not self.args.no_gcc:
                compilers.append(gcc)
            for compiler in compilers:
                yield (f"prophet-rewrite {standard} {os.path.basename(compiler)}",
                       self.rewritten(source, standard, compiler))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--plugin", "--rewrite", "--llvm-bin", "--include", "--work", "--std"):
        parser.add_argument(option, required=True)
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--no-gcc", action="store_true", help="for what only Clang accepts")
    parser.add_argument("--openmp", action="store_true", help="OpenMP pragmas are annotations too")
    parser.add_argument("source")
    parser.add_argument("flags", nargs="*", help="compiler flags, after --")
    args = parser.parse_args()

    first = None
    for how, trace in Builder(args).traces(args.source):
        if first is None:
            first = how, trace
        elif trace != first[1]:
            sys.stdout.writelines(difflib.unified_diff(
                first[1].splitlines(True), trace.splitlines(True), first[0], how))
            sys.exit(1)
    sys.stdout.write(first[1])


if __name__ == "__main__":
    main()
