// REQUIRES: memory-profile
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang-prophet -O1 app.c -o app
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O1 app.c -o app.memory
// RUN: %prophet run -o app.prophet.json -- ./app && env PROPHET_MEMORY_OUT=app.prophet-memory.json ./app.memory
// RUN: %python check.py %prophet

// Candidate loops inside each other: eight cells share a line. Which thread has which matters where
// the inner loop alone is parallel, and not where the outer one is, of which each has a part.
//--- app.c
enum { Steps = 4, Cells = 4096 };
static __attribute__((aligned(64))) volatile double cells[Steps][Cells];

static double work(int n) {
  double x = n;
  for (int i = 0; i < 100; i++)
    x = x * 0.5 + i;
  return x;
}

int main(void) {
#pragma prophet parallel for name(steps)
  for (int step = 0; step < Steps; step++)
    for (int time = 0; time < 3; time++) {
#pragma prophet parallel for name(cells)
      for (int i = 0; i < Cells; i++)
        cells[step][i] = work(i);
    }
  return 0;
}
//--- m.json
{"format": "prophet-machine", "version": 1, "cores": 4, "line": 64,
 "caches": [{"level": 2, "bytes": 1048576, "shared_by": 1}, {"level": 3, "bytes": 16777216, "shared_by": 4}],
 "memory": {"threads": 4, "saturation_seen": true, "curves": {"1": [[0.5, 80], [100, 80]]},
            "classes": {"stream": 12, "stride": 6, "irregular": 4, "chase": 1}, "transfer_ns": 20000}}
//--- check.py
import json, subprocess, sys

def speedups(*words):
    """By schedule: of the program, and gains by site."""
    command = [sys.argv[1], "predict", "app.prophet.json", "--threads", "2", "--schedule", "static", "--schedule", "static,1",
               "--overheads", "none", "--format", "json", *words]
    estimates = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["estimates"]
    return [(e["speedup"], {site["name"]: site["gain"] for site in e["sites"]}) for e in estimates]

memory, none = ["--machine", "m.json"], ["--memory", "none"]
for (own, gains), (plain, plain_gains), (alone, _), slower in zip(
        speedups(*memory), speedups(*none), speedups("--site", "cells", *memory), (False, True)):
    print(own, plain, gains, plain_gains, alone)
    assert abs(own / plain - 1) < 0.05 and abs(gains["steps"] / plain_gains["steps"] - 1) < 0.05
    assert abs(gains["cells"] / alone - 1) < 1e-9
    ratio = gains["cells"] / plain_gains["cells"]
    assert ratio < 0.1 if slower else 0.9 < ratio <= 1.001, ratio
