#!/usr/bin/env python3
"""Random annotated functions against an interpreter that knows what their trace must be.

Each function is a random tree of annotated statements, loops, branches, switches, in C++ lambdas and
handlers, and every kind of jump that is legal where it stands. It is printed as C, built in every way (traces.py), and
interpreted here: the trace and the program's own output must be the interpreter's, line by line.
The same seed gives the same functions. To run many:

  python3 test/plugin/Inputs/random_programs.py --count 10000 --plugin build/dev/lib/prophet.so \\
    --rewrite build/dev/bin/prophet-rewrite --llvm-bin /usr/lib/llvm-19/bin \\
    --include runtime/include --work random-programs
"""
import argparse
import os
import random
import re
import subprocess
import sys

import traces

PER_FILE = 100


class Leave(Exception):
    """A jump on its way: `kind` is break, continue, return, throw or a label's name."""

    def __init__(self, kind):
        self.kind = kind


class State:
    def __init__(self):
        self.x, self.depth, self.lines = 0, 0, []
        self.tasks_open = False  # in the innermost scope of tasks

    def event(self, text):
        self.lines.append("  " * self.depth + text)

    def inside(self, kind, what, body):
        self.event(f"{kind} {what}" if what else kind)
        self.depth += 1
        try:
            body()
        finally:
            self.depth -= 1
            self.event("end " + kind)


    def scope(self, body, is_open=False):
        """What holds tasks of its own, and closes their section however it ends."""
        around, self.tasks_open = self.tasks_open, is_open
        try:
            body()
        finally:
            self.wait()
            self.tasks_open = around

    def wait(self):
        if self.tasks_open:
            self.tasks_open = False
            self.depth -= 1
            self.event("end section")

    def open_tasks(self, what):
        self.event("section " + what)
        self.depth += 1

    def task(self, body):
        self.inside("task", "", lambda: self.scope(body))


class Generator:
    """Makes (text, action) pairs: C statements and what they do to a State.

    `around` is what encloses the statement, outermost first: "loop", "switch", "marked" (an annotated
    loop), "cancel" (one that may be left), "block" (sections or tasks), "part" (of one, or of one that
    may be left), "task", "lock", "try", or a label's name.
    """

    def __init__(self, seed, number, exceptions):
        self.random = random.Random(f"{seed}/{number}")
        self.exceptions = exceptions
        self.names = 0

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def function(self, number):
        self.budget = 40
        text, act = self.block([], 0)
        body = f"static int f{number}(void) {text[:-1]}  return 0;\n}}\n"

        def run(state):
            try:
                state.scope(lambda: act(state))
            except Leave as leave:
                assert leave.kind == "return", leave.kind
        return body, run

    def statement(self, around, depth):
        self.budget -= 1
        leaf = depth > 6 or self.budget < 0
        choices = [self.emit, self.emit, self.jump] if leaf else [
            self.emit, self.jump, self.block, self.branch, self.branch, self.loop, self.loop,
            self.while_loop, self.switch, self.marked, self.marked, self.critical, self.critical,
            self.atomic, self.sections, self.tasks, self.task, self.task, self.task]
        if self.exceptions and not leaf:
            choices += [self.handler, self.handler, self.in_lambda, self.in_lambda]
        return self.random.choice(choices)(around, depth + 1)

    def emit(self, around, depth):
        step = self.random.randrange(1, 50)

        def act(state):
            state.x = (state.x * 3 + step) % 101
            state.lines.append(f"x {state.x}")
        return f"emit({step});", act

    def condition(self):
        modulus = self.random.randrange(2, 5)
        rest = self.random.randrange(modulus)
        return f"x % {modulus} == {rest}", lambda state: state.x % modulus == rest

    def jump(self, around, depth):
        """A jump under a condition, if one is legal here, or else a statement without one."""
        legal = []
        breaks = continues = leaves = True
        for a in reversed(around):
            if a in ("task", "block"):
                leaves = False
                break
            if a in ("loop", "cancel", "switch") and breaks:
                legal.append(("break;", "break"))
            if a in ("loop", "cancel", "marked") and continues:
                legal.append(("continue;", "continue"))
            breaks = breaks and a not in ("loop", "cancel", "marked", "switch")
            continues = continues and a not in ("loop", "cancel", "marked")
            if a == "marked":
                leaves = False
                break
            if a.startswith("label"):
                legal.append((f"goto {a};", a))
        if leaves:
            legal.append(("return x;", "return"))
        if "try" in around:
            legal.append(("throw 1;", "throw"))
        if not legal:
            return self.emit(around, depth)
        text, kind = self.random.choice(legal)
        condition, holds = self.condition()

        def act(state):
            if holds(state):
                raise Leave(kind)
        return f"if ({condition}) {text}", act

    def block(self, around, depth):
        label = self.fresh("label") if self.random.random() < 0.3 else None
        inside = around + [label] if label else around
        parts = [self.alone(inside) if self.random.random() < 0.15 else self.statement(inside, depth)
                 for _ in range(self.random.randrange(1, 4))]

        def act(state):
            try:
                for _, part in parts:
                    part(state)
            except Leave as leave:
                if leave.kind != label:
                    raise
        end = f"  goto {label}; {label}:;\n" if label else ""
        return "{\n" + "".join(text + "\n" for text, _ in parts) + end + "}", act

    def branch(self, around, depth):
        condition, holds = self.condition()
        then, act_then = self.statement(around, depth)
        other, act_other = self.statement(around, depth)
        if self.random.random() < 0.5:  # with braces, `then` cannot take the else to itself
            then = "{\n" + then + "\n}"
            if self.random.random() < 0.3:
                return f"if ({condition})\n{then}", lambda s: act_then(s) if holds(s) else None
            return (f"if ({condition})\n{then}\nelse\n{other}",
                    lambda s: act_then(s) if holds(s) else act_other(s))
        return f"if ({condition}) {{ emit(1); }}\nelse\n{other}", lambda s: (
            self.emit_one(s) if holds(s) else act_other(s))

    @staticmethod
    def emit_one(state):
        state.x = (state.x * 3 + 1) % 101
        state.lines.append(f"x {state.x}")

    def iterate(self, count, act, state):
        for _ in range(count):
            try:
                act(state)
            except Leave as leave:
                if leave.kind == "break":
                    return
                if leave.kind != "continue":
                    raise

    def header(self, count):
        i = self.fresh("i")
        if self.exceptions and self.random.random() < 0.5:
            return f"for (int {i} : Range{{{count}}})\n"
        return f"for (int {i} = 0; {i} < {count}; {i}++)\n"

    def loop(self, around, depth):
        count = self.random.randrange(4)
        text, act = self.statement(around + ["loop"], depth)
        return self.header(count) + text, lambda s: self.iterate(count, act, s)

    def while_loop(self, around, depth):
        i = self.fresh("i")
        text, act = self.statement(around + ["loop"], depth)
        count = self.random.randrange(1, 3)
        if self.random.random() < 0.5:
            loop = f"while ({i}++ < {count})\n{text}"
        else:
            loop = f"do\n{text}\nwhile (++{i} < {count});"
        return f"{{ int {i} = 0;\n{loop} }}", lambda s: self.iterate(count, act, s)

    def switch(self, around, depth):
        cases = [self.statement(around + ["switch"], depth) for _ in range(3)]
        ends = [self.random.random() < 0.5 for _ in range(3)]
        text = "switch (x % 3) {\n"
        for n, (case, _) in enumerate(cases):
            text += ("default:" if n == 2 else f"case {n}:") + f"\n{case}\n"
            text += "break;\n" if ends[n] else ""

        def act(state):
            try:
                for n in range(state.x % 3, 3):
                    cases[n][1](state)
                    if ends[n]:
                        return
            except Leave as leave:
                if leave.kind != "break":
                    raise
        return text + "}", act

    def handler(self, around, depth):
        text, act = self.statement(around + ["try"], depth)
        caught, act_caught = self.statement(around, depth)

        def run(state):
            try:
                act(state)
            except Leave as leave:
                if leave.kind != "throw":
                    raise
                act_caught(state)
        return f"try {{\n{text}\n}} catch (int) {{\n{caught}\n}}", run

    def pragma(self, directive, macro):
        """The pragma in one of its spellings, up to where its statement begins."""
        style = self.random.randrange(3)
        if style == 0:
            return f"\n#pragma prophet {directive}\n"
        if style == 1:
            return f'_Pragma("prophet {directive}") '
        return macro

    def maybe_cancel(self):
        return "cancel" if self.random.random() < 0.3 else ""

    def marked(self, around, depth):
        cancel, name = self.maybe_cancel(), self.fresh("loop")
        count, outer = self.random.randrange(4), self.random.randrange(3)
        collapsed = self.random.random() < 0.2
        clauses = (cancel + " " if cancel else "") + "collapse(2)" if collapsed else cancel
        text, act = self.statement(around + [cancel or "marked"], depth)
        text = self.header(count) + text
        if collapsed:
            braces = self.random.random() < 0.5
            text = self.header(outer) + ("{ " + text + "\n}" if braces else text)
        pragma = self.pragma(f"parallel for name({name}) {clauses}",
                             f"PARALLEL({name}, {clauses})\n")

        def run(state):
            def loop(s):
                self.iterate(count, lambda s: s.task(lambda: act(s)), s)
            state.inside("section", f"{name}|{clauses}", lambda: (
                self.iterate(outer, loop, state) if collapsed else loop(state)))
        return pragma + text, run

    def critical(self, around, depth):
        name = self.random.choice(["", "a", "b"])
        text, act = self.statement(around + ["lock"], depth)
        named = f"({name})" if name else ""
        return (self.pragma("critical" + named, f"CRITICAL({named})\n") + text,
                lambda s: s.inside("lock", name, lambda: act(s)))

    def atomic(self, around, depth):
        text, act = self.emit(around, depth)
        return (self.pragma("atomic", "ALONE(atomic)\n") + text,
                lambda s: s.inside("lock", "atomic", lambda: act(s)))

    def sections(self, around, depth):
        cancel, name = self.maybe_cancel(), self.fresh("sections")
        inside = around + ["part" if cancel else "block", "part"]
        parts = [self.statement(inside, depth) for _ in range(self.random.randrange(4))]
        text = self.pragma(f"parallel sections name({name}) {cancel}",
                           f"SECTIONS({name}, {cancel})\n") + "{\n"
        for n, (part, _) in enumerate(parts):
            if n > 0 or self.random.random() < 0.5:
                text += self.pragma("section", "ALONE(section)\n")
            text += part + "\n"
        return text + "}", lambda s: s.inside("section", f"{name}|{cancel}", lambda: [
            s.task(lambda: act(s)) for _, act in parts])

    def tasks(self, around, depth):
        cancel, name = self.maybe_cancel(), self.fresh("tasks")
        text, act = self.block(around + ["part" if cancel else "block", "part"], depth)

        def run(state):
            state.open_tasks(f"{name}|{cancel}")
            state.scope(lambda: act(state), is_open=True)
        return self.pragma(f"parallel tasks name({name}) {cancel}",
                           f"TASKS({name}, {cancel})\n") + text, run

    @staticmethod
    def may_spawn(around):
        """Whether no lock is held that the section of a task here would outlive."""
        for a in reversed(around):
            if a in ("task", "marked", "cancel", "part", "lock"):
                return a != "lock"
        return True

    def task(self, around, depth):
        if not self.may_spawn(around):
            return self.critical(around, depth)
        name = self.fresh("task")
        text, act = self.statement(around + ["task"], depth)

        def run(state):
            if not state.tasks_open:
                state.open_tasks(f"{name}|")
                state.tasks_open = True
            state.task(lambda: act(state))
        return self.pragma(f"task name({name})", f"ALONE(task name({name}))\n") + text, run

    def alone(self, around):
        """What only a block may hold."""
        what = self.random.choice(["taskwait", "taskwait", "pause", "resume"])
        if what == "taskwait" and not self.may_spawn(around):
            what = "pause"
        return self.pragma(what, f"ALONE({what})\n"), lambda s: (
            s.wait() if what == "taskwait" else s.event(what))

    def in_lambda(self, around, depth):
        name = self.fresh("lambda")
        text, act = self.block(["try"] if "try" in around else [], depth)

        def run(state):
            try:
                state.scope(lambda: act(state))
            except Leave as leave:
                if leave.kind != "return":
                    raise
        return f"{{ auto {name} = [&]() -> int {text[:-1]}return 0; }};\n{name}(); }}", run


PREAMBLE = """#include <stdio.h>
#define STRING(x) #x
#define PRAGMA(x) _Pragma(STRING(x))
#define PARALLEL(n, clause) PRAGMA(prophet parallel for name(n) clause)
#define SECTIONS(n, clause) PRAGMA(prophet parallel sections name(n) clause)
#define TASKS(n, clause) PRAGMA(prophet parallel tasks name(n) clause)
#define CRITICAL(name) PRAGMA(prophet critical name)
#define ALONE(directive) PRAGMA(prophet directive)
#ifdef __cplusplus
struct Range {
  int at, last;
  Range(int n, int from = 0) : at(from), last(n) {}
  Range begin() const { return *this; }
  Range end() const { return Range(last, last); }
  int operator*() const { return at; }
  Range &operator++() { ++at; return *this; }
  bool operator!=(const Range &other) const { return at != other.at; }
};
#endif
static int x;
static void emit(int step) {
  x = (x * 3 + step) % 101;
  printf("x %d\\n", x);
}
"""


def make_file(seed, first, count, exceptions):
    """The C text of functions first ... first + count - 1 and the trace they must give."""
    text, calls, expected = PREAMBLE, "", []
    for number in range(first, first + count):
        body, run = Generator(seed, number, exceptions).function(number)
        text += body
        calls += f'  printf("f{number}\\n"); x = 0; f{number}();\n'
        state = State()
        run(state)
        expected += [f"f{number}"] + state.lines
    return text + "int main(void) {\n" + calls + "  return 0;\n}\n", expected


def normalise(trace):
    """Sections shortened to what the interpreter says, name and clauses; atomics without place."""
    trace = re.sub(r"section \w+\|[^|\n]*\|\d+\|", "section ", trace)
    return re.sub(r"lock atomic .*", "lock atomic", trace).splitlines()


def events_removed(lines):
    return [line for line in lines if line.startswith(("f", "x"))]


def first_difference(got, expected):
    for n, (a, b) in enumerate(zip(got + ["end of trace"], expected + ["end of trace"])):
        if a != b:
            function = next(line for line in reversed(expected[:n + 1]) if line.startswith("f"))
            return f"in {function}, line {n + 1}: expected '{b}', got '{a}'"
    return "the traces differ in length"


def check_file(builder, path, text, expected):
    with open(path, "w") as file:
        file.write(text)
    plain = os.path.join(builder.args.work, "plain")
    compiler = builder.clang(builder.args.std)
    traces.run([compiler, "-w", path, "-o", plain])
    got = traces.run([plain]).splitlines()
    if got != events_removed(expected):
        sys.exit(f"{path}: without the plugin: {first_difference(got, events_removed(expected))}")
    for how, trace in builder.traces(path):
        got = normalise(trace)
        if got != expected:
            sys.exit(f"{path}: {how}: {first_difference(got, expected)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--plugin", "--rewrite", "--llvm-bin", "--include", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("--count", type=int, default=100, help="how many functions (default 100)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--std", help="default: c17,c++17; with --exceptions c++17")
    parser.add_argument("--exceptions", action="store_true", help="with try and throw")
    parser.add_argument("--levels", default="-O1")
    args = parser.parse_args()
    args.no_gcc, args.flags = False, ["-w"]
    args.std = args.std or ("c++17" if args.exceptions else "c17,c++17")

    builder = traces.Builder(args)
    name = "random.cpp" if args.exceptions else "random.c"
    sections = events = 0
    for first in range(0, args.count, PER_FILE):
        text, expected = make_file(args.seed, first, min(PER_FILE, args.count - first),
                                   args.exceptions)
        check_file(builder, os.path.join(args.work, name), text, expected)
        events += len(expected)
        sections += sum("section " in line and "end" not in line for line in expected)
    print(f"{args.count} functions, {sections} sections, {events} lines of trace: all as expected")


if __name__ == "__main__":
    main()
