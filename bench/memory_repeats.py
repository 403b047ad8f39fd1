#!/usr/bin/env python3
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far apart repeated calibrations are in what they say of memory.

Runs `prophet calibrate` several times and prints, figure by figure, the median, the widest deviation
from it and the interquartile range in percent of it; then how many windows each run accepted. With
--limit, exit status 1 where a figure deviates by more. Only a quiet machine gives figures that mean
something.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


def figures(machine):
    """Named figures of one machine file."""
    memory = machine["memory"]
    named = {f"{name} GB/s": gbs for name, gbs in memory["classes"].items()}
    for cache in machine["caches"]:
        named[f"L{cache['level']} ns"] = cache["lat_ns"]
        reach = cache.get("reach", [])
        for number, (ns, size) in enumerate(reach, 1):
            point = f"L{cache['level']} reach, {number} of {len(reach)},"  # of others with as many
            named |= {f"{point} ms": ns / 1e6, f"{point} MiB": size / 2**20}
    for share, points in memory["curves"].items():
        named[f"idle ns, read share {share}"] = points[0][1]
        named[f"most GB/s, read share {share}"] = max(gbs for gbs, _ in points)
    for key in ("stream_runs", "busy_stream_runs", "written_stream_runs", "shared_stream_runs", "busy_shared_runs",
                "written_shared_runs"):
        named |= {f"{key} of {lines} GB/s": gbs for lines, gbs in memory.get(key, {}).items()}
    together = memory.get("together", {})
    for streams, overlap in (("one stream", memory.get("overlap", {})),
                             (f"{together.get('streams')} streams", together.get("overlap", {}))):
        for level, points in overlap.items():
            for number, (computing, shows) in list(enumerate(points, 1))[1:]:
                named[f"loop {number} on {streams} from {level}, over the first"] = computing + shows
    if together:
        named[f"{together['streams']} streams GB/s"] = together["gbs"]
    named |= {f"ends_together {level} {key}": times for level, ends in memory.get("ends_together", {}).items()
              for key, times in ends.items() if key != "streams"}
    named |= {f"own_ends {lines}": ns for lines, ns in memory.get("own_ends", {}).items()}
    for name, move in memory.get("moved_lines", {}).items():
        named |= {f"moved_lines {name}": ns for key, ns in move.items() if key == "ahead_ns"}
        named |= {f"moved_lines {name}, end of {lines}": ns for lines, ns in move.get("ends", {}).items()}
    single = ("transfer_ns", "transfer_ahead_ns", "accesses_per_ns", "addition_ns", "sparse_gbs", "shared_cache_gbs",
              "shared_stream_gbs")
    named |= {key: memory[key] for key in single if key in memory}
    named |= {f"shared_by_all {key}": gbs for key, gbs in memory.get("shared_by_all", {}).items() if key != "threads"}
    return named


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build/opt"), help="Prophet's build tree")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=50, help="of each run, at most")
    parser.add_argument("--limit", type=float, help="percent that a figure may deviate")
    parser.add_argument("--save", type=Path, help="keep the machine files in this directory")
    options = parser.parse_args()
    if options.runs < 2:
        parser.error("--runs must be at least 2, or there is nothing to compare")
    machines = []
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.save or Path(temporary)
        directory.mkdir(parents=True, exist_ok=True)
        for number in range(options.runs):
            path = directory / f"{number}.json"
            path.unlink(missing_ok=True)  # calibrate keeps what it does not measure
            subprocess.run([options.build / "bin" / "prophet", "calibrate", "--seconds",
                            str(options.seconds), "-o", path], check=True, stdout=subprocess.DEVNULL)
            machines.append(json.loads(path.read_text()))
    worst = 0
    runs = [figures(machine) for machine in machines]
    for name in dict.fromkeys(name for run in runs for name in run):
        values = [run[name] for run in runs if name in run]
        if len(values) < 2:
            continue
        middle = statistics.median(values)
        deviation = 100 * max(abs(value / middle - 1) for value in values)
        worst = max(worst, deviation)
        low, _, high = statistics.quantiles(values, n=4)
        print(f"{name:32} {middle:10.4g}  ±{deviation:.1f} %, {100 * (high - low) / middle:.1f} %")
    for machine in machines:
        quality = machine["memory"]["quality"]
        print(f"{quality['accepted']} of {quality['tried']} windows accepted")
    sys.exit(options.limit is not None and worst > options.limit)


if __name__ == "__main__":
    main()
