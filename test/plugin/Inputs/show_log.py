"""Prints the log of a memory profile: a line for each part that uses the lines of the first section, which are called A."""
import json
import sys

with open(sys.argv[1]) as file:
    profile = json.load(file)
log = profile["log"]
print("rate", log["rate"], "complete" if log["complete"] else "cut off")
first = next(part for part in log["parts"] if part[0] == 0)
lines = {reference >> 3 for task in first[2:] for reference in task[1:] if reference & 1}
for site, size, *tasks in log["parts"]:
    if site < 0:
        continue
    shown = []
    for number, *references in tasks:
        for kind, name in enumerate(("reads", "writes")):
            used = {reference >> 3 for reference in references if reference & 1 == kind and reference >> 3 in lines}
            if used:
                shown.append(f"{number} {name} A {len(used)}")
    print(profile["sites"][site]["name"], size, "tasks:", ", ".join(shown))
