"""inner-sections.py KIND COUNT: a loop of so many iterations, each a section of four tasks of 1000 ticks."""
import json
import sys

nodes = [{"kind": "U", "length": 1000}, {"kind": "task", "children": [[0, 1]]}, {"kind": "section", "site": 1, "children": [[1, 4]]},
         {"kind": "task", "children": [[2, 1]]}, {"kind": "section", "site": 0, "children": [[3, int(sys.argv[2])]]},
         {"kind": "root", "children": [[4, 1]]}]
json.dump({"format": "prophet-program-tree", "version": 1, "timebase_hz": 1e9, "complete": True, "tolerance": 0,
           "sites": [{"name": "outer", "kind": "parallel_for", "file": "app.c", "line": 1},
                     {"name": "inner", "kind": sys.argv[1], "file": "app.c", "line": 2}], "locks": [], "nodes": nodes,
           "root": len(nodes) - 1}, sys.stdout)
