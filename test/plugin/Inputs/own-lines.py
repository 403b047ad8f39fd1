"""own-lines.py PROFILE: how many lines of the log each site's tasks have of their own, and share."""
import json
import sys

data = json.load(open(sys.argv[1]))


def lines_of(log, site):
    """Own ones and shared ones."""
    own, found = set(log.get("own", [])), {reference >> 3 for part in log["parts"] if part[0] == site
                                           for task in part[2:] for reference in task[1:]}
    return len(found & own), len(found - own)


for number, site in enumerate(data["sites"]):
    tasks = max((part[1] for part in data["log"]["parts"] if part[0] == number), default=0)
    print(f"{site['name']}: {tasks} tasks, %d own lines, %d shared" % lines_of(data["log"], number))
for site in data.get("inner", []):
    print(f"{site['name']} alone: %d own lines, %d shared" % lines_of(site["log"], 0))
