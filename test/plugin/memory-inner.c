// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O1 %s -o app
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python %S/Inputs/show_log.py app.json | FileCheck %s --check-prefix=OUTER
// RUN: %python %S/Inputs/show_log.py app.json columns | FileCheck %s --check-prefix=INNER
// RUN: %python %S/Inputs/show_memory.py app.json --inner | FileCheck %s --check-prefix=COUNTS

// A loop inside another one has a log of its own, where it alone is parallel: what is around it is
// serial code, also a task of its own site's.
// OUTER:      rate 1 complete
// OUTER-NEXT: steps 2 tasks: 0 writes A 2, 1 writes A 2
// OUTER-NEXT: columns 4 tasks: 0 reads A 1, 1 reads A 1
// OUTER-NOT:  columns
// INNER:      rate 1 complete
// INNER-NEXT: outside 1 tasks: 0 writes A 2
// INNER-NEXT: columns 4 tasks: 0 reads A 1, 1 reads A 1, 2 reads A 1, 3 reads A 1
// INNER-NEXT: outside 1 tasks: 0 writes A 2
// INNER-NEXT: columns 4 tasks: 0 reads A 1, 1 reads A 1, 2 reads A 1, 3 reads A 1
// INNER-NEXT: columns 4 tasks: 0 reads A 1, 1 reads A 1, 2 reads A 1, 3 reads A 1
// INNER-NOT:  columns

// COUNTS:      steps executions=1
// COUNTS:      columns executions=1 reads=32
// COUNTS:      inner columns executions=3 reads=96
enum { Line = 8 };
static __attribute__((aligned(64))) volatile long matrix[4 * Line];

static void readColumns(void) {
#pragma prophet parallel for name(columns)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < Line; j++)
      matrix[i * Line + j];
}

int main(void) {
#pragma prophet parallel for name(steps)
  for (int k = 0; k < 2; k++) {
    matrix[0] = k;
    matrix[Line] = k;
    readColumns();
  }
  readColumns();
  return 0;
}
