#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts what --method synth says that runs in virtual time will take beside what they took:
virtual_seconds.py --build BUILD. Forecasts below a second are not said. What constructs cost is what the built-in tables say; with --overheads none
it takes less."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LOOP, INNER = [{"name": name, "kind": "parallel_for"} for name in ("loop", "inner")]
TASKS = {"name": "tasks", "kind": "tasks"}


def tree(sites, iterations, outer=0, times=1000):
    """A section of so many iterations of 1 us, run so many times; or in each iteration of a loop."""
    nodes = [{"kind": "U", "length": 1000},
             {"kind": "task", "children": [[0, 1]]},
             {"kind": "section", "site": len(sites) - 1, "children": [[1, iterations]]}]
    if outer:
        nodes += [{"kind": "task", "children": [[2, 1]]},
                  {"kind": "section", "site": 0, "children": [[3, outer]]}]
    nodes.append({"kind": "root", "children": [[len(nodes) - 1, 1 if outer else times]]})
    return {"format": "prophet-program-tree", "version": 1, "timebase_hz": 1e9, "tolerance": 0,
            "program": {"command": ["x"]}, "sites": sites, "nodes": nodes, "root": len(nodes) - 1}


TREES = {
    "sections": tree([LOOP], 4),
    "tasks": tree([TASKS], 4),
    "loops in a loop": tree([LOOP, INNER], 4, outer=1000),
    "many loops in a loop": tree([LOOP, INNER], 4, outer=100_000),
    "many tasks": tree([TASKS], 4000, times=1),
    "tasks in a loop": tree([LOOP, TASKS], 4, outer=10_000),
}
SHAPES = {"deep": 20_000, "distinct": 20_000, "locked": 10_000, "nested": 10_000}  # of trees.py
RUNS = [  # of a tree, by options
    ("sections", "--schedule static --threads 64"),
    ("sections", "--schedule static --threads 512"),
    ("sections", "--schedule static --threads 512 --runtime libgomp"),
    ("sections", "--paradigm tbb --threads 64"),
    ("tasks", "--schedule static --threads 64"),
    ("tasks", "--schedule static --threads 64 --runtime libgomp"),
    ("tasks", "--paradigm tbb --threads 64"),
    ("many tasks", "--schedule static --threads 64"),
    ("many tasks", "--schedule static --threads 16 --runtime libgomp"),
    ("many tasks", "--schedule static --threads 64 --runtime libgomp"),
    ("many tasks", "--paradigm tbb --threads 64"),
    ("loops in a loop", "--schedule static --threads 32 --max-active-levels 2"),
    ("loops in a loop", "--schedule static --threads 64 --max-active-levels 2"),
    ("loops in a loop", "--schedule static --threads 64 --max-active-levels 2 --runtime libgomp"),
    ("many loops in a loop", "--schedule static --threads 64"),
    ("tasks in a loop", "--schedule static --threads 64"),
    ("tasks in a loop", "--paradigm tbb --threads 64"),
    ("deep", "--schedule static --threads 64"),
    ("deep", "--schedule static --threads 64 --runtime libgomp"),
    ("deep", "--paradigm tbb --threads 8"),
    ("deep", "--paradigm tbb --threads 64"),
    ("distinct", "--schedule dynamic,1 --threads 512"),
    ("locked", "--schedule static --threads 512"),
    ("nested", "--paradigm tasks --threads 64"),
]


def predict(build, file, options, limit):
    command = [build / "bin/prophet", "predict", file, "--method", "synth", "--delay", "virtual",
               "--format", "json", "--machine", "none", "--time-limit", str(limit), *options.split()]
    return subprocess.run(command, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/opt"))
    args = parser.parse_args()
    bench = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        for name, made in TREES.items():
            pathlib.Path(folder, name).write_text(json.dumps(made))
        for name, size in SHAPES.items():
            with open(os.path.join(folder, name), "w") as file:
                subprocess.run([sys.executable, bench / "trees.py", name, str(size)], stdout=file,
                               check=True)
        print(f"{'forecast':>9} {'took':>8}  seconds")
        for name, options in RUNS:
            file = os.path.join(folder, name)
            said = re.search(r"about (\S+) s,", predict(args.build, file, options, 1).stderr)
            done = predict(args.build, file, options, 100_000)
            if done.returncode:
                sys.exit(done.stderr)
            estimate = json.loads(done.stdout)["estimates"][0]
            took = estimate["repetitions"]["tried"] * estimate["seconds"]
            print(f"{said.group(1) if said else '-':>9} {took:8.2f}  {name}: {options}", flush=True)


if __name__ == "__main__":
    main()
