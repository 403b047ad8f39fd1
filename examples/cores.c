//===- cores.c - How fast processors compute right now ----------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
//
// usage: cores [threads, 2]
//
// Prints how long the slowest of so many threads takes, all at once, for the same
// work. The host of a virtual machine may run two of its processors on one core, or
// other guests beside them, and change that every few seconds: then this time
// doubles. measuring.py asks before and after each run.
//
//===--------------------------------------------------------------------===//
#include "support.h"

enum { windows = 15, passes = 6000, elements = 512 };

/// Vector arithmetic in the first cache: it keeps a core's units busy, so a second thread on the
/// same core gains little.
static void compute(void) {
  double values[elements];
  for (int i = 0; i < elements; ++i)
    values[i] = i;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = 0; i < elements; ++i)
      values[i] = values[i] * 0.999 + 0.5;
    __asm__ volatile("" : : "r"(values) : "memory");
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  int threads = argument(argc, argv, 1, 2, 1);
  double slowest = 0;
#pragma omp parallel num_threads(threads) reduction(max : slowest)
  {
    double seconds[windows];
#pragma omp barrier
    for (int window = 0; window < windows; ++window) {
      double start = secondsNow();
      compute();
      seconds[window] = secondsNow() - start;
    }
    qsort(seconds, windows, sizeof *seconds, ascending);
    slowest = seconds[windows / 2];
  }
  printf("milliseconds: %.4f\n", slowest * 1e3);
  return 0;
}
