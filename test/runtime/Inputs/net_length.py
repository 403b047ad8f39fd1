"""usage: net_length.py TREE BARE PROFILED   checks the most frequent task's net length against the time without profiler

BARE prints that time in nanoseconds, PROFILED writes TREE. What else the machine does may change its speed
between the two: they get five tries. Processors that hide a part of the calls behind the task's own work have
too much subtracted (docs/runtime.md): a third of these tasks at most.
"""
import collections
import json
import os
import subprocess
import sys

path, bare_program, profiled_program = sys.argv[1:]


def net_length():
    tree = json.load(open(path, encoding="utf-8"))
    nodes, count = tree["nodes"], collections.Counter()
    for node in nodes:
        if node["kind"] == "section":
            for child, repeat in node["children"]:
                count[child] += repeat
    task = nodes[count.most_common(1)[0][0]]
    return sum(nodes[c]["length"] * n for c, n in task["children"]) * 1e9 / tree["timebase_hz"]


for _ in range(5):
    bare = float(subprocess.run([bare_program], check=True, capture_output=True, text=True).stdout)
    subprocess.run([profiled_program], check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, PROPHET_OUT=path))
    net = net_length()
    print(f"net {net:.1f} ns, without profiler {bare:.1f} ns")
    if 0.65 < net / bare < 1.15:
        sys.exit(0)
sys.exit(1)
