"""Prints the log of a memory profile: a line for each part that uses the lines that the first section writes, which are
called A. With a site's name: the log where that site alone is parallel, also outside of it; A are all lines that its first
section uses."""
import json
import sys

with open(sys.argv[1]) as file:
    profile = json.load(file)
sites, log = profile["sites"], profile["log"]
for inner in profile.get("inner", []) if len(sys.argv) > 2 else []:
    if inner["name"] == sys.argv[2]:
        sites, log = [inner], inner["log"]
is_inner = sites is not profile["sites"]
parts = []
for part in log["parts"]:  # a number: as that one
    parts.append(parts[part] if isinstance(part, int) else part)
print("rate", log["rate"], "complete" if log["complete"] else "cut off")
first = next(part for part in parts if part[0] == 0)
lines = {reference >> 3 for task in first[2:] for reference in task[1:] if is_inner or reference & 1}
for site, size, *tasks in parts:
    if site < 0 and not is_inner:
        continue
    shown = []
    for number, *references in tasks:
        for kind, name in enumerate(("reads", "writes")):
            used = {reference >> 3 for reference in references if reference & 1 == kind and reference >> 3 in lines}
            if used:
                shown.append(f"{number} {name} A {len(used)}")
    print(sites[site]["name"] if site >= 0 else "outside", size, "tasks:", ", ".join(shown))
