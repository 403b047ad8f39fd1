"""locked-tasks.py: a section of tasks, of which two have a loop inside whose iterations hold a lock, twice at a time: 10 ms, and 2 ms of serial code."""
import json
import sys

nodes = [
    {"kind": "U", "length": 1000000},
    {"kind": "L", "lock": 0, "length": 500000},
    {"kind": "task", "children": [[1, 1]]},
    {"kind": "section", "site": 1, "children": [[2, 4]]},  # 2 ms
    {"kind": "task", "children": [[0, 2], [3, 1]]},  # 4 ms
    {"kind": "L", "lock": 1, "children": [[1, 1], [0, 1]]},
    {"kind": "task", "children": [[5, 1]]},  # 1.5 ms
    {"kind": "U", "length": 500000},
    {"kind": "section", "site": 0, "children": [[4, 2], [6, 1], [7, 1]]},  # 10 ms
    {"kind": "root", "children": [[0, 1], [8, 1], [0, 1]]},
]
json.dump({"format": "prophet-program-tree", "version": 1, "timebase_hz": 1e9, "complete": True, "tolerance": 0,
           "sites": [{"name": "tree", "kind": "tasks", "file": "app.c", "line": 1},
                     {"name": "rows", "kind": "parallel_for", "file": "app.c", "line": 2}],
           "locks": ["a", "b"], "nodes": nodes, "root": len(nodes) - 1}, sys.stdout)
