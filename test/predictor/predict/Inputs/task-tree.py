"""task-tree.py: a recursion of tasks, two in each down to 64 leaves of 1000 to 7000 ticks: how long it takes depends on who steals what."""
import json
import sys

nodes = [{"kind": "U", "length": 1000 * (1 + leaf * 5 % 7)} for leaf in range(64)]
level = list(range(64))
while len(level) > 1:
    above = []
    for left, right in zip(level[::2], level[1::2]):
        first = len(nodes)
        nodes += [{"kind": "task", "children": [[left, 1]]}, {"kind": "task", "children": [[right, 1]]},
                  {"kind": "section", "site": 0, "children": [[first, 1], [first + 1, 1]]}]
        above.append(first + 2)
    level = above
nodes.append({"kind": "root", "children": [[level[0], 1]]})
json.dump({"format": "prophet-program-tree", "version": 1, "timebase_hz": 1e9, "complete": True, "tolerance": 0,
           "sites": [{"name": "tree", "kind": "tasks", "file": "app.c", "line": 1}], "locks": [], "nodes": nodes,
           "root": len(nodes) - 1}, sys.stdout)
