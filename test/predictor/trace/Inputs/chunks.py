"""Loops of many lengths, teams and chunks, for the real runtime and as a program tree.

chunks.py cases RUNTIME | tree CASES | compare REAL TRACE
"""
import json
import random
import sys


def cases(runtime):
    draw = random.Random(4)
    for threads in list(range(1, 17)) + [23, 32, 48, 63, 64]:
        for n in [1, 7, 6 * threads * 100, draw.randint(2, 300), draw.randint(300, 20000), draw.randint(20000, 10**6)]:
            for chunk in [1, draw.randint(2, 60)]:
                yield f"guided {threads} {n} {chunk}"
            if runtime == "libomp":  # libgomp's auto is static
                yield f"auto {threads} {n} 1"


def tree(lines):
    nodes = [{"kind": "U", "length": 1}, {"kind": "task", "children": [[0, 1]]}]
    sites, sections = [], []
    for line, case in enumerate(lines):
        schedule, threads, n, chunk = case.split()
        sites.append({"name": case, "kind": "parallel_for", "file": "chunks.c", "line": line + 1,
                      "schedule": "auto" if schedule == "auto" else f"guided,{chunk}",
                      "vars": f"num_threads({threads})"})
        sections.append([len(nodes), 1])
        nodes.append({"kind": "section", "site": line, "children": [[1, int(n)]]})
    nodes.append({"kind": "root", "children": sections})
    return {"format": "prophet-program-tree", "version": 1, "timebase_hz": 1000000, "sites": sites,
            "nodes": nodes, "root": len(nodes) - 1}


def compare(real, trace):
    emulated = {}
    for event in json.load(open(trace))["traceEvents"]:
        if event.get("cat") == "task":
            args = event["args"]
            emulated.setdefault(event["name"], []).append((args["first_iteration"], args["iterations"]))
    for line in open(real):
        case, _, ranges = line.partition(":")
        expected = [tuple(map(int, part.split("+"))) for part in ranges.split()]
        found = sorted(emulated[case])
        assert found == expected, f"{case}\n real     {expected}\n emulated {found}"
    print(len(emulated), "loops agree")


if sys.argv[1] == "cases":
    print("\n".join(cases(sys.argv[2])))
elif sys.argv[1] == "tree":
    json.dump(tree(open(sys.argv[2]).read().splitlines()), sys.stdout)
else:
    compare(*sys.argv[2:])
