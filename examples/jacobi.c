//===- jacobi.c - Laplace's equation by relaxation ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: jacobi [size] [steps]
//
// Jacobi's method on a square grid: every point becomes the mean of its four
// neighbours. Three additions and a multiplication for each point that is read
// and written: a stencil that waits for memory. Two grids that change roles after
// every step, one task for each row.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <math.h>

/// The harmonic function x^2 - y^2, of which the mean of four neighbours is the point itself.
static double harmonic(int i, int j, int size) {
  double x = (double)i / (size - 1), y = (double)j / (size - 1);
  return x * x - y * y;
}

static const double pi = 3.14159265358979323846;

/// The longest wave that vanishes at the border, along one side. The product of two sides' shrinks
/// in a step by the cosine of pi/(size - 1).
static double wave(int i, int size) { return sin(pi * i / (size - 1)); }

/// One step, from `from` to `to`, each size x size points. The border stays.
static void relax(const double *from, double *to, int size) {
#pragma prophet parallel for name(rows)
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = 1; i < size - 1; ++i) {
    const double *row = from + (size_t)i * size;
    double *target = to + (size_t)i * size;
    for (int j = 1; j < size - 1; ++j)
      target[j] = 0.25 * (row[j - size] + row[j + size] + row[j - 1] + row[j + 1]);
  }
}

/// What is left of the wave after `steps`, on the harmonic function, at some points.
static const char *check(const double *grid, int size, int steps) {
  double left = pow(cos(pi / (size - 1)), steps);
  for (int i = 0; i < size; i += 7)
    for (int j = 0; j < size; j += 5)
      if (fabs(grid[(size_t)i * size + j] - harmonic(i, j, size) -
               left * wave(i, size) * wave(j, size)) > 1e-9)
        return "a point is not what the wave leaves there";
  return NULL;
}

int main(int argc, char **argv) {
  double start = startClock();
  int size = argument(argc, argv, 1, 2500, 3), steps = argument(argc, argv, 2, 30, 1);
  double *grid = allocate((size_t)size * size, sizeof(double));
  double *other = allocate((size_t)size * size, sizeof(double));
  double *waves = allocate(size, sizeof(double));
  for (int i = 0; i < size; ++i)
    waves[i] = wave(i, size);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      other[(size_t)i * size + j] = grid[(size_t)i * size + j] =
          harmonic(i, j, size) + waves[i] * waves[j];

  for (int step = 0; step < steps; ++step) {
    relax(grid, other, size);
    double *swap = grid;
    grid = other;
    other = swap;
  }

  int status = finish(start, check(grid, size, steps));
  free(grid);
  free(other);
  free(waves);
  return status;
}
