"""many-sections.py equal|mixed: a tree of 80 sections of 800 ticks each, 10 ticks of serial code before each: all of 8 tasks, or half of
them, in no regular order, of 2."""
import json
import random
import sys

order = [0] * 80 if sys.argv[1] == "equal" else random.Random(1).sample([0, 1] * 40, 80)
nodes = [{"kind": "U", "length": 10}]
sections = []
for tasks in 8, 2:
    nodes += [{"kind": "U", "length": 800 / tasks}, {"kind": "task", "children": [[len(nodes), 1]]},
              {"kind": "section", "site": 0, "children": [[len(nodes) + 1, tasks]]}]
    sections.append(len(nodes) - 1)
nodes.append({"kind": "root", "children": [child for which in order for child in ([0, 1], [sections[which], 1])]})
json.dump({"format": "prophet-program-tree", "version": 1, "timebase_hz": 1e9, "complete": True, "tolerance": 0,
           "sites": [{"name": "loop", "kind": "parallel_for", "file": "app.c", "line": 1}], "locks": [], "nodes": nodes,
           "root": len(nodes) - 1}, sys.stdout)
