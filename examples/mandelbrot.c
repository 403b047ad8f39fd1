//===- mandelbrot.c - The Mandelbrot set, a task for every column ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: mandelbrot [columns] [iterations]
//
// Points inside the set cost `iterations` steps, points far outside a few. The
// set fills the right half of the picture, so contiguous blocks of columns are
// unequal: static loses to static,1 and dynamic,1.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <complex.h>
#include <math.h>

static const double left = -2.0, right = 0.6, top = 1.2;

struct Picture {
  int columns, rows, iterations;
  int *counts; ///< column after column
};

static double realOf(const struct Picture *picture, int column) {
  return left + (right - left) * (column + 0.5) / picture->columns;
}

/// Exactly antisymmetric in the rows, so that the picture is exactly symmetric.
static double imaginaryOf(const struct Picture *picture, int row) {
  return top * (2 * row + 1 - picture->rows) / picture->rows;
}

/// How often z -> z^2 + c can be applied to 0 before |z| exceeds 2, at most `limit`.
static int escapeTime(double re, double im, int limit) {
  double x = 0, y = 0;
  int count = 0;
  while (count < limit && x * x + y * y <= 4) {
    double next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
    ++count;
  }
  return count;
}

static void compute(struct Picture *picture) {
#pragma prophet parallel for name(columns)
#pragma omp parallel for schedule(SCHEDULE)
  for (int column = 0; column < picture->columns; ++column) {
    int *counts = picture->counts + (size_t)column * picture->rows;
    double re = realOf(picture, column);
    for (int row = 0; row < picture->rows; ++row)
      counts[row] = escapeTime(re, imaginaryOf(picture, row), picture->iterations);
  }
}

/// Inside the main cardioid or the period-2 disc, where no orbit escapes.
static int surelyInside(double re, double im) {
  double complex c = re + im * I;
  return cabs(1 - csqrt(1 - 4 * c)) < 1 || cabs(c + 1) < 0.25;
}

/// Compares with what is known of the set: its symmetry, two of its parts, the disc that holds it.
static const char *check(const struct Picture *picture) {
  for (int column = 0; column < picture->columns; ++column) {
    const int *counts = picture->counts + (size_t)column * picture->rows;
    for (int row = 0; row < picture->rows; ++row) {
      double re = realOf(picture, column), im = imaginaryOf(picture, row);
      if (counts[row] != counts[picture->rows - 1 - row])
        return "the picture is not symmetric";
      if (surelyInside(re, im) && counts[row] != picture->iterations)
        return "a point of the set escaped";
      if (hypot(re, im) > 2.0001 && counts[row] > 1)
        return "a point outside the disc of radius 2 stayed";
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  double start = startClock();
  struct Picture picture = {.columns = argument(argc, argv, 1, 600, 1)};
  picture.rows = picture.columns;
  picture.iterations = argument(argc, argv, 2, 2500, 2);
  picture.counts = allocate((size_t)picture.columns * picture.rows, sizeof(int));

  compute(&picture);

  int status = finish(start, check(&picture));
  free(picture.counts);
  return status;
}
