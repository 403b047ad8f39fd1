"""deep_tree.py DEPTH [KIND [LEAVES]]: a program tree of sections nested that deep, each of one task and so many leaves."""
import json
import sys

depth = int(sys.argv[1])
kind = sys.argv[2] if len(sys.argv) > 2 else "parallel_for"
leaves = [[1, int(sys.argv[3])]] if len(sys.argv) > 3 else []
nodes = [{"kind": "U", "length": 100}, {"kind": "task", "children": [[0, 1]]}]
for _ in range(depth):
    last = len(nodes) - 1
    nodes.append({"kind": "section", "site": 0, "children": [[last, 1]] + leaves})
    nodes.append({"kind": "task", "children": [[last + 1, 1], [0, 1]]})
nodes.append({"kind": "section", "site": 0, "children": [[len(nodes) - 1, 2]]})
nodes.append({"kind": "root", "children": [[len(nodes) - 1, 1]]})
print(json.dumps({"format": "prophet-program-tree", "version": 1, "timebase_hz": 1000000000,
                  "sites": [{"name": "a", "kind": kind}], "nodes": nodes,
                  "root": len(nodes) - 1}))
