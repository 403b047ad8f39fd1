"""Checks that what a profile has and what was subtracted from it are the time that passed.

usage: wall_time.py PROGRAM    which prints the seconds that passed while it was profiled

The time before the program looks at its clock for the first time is in the profile, too. What else runs on the machine
may make that long, but not every time.
"""
import json
import os
import subprocess
import sys

from show_tree import total

ATTEMPTS = 5

program = sys.argv[1]
for attempt in range(ATTEMPTS):
    result = subprocess.run([program], env=os.environ | {"PROPHET_OUT": program + ".json"}, capture_output=True, check=True)
    passed = float(result.stdout)
    with open(program + ".json", encoding="utf-8") as file:
        tree = json.load(file)
    profiled = (total(tree) + tree["profiler"]["subtracted_ticks"]) / tree["timebase_hz"]
    print(f"{profiled:.6f} s profiled, {passed:.6f} s passed")
    if 0.995 < profiled / passed < 1.02:
        sys.exit()
sys.exit(1)
