// REQUIRES: memory-profile
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang-prophet -O1 app.c -o app
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O1 app.c -o app.memory
// RUN: %prophet run -o app.prophet.json -- ./app && env PROPHET_MEMORY_OUT=app.prophet-memory.json ./app.memory
// RUN: %prophet predict app.prophet.json --threads 2 --site cells --schedule static --schedule static,1 --overheads none --machine m.json --format json -o cells.json
// RUN: %python %S/../predictor/Inputs/check-prediction.py cells.json "p['estimates'][0]['speedup'] > 3 * p['estimates'][1]['speedup']" "p['estimates'][1]['loss']['memory'] > 0.5"
// RUN: %prophet predict app.prophet.json --threads 2 --schedule static --schedule static,1 --overheads none --machine m.json --format json -o all.json
// RUN: %python %S/../predictor/Inputs/check-prediction.py all.json "p['estimates'][0]['sites'][1]['gain'] > 3 * p['estimates'][1]['sites'][1]['gain']" "all(e['speedup'] > 1.5 and abs(e['loss']['memory']) < 0.1 for e in p['estimates'])"

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
