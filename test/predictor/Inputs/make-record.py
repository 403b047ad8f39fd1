"""make-record.py [--threads N] DIR TREE PROFILE MEMORY OVERHEADS (two machine files): two rounds of a program as bench/memory_predictions.py keeps them."""
import json
import shutil
import sys
from pathlib import Path

threads = [2, 4]
if sys.argv[1] == "--threads":
    threads = [int(sys.argv[2])]
    del sys.argv[1:3]
record, tree, profile, memory, overheads = map(Path, sys.argv[1:])
record.mkdir(parents=True)
for number in range(2):
    shutil.copy(tree, record / f"tree.{number}.json")
shutil.copy(profile, record / "profile.json")
machine = json.loads(memory.read_text()) | {"overheads": json.loads(overheads.read_text())["overheads"]}
(record / "machine.json").write_text(json.dumps(machine))
seconds = {"serial": [6, 12], "profiled": [6, 12], "static 2": [3, 6], "static 4": [1.5, 6], "static,1 2": [4, 8], "static,1 4": [4, 8]}
(record / "measured.json").write_text(json.dumps({"threads": threads, "schedules": ["static", "static,1"], "seconds": seconds}))
