"""Prints what a tree says was counted: by site, and why nothing was."""
import json
import sys

with open(sys.argv[1]) as file:
    tree = json.load(file)
for site in tree["sites"]:
    memory = site.get("memory", {})
    print(site["name"] + ":", ", ".join(f"{key} {value}" for key, value in memory.items()) or "nothing")
profiler = tree["profiler"]
print(profiler.get("counters") or "none: " + profiler["no_counters"])
