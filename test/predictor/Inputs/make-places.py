"""make-places.py DIR TREE PROFILE MEMORY OVERHEADS (two machine files): a program as bench/by_place.py keeps them.

Seven rounds: two of near cores, two of far ones, one in which the host moved the cores, one whose serial run was not alone,
and one behind which cores were not whole. Machine files are of near and far cores.
"""
import json
import shutil
import sys
from pathlib import Path

record, tree, profile, memory, overheads = map(Path, sys.argv[1:])
record.mkdir(parents=True)
shutil.copy(profile, record / "profile.json")
machine = json.loads(memory.read_text()) | {"overheads": json.loads(overheads.read_text())["overheads"]}
for number, handover in enumerate((62.0, 238.0)):
    machine["memory"]["quality"] = {"handover_ns": handover}
    (record / f"machine.{number}.json").write_text(json.dumps(machine))
runs = []
near, far = [6, 6, 3, 4, 12], [6, 6, 2, 3, 4]
for number, (before, after, times) in enumerate([(60, 75, near), (240, 230, far), (60, 241, [9, 9, 9, 9, 9]),
                                               (60, 60, [7, 6, 3, 4, 12]), (60, 60, [8, 8, 8, 8, 8]), (60, 62, near), (240, 240, far)]):
    shutil.copy(tree, record / f"tree.{number}.json")
    runs += [{"round": number, "kind": kind, "seconds": took, "alone": kind != "serial" or number != 3,
              "probes": [(before, 1.0), (after, 1.3 if number == 4 else 1.1)]}
             for kind, took in zip(("serial", "profiled", "static", "static,1", "dynamic,1"), times)]
(record / "runs.json").write_text(json.dumps(runs))
