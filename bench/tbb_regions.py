#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many short loops under oneTBB: --method synth beside a program whose lengths are known.

tbb_regions.cpp runs loops of busy waits with oneTBB; the tree that says the same is run by synth. Both in turn, medians.
"""
import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples"))
from measuring import add_arguments, check_arguments, run, say  # noqa: E402

SHAPES = [(2000, 2, 10), (500, 8, 20), (2000, 2, 50)]  # regions, tasks, microseconds


def tree(regions, tasks, microseconds):
    nodes = [{"kind": "U", "length": 1000 * microseconds},
             {"kind": "task", "children": [[0, 1]]},
             {"kind": "section", "site": 0, "children": [[1, tasks]]},
             {"kind": "U", "length": 5000},
             {"kind": "root", "children": [[3, 1], [2, 1]] * regions}]
    return {"format": "prophet-program-tree", "version": 1, "timebase_hz": 1e9, "tolerance": 0,
            "program": {"command": ["tbb_regions"]}, "locks": [], "nodes": nodes, "root": 4,
            "sites": [{"name": "loop", "kind": "parallel_for"}]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add_arguments(parser, 3, "of both")
    parser.add_argument("--threads", type=int, default=2, help="default: 2")
    options = parser.parse_args()
    prophet = check_arguments(parser, options)
    with tempfile.TemporaryDirectory(prefix="prophet-tbb-") as name:
        directory = Path(name)
        program = directory / "tbb_regions"
        run([options.compiler.replace("clang", "clang++"), "-std=c++20", "-O2",
             HERE / "tbb_regions.cpp", "-o", program, "-ltbb"])
        print(f"{'regions':>7}{'tasks':>7}{'us':>5}{'measured':>10}{'synth':>8}{'error':>8}{'spread':>8}")
        for shape in SHAPES:
            file = directory / "tree.json"
            file.write_text(json.dumps(tree(*shape)))
            measured, predicted = [], []
            for number in range(options.rounds):
                say(f"{shape}: round {number + 1} of {options.rounds}")
                measured += map(float, run([program, *map(str, shape), str(options.threads), "15"]).split())
                estimate = json.loads(run([prophet, "predict", file, "--method", "synth", "--paradigm", "tbb",
                                           "--threads", str(options.threads), "--format", "json"]))
                predicted.append(estimate["estimates"][0]["speedup"])
            real, synth = statistics.median(measured), statistics.median(predicted)
            low, _, high = statistics.quantiles(measured, n=4)
            print(f"{shape[0]:>7}{shape[1]:>7}{shape[2]:>5}{real:>10.3f}{synth:>8.3f}{synth / real - 1:>+8.1%}"
                  f"{(high - low) / real:>8.1%}", flush=True)


if __name__ == "__main__":
    main()
