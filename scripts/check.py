#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds Prophet in every way it must build, and runs every test. `./bootstrap check` calls it.

The last line is `N passed, N failed[, N skipped]`; the numbers are the test programs' own, read from
their reports. A stage that could not run counts as failed, and so does one that ran no test.
"""
import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from multiprocessing.pool import ThreadPool
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LLVM = Path("/usr/lib/llvm-19")
LIT = LLVM / "build" / "utils" / "lit" / "lit.py"
PRESETS = ["dev", "gcc", "asan"]
# What builds Prophet or all examples, or measures the machine, for minutes: with one build of Prophet that is enough.
LIT_OF_ONE_BUILD = r":: (install/(?!package)|predictor/(calibrate|validate)/|e2e/(applied|rewritten|readme|tutorial))"


class Count:
    def __init__(self, passed=0, failed=0, skipped=0):
        self.passed, self.failed, self.skipped = passed, failed, skipped

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self):
        text = f"{self.passed} passed, {self.failed} failed"
        return text + (f", {self.skipped} skipped" if self.skipped else "")


def run(command, **options):
    """Runs `command` with its output on this program's; whether it succeeded."""
    sys.stdout.flush()
    return subprocess.run([str(word) for word in command], cwd=TOP, stdin=subprocess.DEVNULL,
                          **options).returncode == 0


def one(succeeded):
    return Count(passed=1) if succeeded else Count(failed=1)


def sources():
    """The files whose layout is checked: all but the inputs of lit tests."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard",
                             "*.c", "*.cpp", "*.h"], cwd=TOP, text=True, capture_output=True,
                            check=True).stdout.split()
    return [name for name in listed
            if not name.startswith("test/") or name.startswith(("test/unit/", "test/fuzz/"))]


def check_format():
    count = Count()
    with ThreadPool() as pool:
        for result in pool.map(lambda name: one(run(["clang-format-19", "--dry-run", "-Werror", name])), sources()):
            count.add(result)
    return count


def check_scripts():
    return one(run(["shellcheck", "bootstrap", ".ci/run"]))


def check_tidy(preset="asan", folders="runtime|predictor|memmodel"):
    """clang-tidy over what a Clang build compiled: the sanitizers' takes several files at once, which is seven times as
    fast. What includes Clang's headers takes minutes: --lint does it."""
    path = TOP / "build" / preset
    files = rf"^({re.escape(str(TOP))}|{re.escape(str(path))})/({folders})/"
    compiled = json.loads((path / "compile_commands.json").read_text())
    if not any(re.search(files, command["file"]) for command in compiled):
        return Count(failed=1)
    return one(run(["run-clang-tidy-19", "-quiet", "-p", path, files]))


def lint():
    return build("dev").passed and check_tidy("dev", "runtime|predictor|memmodel|rewriter|clang-plugin").passed


def build(preset):
    """The sanitizers' build is of what the unit tests need, as it runs nothing else."""
    what = ["--target", "unit-tests"] if preset == "asan" else []
    return one(run(["cmake", "--preset", preset, "--log-level=WARNING"])
               and run(["cmake", "--build", "--preset", preset, *what]))


def cases(report):
    """What a JUnit report says. GoogleTest marks a test that did not run; lit and ctest skip."""
    count = Count()
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            count.failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            count.skipped += 1
        else:
            count.passed += 1
    return count


def unit_tests(preset):
    """Runs what ctest knows but lit. A GoogleTest program counts by its cases, anything else as one."""
    reports = TOP / "build" / preset / "reports"
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    environment = dict(os.environ, GTEST_OUTPUT=f"xml:{reports}/",
                       UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1",
                       LSAN_OPTIONS=f"suppressions={TOP}/test/unit/leaks.txt:print_suppressions=0")
    summary = reports / "ctest-summary"
    run(["ctest", "--test-dir", TOP / "build" / preset, "--output-on-failure",
         "--exclude-regex", "^lit$", "--parallel", os.cpu_count() or 1,
         "--output-junit", summary], env=environment)
    count = Count()
    for program in ElementTree.parse(summary).iter("testcase"):
        report = reports / (program.get("name").removeprefix("unit.") + ".xml")
        succeeded = program.get("status") == "run"
        if not report.exists():
            count.add(one(succeeded))
            continue
        found = cases(report)
        if not succeeded and not found.failed:
            found.failed += 1  # it died, or leaked, after its last case
        count.add(found)
    return count


def lit(preset):
    report = TOP / "build" / preset / "lit.xml"
    report.unlink(missing_ok=True)
    succeeded = run([sys.executable, LIT, "--config-prefix=llvm-lit", "-v", "--no-progress-bar",
                     f"--xunit-xml-output={report}",
                     *([f"--filter-out={LIT_OF_ONE_BUILD}"] if preset != PRESETS[0] else []),
                     f"-Dprophet_build={TOP / 'build' / preset}", TOP])
    count = cases(report) if report.exists() else Count()
    if not succeeded and not count.failed:
        count.failed += 1
    return count


def stages():
    yield "layout of the sources", check_format
    yield "scripts", check_scripts
    for preset in PRESETS:
        yield f"build: {preset}", functools.partial(build, preset)
        yield f"unit tests: {preset}", functools.partial(unit_tests, preset)
        if preset != "asan":
            yield f"lit: {preset}", functools.partial(lit, preset)
    yield "clang-tidy", check_tidy


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--fix-layout", action="store_true",
                        help="lay out the sources with clang-format, and do nothing else")
    parser.add_argument("--lint", action="store_true",
                        help="run clang-tidy on all sources, the front end's too, and do nothing else")
    options = parser.parse_args()
    if options.fix_layout:
        return 0 if run(["clang-format-19", "-i", *sources()]) else 1
    if options.lint:
        return 0 if lint() else 1
    # Without it, ccache passes by what uses a precompiled header.
    os.environ.setdefault("CCACHE_SLOPPINESS",
                          "pch_defines,time_macros,include_file_ctime,include_file_mtime")
    os.environ.setdefault("CCACHE_DEPEND", "1")  # else what is not in the cache is preprocessed first
    total, broken = Count(), []
    for name, stage in stages():
        print(f"== {name}", flush=True)
        start = time.monotonic()
        try:
            count = stage()
        except (OSError, subprocess.SubprocessError, ElementTree.ParseError) as error:
            print(f"check: {name}: {error}")
            count = Count(failed=1)
        if not count.passed and not count.failed:
            print(f"check: {name}: no test ran")
            count.failed += 1
        if count.failed:
            broken.append(name)
        total.add(count)
        print(f"== {name}: {count} ({time.monotonic() - start:.0f} s)", flush=True)
    for name in broken:
        print(f"FAILED: {name}")
    print(total)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
