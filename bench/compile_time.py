#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugin costs at compile time, on a generated file of annotated and other functions.

Four builds are timed in turn, in an order shuffled anew each round: the file without annotations and with them,
each without and with the plugin. The medians' ratios are printed with the spread (quartiles) of the rounds' own.

The last column, of a plugin that finds no annotation, is what loading it costs.

--instructions counts them with valgrind, at -O0 only: the same in every run, however busy the machine is.
"""
import argparse
import itertools
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
HEADS = {"c": ["stdio.h", "stdlib.h", "math.h"], "cpp": ["vector", "algorithm", "iostream"]}
LOOPS = [
    """{pragma}parallel for name(fill{n}) schedule(static, 4)
  for (i = 0; i < count; i++) {{
    double value = data[i] * 0.5 + i;
    if (value > limit)
      value = limit - value / 2;
    else
      value += data[i];
    data[i] = value;
  }}""",
    """{pragma}parallel for reduction(+:sum)
  for (i = 1; i < count; i++)
{pragma}critical(total{n})
    sum += data[i] - data[i - 1];""",
    """for (i = 0; i < count; i++) {{
    double *row = data + i;
{pragma}parallel for
    for (j = 0; j < i; j++) {{
      row[j] = row[j] * row[j] + j;
      if (row[j] < 0) continue;
{pragma}critical
      {{ sum += row[j]; hits++; }}
    }}
  }}""",
    """{pragma}parallel for collapse(2)
  for (i = 0; i < count; i++)
    for (j = 0; j < 4; j++)
{pragma}atomic
      hits += j;
{pragma}pause
  limit += data[0];
{pragma}resume
{pragma}parallel sections
  {{
{pragma}section
    data[1] = limit;
{pragma}section
    data[2] = -limit;
  }}""",
    """{pragma}parallel tasks name(tree{n})
  for (i = 0; i < count; i++) {{
{pragma}task
    data[i] = data[i] * limit + i;
  }}
{pragma}task
  data[0] = sum;
{pragma}taskwait""",
    """while (count > 3) {{
    count -= 3;
    switch (count % 3) {{
    case 0: sum += 1; break;
    case 1: sum -= data[count]; break;
    default: data[count] = sum; break;
    }}
  }}""",
]


def function(number, pragma):
    body = "\n  ".join(loop.format(pragma=pragma, n=number) for loop in LOOPS)
    return (f"double work{number}(double *data, int count, double limit) {{\n"
            f"  double sum = 0;\n  int i, j, hits = 0;\n  {body}\n  return sum + hits;\n}}\n\n")


def source(options, language, annotated):
    """About `options.lines` lines of functions, of which as many are annotated, evenly spread, as make
    `options.pragmas` annotations. Annotations take lines of their own; where there are none, comments do."""
    text = [f"#include <{header}>\n" for header in HEADS[language]]
    each = function(0, "#pragma prophet ")
    functions = max(1, options.lines // each.count("\n"))
    marked = min(functions, round(options.pragmas / each.count("#pragma")))
    for number in range(functions):
        # The integer steps are taken `marked` times among all the functions.
        here = annotated and (number + 1) * marked // functions > number * marked // functions
        text.append(function(number, "#pragma prophet " if here else "// "))
    return "".join(text)


def user_seconds(command):
    """The command's processor time: on a busy machine it says more than the clock."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instructions(command):
    """The millions of instructions that the command executes."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *command], check=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]) / 1e6


def without_debug_information(plugin, folder):
    """A copy: valgrind cannot read Clang 19's."""
    subprocess.run(["objcopy", "--strip-debug", plugin, folder / plugin.name], check=True)
    return folder / plugin.name


def measure(options, folder, language, level):
    builds = {}
    for annotated in False, True:
        file = folder / f"{'annotated' if annotated else 'plain'}.{language}"
        file.write_text(source(options, language, annotated))
        clang = [options.clang + ("++" if language == "cpp" else ""), level, "-c", file, "-o", folder / "out.o",
                 "-Wno-unknown-pragmas"]
        builds[annotated, False] = clang
        builds[annotated, True] = [*clang, f"-fplugin={options.plugin}"]
    costs = {build: [] for build in builds}
    for _ in range(options.rounds):
        for build in random.sample(list(builds), len(builds)):
            costs[build].append(options.cost(builds[build]))
    return costs


def ratio(costs, above, below):
    each = [a / b for a, b in zip(costs[above], costs[below])]
    middle = statistics.median(costs[above]) / statistics.median(costs[below])
    if len(each) == 1:
        return f"{middle:.3f}"
    low, _, high = statistics.quantiles(each, n=4)
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--clang", default="/usr/lib/llvm-19/bin/clang")
    parser.add_argument("--plugin", default=TOP / "build" / "opt" / "lib" / "prophet.so", type=Path)
    parser.add_argument("--lines", default=5000, type=int)
    parser.add_argument("--pragmas", default=300, type=int, help="the annotations in these lines (default: 300)")
    parser.add_argument("--rounds", default=15, type=int)
    parser.add_argument("--instructions", action="store_true", help="count instructions; one round")
    options = parser.parse_args()
    if not options.plugin.exists():
        sys.exit(f"compile_time: {options.plugin}: no such plugin; ./bootstrap build, or name one with --plugin")
    if options.instructions and not shutil.which("valgrind"):
        sys.exit("compile_time: --instructions needs valgrind; apt-get install valgrind")
    options.cost, unit, levels = user_seconds, "s", ["-O0", "-O2"]
    measured = "processor time, median (quartiles)"
    if options.instructions:
        options.cost, unit, levels, options.rounds = instructions, "million", ["-O0"], 1
        measured = "instructions"
    text = source(options, "c", True)
    print(f"{text.count(chr(10))} lines, {text.count('#pragma')} annotations, {options.rounds} rounds; {measured}\n")
    print("| language | level | without the plugin | with it | over without | over the file without annotations "
          "| no annotation: over without |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.instructions:
            options.plugin = without_debug_information(options.plugin, folder)
        for language, level in itertools.product(("c", "cpp"), levels):
            costs = measure(options, folder, language, level)
            print(f"| {language} | `{level}` | {statistics.median(costs[True, False]):.2f} {unit} "
                  f"| {statistics.median(costs[True, True]):.2f} {unit} "
                  f"| {ratio(costs, (True, True), (True, False))} "
                  f"| {ratio(costs, (True, True), (False, False))} "
                  f"| {ratio(costs, (False, True), (False, False))} |", flush=True)


main()
