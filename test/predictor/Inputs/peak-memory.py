# peak-memory.py LIMIT_KIB SHAPE TRIPS... -- COMMAND...: COMMAND predicts a loop of each trip count; none of the runs may
# take LIMIT_KIB more memory than the first. SHAPE: free | locked | tasks.
import json
import os
import subprocess
import sys
import tempfile

PARTS = {"free": [("U", 1000)], "locked": [("U", 1000), ("L", 200)], "tasks": [("U", 1000)]}


def tree(shape, trips):
    nodes = [{"kind": kind, "length": length} for kind, length in PARTS[shape]]
    for node in nodes[1:]:
        node["lock"] = 0
    task = len(nodes)
    nodes += [{"kind": "task", "children": [[part, 1] for part in range(task)]},
              {"kind": "section", "site": 0, "children": [[task, trips]]},
              {"kind": "root", "children": [[task + 1, 1]]}]
    kind = "tasks" if shape == "tasks" else "parallel_for"
    return {"format": "prophet-program-tree", "version": 1, "timebase_hz": 1e9, "locks": ["l"],
            "sites": [{"name": "loop", "kind": kind}], "nodes": nodes, "root": task + 2}


def peak(command, shape, trips):
    """In KiB, of a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tree.json")
        with open(path, "w") as file:
            json.dump(tree(shape, trips), file)
        child = subprocess.Popen([*command, path], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            sys.exit(f"{shape} {trips}: status {status}")
        return usage.ru_maxrss


limit, shape, rest = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
split = rest.index("--")
peaks = [peak(rest[split + 1:], shape, int(trips)) for trips in rest[:split]]
print(shape, peaks)
sys.exit(any(later > peaks[0] + limit for later in peaks))
