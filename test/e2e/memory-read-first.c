// REQUIRES: memory-replay
// Memory that is read before anything has written to it has no pages of its own: the loop that first writes to it is
// named, and not one that writes to new memory at once.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang-prophet -O2 %s -o app && %clang-prophet -O2 -fplugin-arg-prophet-memory %s -o app-memory
// RUN: env PROPHET_OUT=app.prophet.json ./app && env PROPHET_MEMORY_OUT=app.prophet-memory.json ./app-memory
// RUN: %python -c "import json; print(*(s['name'] + ' ' + str(s['read_first'] > 0) for s in json.load(open('app.prophet-memory.json'))['sites']))" | FileCheck %s --check-prefix=COUNTS
// COUNTS: fill False look False add True
// RUN: printf '{"format": "prophet-machine", "version": 1, "caches": [{"level": 1, "bytes": 32768}, {"level": 2, "bytes": 1000000}], "memory": {"curves": {"1": [[0, 80], [10, 80]]}, "classes": {"stream": 10, "stride": 5, "irregular": 5}}}' > m.json
// RUN: %prophet predict app.prophet.json --threads 2 --machine m.json --overheads none --memory-profile app.prophet-memory.json 2>&1 | FileCheck %s
// CHECK: app.prophet-memory.json: the first to write to memory that was read before is 'add'
// CHECK: (8 MB): where it was new,
#include <stdlib.h>

enum { ROWS = 128, COLUMNS = 8192 };

int main(void) {
  double(*filled)[COLUMNS] = malloc(ROWS * sizeof *filled), (*read)[COLUMNS] = calloc(ROWS, sizeof *read);
  double sum = 0;
#pragma prophet parallel for name(fill)
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j)
      filled[i][j] = i * 7 % 5 + j;
#pragma prophet parallel for name(look)
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j)
      sum += read[i][j] + filled[i][j];
#pragma prophet parallel for name(add)
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j)
      read[i][j] += filled[i][j];
  return sum < 0 || read[ROWS - 1][0] < 0;
}
