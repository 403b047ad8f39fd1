"""usage: net_length.py TREE NANOSECONDS   checks the most frequent task's net length against the time without profiler"""
import collections
import json
import sys

tree = json.load(open(sys.argv[1], encoding="utf-8"))
bare = float(sys.argv[2])
nodes = tree["nodes"]
count = collections.Counter()
for node in nodes:
    if node["kind"] == "section":
        for child, repeat in node["children"]:
            count[child] += repeat
task = nodes[count.most_common(1)[0][0]]
net = sum(nodes[c]["length"] * n for c, n in task["children"]) * 1e9 / tree["timebase_hz"]
print(f"net {net:.1f} ns, without profiler {bare:.1f} ns")
sys.exit(not 0.75 < net / bare < 1.25)
