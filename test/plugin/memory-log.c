// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O1 %s -o app
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python %S/Inputs/show_log.py app.json | FileCheck %s

// The log says which task of which execution used which lines, and how.
// CHECK:      rate 1 complete
// CHECK:      rows 4 tasks: 0 writes A 4, 1 writes A 4, 2 writes A 4, 3 writes A 4
// CHECK-NOT:  rows
// CHECK:      columns 3 tasks: 0 reads A 16, 1 reads A 16, 2 reads A 16
// CHECK:      rows 4 tasks: 0 writes A 4, 1 writes A 4, 2 writes A 4, 3 writes A 4
#include <stdlib.h>

enum { Rows = 4, Line = 8, Row = 4 * Line };
static __attribute__((aligned(64))) volatile long matrix[Rows * Row];
static volatile long other[600 * Line];

static void writeRows(void) {
#pragma prophet parallel for name(rows)
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Row; j++)
      matrix[i * Row + j] = j;
}

int main(void) {
  long sum = 0;
  writeRows();
#pragma prophet parallel for name(columns)
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < Rows * Row; j++)
      sum += matrix[j];
  for (int j = 0; j < 600; j++) // which are then far away
    sum += other[j * Line];
  writeRows();
  return sum == 0;
}
