//===- memory_rows.c - Rows that tasks go through in order ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: memory_rows [size] [rows] [steps]
//
// A grid of rows, one task for each: -DREAD adds them up, -DCOPY takes them from 1
// into another grid, and otherwise a row becomes the mean of its neighbours'. But for
// READ the two grids change roles after every step. So tasks that are next to each other go on in
// memory where the one before ends, and with a stencil they share rows; which chunks
// a schedule makes of them is all that its speedups differ by.
//
//===----------------------------------------------------------------------===//
#include "../examples/support.h"

#ifdef READ
/// Eight sums, so that additions do not wait for each other.
static double sumOf(const double *row, int size) {
  double sums[8] = {0};
  for (int j = 0; j + 8 <= size; j += 8)
    for (int k = 0; k < 8; ++k)
      sums[k] += row[j + k];
  double sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += sums[k];
  return sum;
}
#endif

static void step(const double *from, double *to, int size, int rows) {
#pragma prophet parallel for name(rows)
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = 1; i < rows - 1; ++i) {
    const double *row = from + (size_t)i * size;
    double *target = to + (size_t)i * size;
#if defined(READ)
    target[0] = sumOf(row, size);
#elif defined(COPY)
    for (int j = 0; j < size; ++j)
      target[j] = 1 - row[j];
#else
    for (int j = 1; j < size - 1; ++j)
      target[j] = 0.25 * (row[j - size] + row[j + size] + row[j - 1] + row[j + 1]);
#endif
  }
}

int main(int argc, char **argv) {
  double start = startClock();
  int size = argument(argc, argv, 1, 2500, 8), rows = argument(argc, argv, 2, 12000, 3);
  int steps = argument(argc, argv, 3, 30, 1);
  double *grid = allocate((size_t)size * rows, sizeof(double));
  double *other = allocate((size_t)size * rows, sizeof(double));
  for (size_t i = 0; i < (size_t)size * rows; ++i)
    grid[i] = other[i] = 1;
  for (int i = 0; i < steps; ++i) {
    step(grid, other, size, rows);
#ifndef READ
    double *swap = grid;
    grid = other;
    other = swap;
#endif
  }
#if defined(READ)
  const char *wrong = other[size] == size / 8 * 8 ? NULL : "the sum of a row is not its length";
#elif defined(COPY)
  const char *wrong = grid[size] == (steps % 2 == 0) ? NULL : "a point is not what it was taken to";
#else
  const char *wrong = grid[size + 1] == 1 ? NULL : "the mean of ones is not one";
#endif
  int status = finish(start, wrong);
  free(grid);
  free(other);
  return status;
}
