#!/usr/bin/env python3
"""Damaged annotated programs: no crash, no hang, and what compiles does what it did.

Two kinds of damage. `tokens`: pragma lines, tokens and braces of whole sources are deleted, doubled,
exchanged and inserted at random, and files are cut off; the plugin and prophet-rewrite must end by
themselves, and must not accept what Clang does not. `pragmas`: pragma lines are inserted, deleted and
doubled in random functions (random_programs.py) whose code stays as it is; functions that are
refused are taken out, and what is left must print the same with the plugin, from prophet-rewrite
by every compiler, and plain. The same seed gives the same programs. To run many:

  python3 test/plugin/Inputs/mutated_programs.py --tokens 1000 --functions 5000 \\
    --build build/dev --llvm-bin /usr/lib/llvm-19/bin --include runtime/include --work mutated \\
    examples/*.c test/plugin/*.c test/plugin/*.cpp test/rewriter/*.c test/rewriter/*.cpp
"""
import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys

import random_programs

PER_FILE = 50
SECONDS = 30

DIRECTIVES = [
    "parallel for", "parallel for name(a) nowait", "parallel for cancel", "critical", "critical(a)",
    "parallel for collapse(2)", "parallel for schedule(dynamic, 2) reduction(+ : x)",
    "parallel sections", "parallel sections nowait", "section", "section", "section name(b)", "task",
    "task", "task name(t)", "taskwait", "taskwait", "parallel tasks", "parallel tasks name(p)",
    "atomic", "pause", "resume", "barrier"]
WRONG = ["parallel", "sectoin", "for", "critical(", "task nowait", "collapse(0)", "",
         'parallel for name("', "parallel for if(", "taskwait name(a)"]
OPENMP = [
    "parallel for", "for", "for nowait", "parallel", "single", "single nowait", "master", "simd",
    "critical", "critical(a)", "atomic", "atomic read", "parallel sections", "sections", "section",
    "task", "task if(x)", "taskwait", "taskgroup", "taskloop", "barrier", "ordered", "flush",
    "parallel for collapse(2)", "parallel for schedule(monotonic: dynamic)", "parallel for ordered",
    "target teams distribute parallel for", "cancel for"]
PIECES = ["{", "}", "(", ")", ";", "if (x)", "else", "for (int i = 0; i < 2; i++)", "case 1:",
          "default:", "break;", "continue;", "return 0;", "goto out;", "out:", "do", "while (0);",
          "switch (x)", "[[", "]]", "[[likely]]", "__attribute__((unused))", "int y = 1;", "x++;",
          "#if 0\n", "#endif\n", "#define M(a) a\n", "M(", "\\\n", "try {", "} catch (...) {",
          "[&] {", "template <typename T>", "struct S {", "static_assert(1);", "_Pragma(", '"',
          "/*", "*/", "co_await x;", "asm(\"\");", "__extension__", "({", "})", "?:", ",", "::"]
TOKEN = re.compile(r'#[^\n]*\n|"(?:\\.|[^"\\\n])*"|\w+|\s+|//[^\n]*|.', re.DOTALL)
CRASH = re.compile(r"PLEASE submit a bug report|Stack dump|AddressSanitizer|Assertion .* failed")


class Broken(Exception):
    """A promise that was not kept."""


def run(command, seconds=SECONDS, **options):
    """Exit status and output; an exception where it crashed or did not end."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=seconds, stdin=subprocess.DEVNULL, check=False, **options)
    except subprocess.TimeoutExpired:
        raise Broken(f"did not end in {seconds} s: {' '.join(command)}") from None
    if done.returncode < 0 or done.returncode >= 128 or CRASH.search(done.stderr):
        raise Broken(f"crashed: {' '.join(command)}\n{done.stderr[-3000:]}")
    return done


class Tools:
    def __init__(self, args):
        self.args = args
        self.plugin = ["-fplugin=" + os.path.join(args.build, "lib", "prophet.so"),
                       *["-fplugin-arg-prophet-openmp"] * args.openmp]
        self.rewriter = os.path.join(args.build, "bin", "prophet-rewrite")
        self.prophet = os.path.join(args.build, "bin", "prophet")
        self.libraries = os.path.join(args.build, "lib")
        os.makedirs(args.work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.args.work, name)

    def flags(self, source):
        cxx = source.endswith(".cpp")
        return ["-std=c++20" if cxx else "-std=c17", "-w", "-ferror-limit=0", *self.args.flag,
                *("-I" + directory for directory in self.args.include.split(","))]

    def clang(self, source, *more):
        cxx = source.endswith(".cpp")
        return [self.args.llvm_bin + ("/clang++" if cxx else "/clang"), "-fno-crash-diagnostics",
                "-fintegrated-cc1", *self.flags(source), *more, source]

    def rewrite(self, source, target):
        return [self.rewriter, *["--from-openmp"] * self.args.openmp, source, "-o", target, "--", *self.flags(source)]


class Damage:
    """Changes to one text, drawn from one seed."""

    def __init__(self, seed, openmp):
        self.random, self.openmp = random.Random(seed), openmp

    def pragma(self, wrong=0.1):
        dialect = "omp" if self.openmp and self.random.random() < 0.7 else "prophet"
        words = self.random.choice(WRONG if self.random.random() < wrong else
                                   OPENMP if dialect == "omp" else DIRECTIVES)
        if self.random.random() < 0.2:
            return f'_Pragma("{dialect} ' + words.replace('"', '\\"') + '")\n'
        return f"\n#pragma {dialect} {words}\n"

    def tokens(self, text):
        tokens = TOKEN.findall(text)
        for _ in range(self.random.choice([1, 1, 2, 3, 6, 12])):
            self.change(tokens)
        text = "".join(tokens)
        if self.random.random() < 0.1:
            text = text[:self.random.randrange(len(text) + 1)]
        return text

    def change(self, tokens):
        at = self.random.randrange(len(tokens))
        pragmas = [n for n, token in enumerate(tokens) if token.startswith(("#pragma prophet", "#pragma omp"))]
        kind = self.random.randrange(8)
        if kind == 0:
            del tokens[at:at + self.random.choice([1, 1, 2, 5])]
        elif kind == 1:
            tokens[at:at] = tokens[at:at + self.random.choice([1, 2, 5])]
        elif kind == 2:
            tokens[at] = self.random.choice(tokens)
        elif kind == 3:
            tokens.insert(at, " " + self.random.choice(PIECES) + " ")
        elif kind in (4, 5) or not pragmas:
            tokens.insert(at, self.pragma())
        elif kind == 6:
            tokens[self.random.choice(pragmas)] = self.pragma()
        else:
            at = self.random.choice(pragmas)
            tokens.insert(self.random.choice(pragmas), tokens[at])
        if not tokens:
            tokens.append(" ")

    def pragmas(self, lines):
        """`lines` of one function with other pragmas."""
        lines = list(lines)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            at = self.random.randrange(1, len(lines))
            kind = self.random.randrange(5)
            if kind == 0 and lines[at].startswith("#pragma"):
                del lines[at]
            elif kind == 1 and lines[at].startswith(("#pragma", "PARALLEL", "CRITICAL")):
                lines.insert(at, lines[at])
            elif kind == 2 and lines[at].startswith("#pragma"):
                lines[at] = self.pragma(0).strip()
            else:
                lines[at:at] = self.pragma(0).strip().split("\n")
        return lines


class Fuzzer:
    def __init__(self, args):
        self.tools, self.args = Tools(args), args
        self.count, self.refusals = collections.Counter(), collections.Counter()

    # -- whole sources ----------------------------------------------------------------------------

    def damaged_source(self, number):
        damage = Damage(f"{self.args.seed}/tokens/{number}", self.args.openmp)
        seed = damage.random.choice(self.args.sources)
        with open(seed, encoding="utf-8", errors="replace") as file:
            text = damage.tokens(file.read())
        source = self.tools.path("damaged" + os.path.splitext(seed)[1])
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        where = ["-I" + os.path.dirname(seed)]
        self.check_front_end(source, where)

    def check_front_end(self, source, where):
        with_plugin = self.tools.clang(source, *where, "-fsyntax-only", *self.tools.plugin)
        rewrite = self.tools.rewrite(source, self.tools.path("rewritten")) + where
        plain = self.tools.clang(source, *where, "-fsyntax-only")
        try:
            accepted = run(with_plugin)
            rewritten = run(rewrite)
        except Broken:
            run(plain)  # where Clang by itself crashes, this ends here as Clang's own
            raise
        self.count["sources"] += 1
        if accepted.returncode != 0:
            return
        self.count["sources that compile"] += 1
        if run(plain).returncode != 0:
            raise Broken("accepted with the plugin, but not without: " + " ".join(plain))
        if rewritten.returncode != 0 and "compile with the plugin instead" not in rewritten.stderr:
            raise Broken("accepted by the plugin, not by prophet-rewrite: " + rewritten.stderr)

    # -- functions --------------------------------------------------------------------------------

    def damaged_functions(self, number, count):
        exceptions = number % 3 == 0
        damage = Damage(f"{self.args.seed}/pragmas/{number}", self.args.openmp)
        text, _ = random_programs.make_file(f"{self.args.seed}/{number}", 0, count, exceptions)
        preamble, *functions = re.split(r"^(?=static int f\d+\(void\))", text, flags=re.MULTILINE)
        functions[-1], main = functions[-1].split("int main(void)")
        functions = [damage.pragmas(f.rstrip().split("\n")) for f in functions]
        source = self.tools.path("functions.cpp" if exceptions or number % 3 == 1 else "functions.c")
        self.count["functions"] += len(functions)
        kept = self.keep_compiling(source, preamble, functions)
        self.count["functions that compile"] += len(kept)
        if kept:
            self.check_output(source)

    def write(self, source, preamble, functions):
        """Writes the program; returns the first line of each function."""
        lines, firsts = preamble.split("\n")[:-1], []
        for function in functions:
            firsts.append(len(lines) + 1)
            lines += function
        calls = [re.match(r"static int (f\d+)", function[0])[1] for function in functions]
        lines += ["int main(void) {"]
        lines += [f'  printf("{call}\\n"); x = 0; {call}();' for call in calls]
        lines += ["  return 0;", "}", ""]
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        return firsts

    def keep_compiling(self, source, preamble, functions):
        """Takes out the functions that the plugin refuses, and writes the program of the others."""
        for _ in range(5):
            firsts = self.write(source, preamble, functions)
            done = run(self.tools.clang(source, "-fsyntax-only", *self.tools.plugin))
            if done.returncode == 0:
                return functions
            name = re.escape(source)
            bad = set()
            for line, text in re.findall(rf"^{name}:(\d+):\d+: (?:fatal )?error: (.*)$", done.stderr,
                                         flags=re.MULTILINE):
                self.refusals[re.sub(r"'[^']*'|\d+", "...", text)] += 1
                bad.add(sum(first <= int(line) for first in firsts) - 1)
            if not bad:
                raise Broken("an error at no line of the file: " + done.stderr)
            functions = [f for n, f in enumerate(functions) if n not in bad]
            if not functions:
                return functions
        raise Broken("errors do not go away: " + done.stderr)

    def output(self, program, how, libraries=None):
        tree = self.tools.path("tree.json")
        environment = dict(os.environ, PROPHET_OUT=tree)
        if libraries:
            environment["LD_LIBRARY_PATH"] = libraries
        if os.path.exists(tree):
            os.remove(tree)
        done = run([program], env=environment)
        if done.returncode != 0 or done.stderr:
            raise Broken(f"{how}: status {done.returncode}: {done.stderr}")
        if os.path.exists(tree):
            self.count["trees"] += 1
            if run([self.tools.prophet, "tree", tree]).returncode != 0:
                raise Broken(f"{how}: its program tree is refused")
        return done.stdout

    def must_run(self, command):
        done = run(command)
        if done.returncode != 0:
            raise Broken(f"{' '.join(command)}\n{done.stderr}")

    def check_output(self, source):
        program = self.tools.path("program")
        level = "-O" + str(self.count["programs"] % 3)
        self.count["programs"] += 1
        self.must_run(self.tools.clang(source, level, "-o", program))
        expected = self.output(program, "plain")
        self.must_run(self.tools.clang(source, level, *self.tools.plugin, "-o", program))
        self.compare("plugin", expected, self.output(program, "plugin"))
        rewritten = self.tools.path("rewritten" + os.path.splitext(source)[1])
        self.must_run(self.tools.rewrite(source, rewritten))
        cxx = source.endswith(".cpp")
        for compiler in (self.args.llvm_bin + "/clang", shutil.which("gcc")):
            if compiler:
                self.must_run([compiler + "++" if compiler.endswith("clang") and cxx else
                               compiler.replace("gcc", "g++") if cxx else compiler,
                               "-std=c++20" if cxx else "-std=c17", "-w", level, "-I",
                               self.args.include.split(",")[0], rewritten, "-o", program, "-L",
                               self.tools.libraries, "-lprophet"])
                how = "rewritten, " + os.path.basename(compiler)
                self.compare(how, expected, self.output(program, how, self.tools.libraries))

    @staticmethod
    def compare(how, expected, got):
        if got != expected:
            difference = random_programs.first_difference(got.splitlines(), expected.splitlines())
            raise Broken(f"{how}: another output: {difference}")

    def attempt(self, what, number, *rest):
        try:
            what(number, *rest)
        except Broken as broken:
            print(f"{what.__name__} {number}: {broken}\n", flush=True)
            self.count["broken"] += 1
            for name in os.listdir(self.args.work):
                if name.startswith(("damaged", "functions")):
                    kept = f"broken-{what.__name__}-{number}-{name}"
                    shutil.copy(self.tools.path(name), self.tools.path(kept))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--build", "--llvm-bin", "--include", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("--tokens", type=int, default=100, help="how many sources (default 100)")
    parser.add_argument("--functions", type=int, default=100, help="how many functions (default 100)")
    parser.add_argument("--first", type=int, default=0, help="number of the first ones (default 0)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--flag", action="append", default=[], help="for the compiler; repeatable")
    parser.add_argument("--openmp", action="store_true", help="OpenMP's pragmas, too, as annotations")
    parser.add_argument("--refusals", action="store_true", help="show why functions were refused")
    parser.add_argument("sources", nargs="+")
    args = parser.parse_args()

    fuzzer = Fuzzer(args)
    for number in range(args.first, args.first + args.tokens):
        fuzzer.attempt(fuzzer.damaged_source, number)
    for number in range(args.first, args.first + args.functions // PER_FILE):
        fuzzer.attempt(fuzzer.damaged_functions, number, PER_FILE)
    if args.refusals:
        for text, times in fuzzer.refusals.most_common():
            print(f"{times:6} {text}")
    print(", ".join(f"{times} {what}" for what, times in fuzzer.count.items()))
    sys.exit(1 if fuzzer.count["broken"] else 0)


if __name__ == "__main__":
    main()
