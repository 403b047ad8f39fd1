#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the front end for LLVMs other than the main one, and runs its tests with each.

`./bootstrap llvms` calls it. Each build is in build/llvm-VERSION. The last lines say for each version how
many tests passed, failed and were not supported. How to install such a plugin: docs/install.md.
"""
import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LIT = Path("/usr/lib/llvm-19/build/utils/lit/lit.py")  # LLVM 14's does not know DEFINE
VERSIONS = ["14", "15", "16"]
OPTIONAL = ["libclang-rt-{}-dev"]  # of 15, it is in libclang-common-15-dev
PACKAGES = ["clang-{}", "libclang-{}-dev", "llvm-{}-dev", "llvm-{}-tools", "lld-{}"]
TARGETS = ["prophet-plugin", "prophet-rewrite", "prophet", "prophet-shared", "prophet-static",
           "prophet-omp-shared", "prophet-omp-static"]


def run(*command):
    """Runs `command` with its output on this program's; whether it succeeded."""
    sys.stdout.flush()
    return subprocess.run([str(word) for word in command], cwd=TOP, stdin=subprocess.DEVNULL).returncode == 0


def shown(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def missing(packages):
    return [p for p in packages if shown("dpkg-query", "-W", "-f=${db:Status-Status}", p) != "installed"]


def known(package):
    policy = shown("apt-cache", "policy", package)
    return "Candidate:" in policy and "Candidate: (none)" not in policy


def install_packages(version):
    as_root = [] if shown("id", "-u") == "0" else ["sudo"]
    wanted = missing(p.format(version) for p in PACKAGES)
    if wanted and not run(*as_root, "apt-get", "update", "-q"):
        return False
    wanted += filter(known, missing(p.format(version) for p in OPTIONAL))
    return not wanted or run(*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-q", "-y",
                             "--no-install-recommends", *wanted)


def build(folder, llvm):
    return (run("cmake", "--preset", "dev", "-B", folder, f"-DPROPHET_LLVM_DIR={llvm}", "--log-level=WARNING")
            and run("cmake", "--build", folder, "--target", *TARGETS))


def test(folder, llvm, pattern):
    """How many tests ended how, by lit's codes: PASS, FAIL, UNSUPPORTED and so on."""
    results = folder / "lit.json"
    results.unlink(missing_ok=True)
    run(sys.executable, LIT, "--config-prefix=llvm-lit", "-sv", "--no-progress-bar", f"--filter={pattern}",
        "--output", results, f"-Dprophet_build={folder}", f"-Dprophet_llvm={llvm}", TOP)
    if not results.exists():
        return Counter()
    codes = Counter(one["code"] for one in json.loads(results.read_text())["tests"])
    return codes - Counter(EXCLUDED=codes["EXCLUDED"])


def serve(version, pattern):
    """Builds and tests with one LLVM: whether all went well, and how it went in a line."""
    folder, llvm = TOP / "build" / f"llvm-{version}", f"/usr/lib/llvm-{version}"
    print(f"== LLVM {version}", flush=True)
    if not install_packages(version):
        return False, "its packages could not be installed"
    if not build(folder, llvm):
        return False, "the build failed"
    codes = test(folder, llvm, pattern)
    if not codes:
        return False, "no test ran"
    passed, unsupported = codes["PASS"], codes["UNSUPPORTED"]
    failed = codes.total() - passed - unsupported
    return not failed, f"{passed} passed, {failed} failed, {unsupported} unsupported"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("versions", nargs="*", default=VERSIONS, metavar="VERSION")
    parser.add_argument("--filter", default="^prophet :: (plugin|rewriter)/", metavar="REGEX",
                        help="the lit tests to run (default: the plugin's and the rewriter's)")
    options = parser.parse_args()
    ends = {version: serve(version, options.filter) for version in options.versions}
    for version, (_, how) in ends.items():
        print(f"LLVM {version}: {how}")
    return 0 if all(well for well, _ in ends.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
