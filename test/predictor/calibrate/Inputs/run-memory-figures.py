"""run-memory-figures.py PROGRAM: what it prints of the latency of 16 to 32 KiB, on two of the processors, or the one, that there are."""
import json
import os
import subprocess
import sys

cpus = sorted(os.sched_getaffinity(0))[:2]
printed = subprocess.run([sys.argv[1], "latency", str(16 << 10), str(32 << 10), str(1 << 20), str(1 << 20), ",".join(map(str, cpus)), str(os.getpid())],
                         capture_output=True, text=True, check=True).stdout
print(printed)
assert (json.loads(printed)["handover"] > 0) == (len(cpus) > 1), "what a line takes from core to core"
