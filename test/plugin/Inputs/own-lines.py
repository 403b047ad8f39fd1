"""own-lines.py PROFILE [--uses]: how many lines of the log each site's tasks have of their own, and share.

--uses: each as many times as there are tasks that use it, wherever the heap has what they allocate.
"""
import json
import sys

data, by_task = json.load(open(sys.argv[1])), "--uses" in sys.argv


def parts_of(log):
    """All, where the file has a number for what an earlier one has done as well."""
    parts = []
    for part in log["parts"]:
        parts.append(parts[part] if isinstance(part, int) else part)
    return parts


def lines_of(log, site):
    """Own ones and shared ones."""
    own, found = set(log.get("own", [])), {(reference >> 3, by_task and (number, task[0]))
                                           for number, part in enumerate(parts_of(log)) if part[0] == site
                                           for task in part[2:] for reference in task[1:]}
    owned = sum(line in own for line, _ in found)
    return owned, len(found) - owned


for number, site in enumerate(data["sites"]):
    tasks = max((part[1] for part in parts_of(data["log"]) if part[0] == number), default=0)
    print(f"{site['name']}: {tasks} tasks, %d own lines, %d shared" % lines_of(data["log"], number))
for site in data.get("inner", []):
    print(f"{site['name']} alone: %d own lines, %d shared" % lines_of(site["log"], 0))
