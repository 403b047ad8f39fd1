#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the front end for LLVMs other than the main one, and runs its tests with each.

`./bootstrap llvms` calls it. Each build is in build/llvm-VERSION; to install the plugin of one beside that
of the main build:  cmake --install build/llvm-14 --component prophet-plugin
"""
import argparse
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LIT = Path("/usr/lib/llvm-19/build/utils/lit/lit.py")  # LLVM 14's does not know DEFINE
VERSIONS = ["14", "15", "16"]
OPTIONAL = ["libclang-rt-{}-dev"]  # Debian 12 has none for 15
PACKAGES = ["clang-{}", "libclang-{}-dev", "llvm-{}-dev", "llvm-{}-tools", "lld-{}"]
TARGETS = ["prophet-plugin", "prophet-rewrite", "prophet", "prophet-shared", "prophet-static",
           "prophet-omp-shared", "prophet-omp-static"]


def run(*command):
    """Runs `command` with its output on this program's; whether it succeeded."""
    sys.stdout.flush()
    return subprocess.run([str(word) for word in command], cwd=TOP, stdin=subprocess.DEVNULL).returncode == 0


def known(package):
    shown = subprocess.run(["apt-cache", "policy", package], capture_output=True, text=True).stdout
    return "Candidate:" in shown and "Candidate: (none)" not in shown


def install_packages(version):
    wanted = [p.format(version) for p in PACKAGES]
    wanted += [p for p in (o.format(version) for o in OPTIONAL) if known(p)]
    missing = [p for p in wanted if "installed" not in subprocess.run(
        ["dpkg-query", "-W", "-f=${db:Status-Status}", p], capture_output=True, text=True).stdout.split()]
    sudo = [] if subprocess.run(["id", "-u"], capture_output=True, text=True).stdout.strip() == "0" else ["sudo"]
    return not missing or run(*sudo, "apt-get", "install", "-q", "-y", "--no-install-recommends", *missing)


def build(version):
    folder = TOP / "build" / f"llvm-{version}"
    return (run("cmake", "--preset", "dev", "-B", folder, f"-DPROPHET_LLVM_DIR=/usr/lib/llvm-{version}",
                "--log-level=WARNING")
            and run("cmake", "--build", folder, "--target", *TARGETS))


def test(version, pattern):
    return run(sys.executable, LIT, "--config-prefix=llvm-lit", "-sv", "--no-progress-bar", f"--filter={pattern}",
               f"-Dprophet_build={TOP / 'build' / f'llvm-{version}'}", f"-Dprophet_llvm=/usr/lib/llvm-{version}", TOP)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("versions", nargs="*", default=VERSIONS, metavar="VERSION")
    parser.add_argument("--filter", default="^prophet :: (plugin|rewriter)/", metavar="REGEX",
                        help="the lit tests to run (default: the plugin's and the rewriter's)")
    options = parser.parse_args()
    broken = []
    for version in options.versions:
        print(f"== LLVM {version}", flush=True)
        steps = {"packages": lambda: install_packages(version), "build": lambda: build(version),
                 "tests": lambda: test(version, options.filter)}
        broken += [f"LLVM {version}: {name}" for name in
                   [next((name for name, step in steps.items() if not step()), None)] if name]
    for name in broken:
        print(f"FAILED: {name}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
