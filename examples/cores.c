//===- cores.c - Whether processors are cores -------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
//
// usage: cores [threads, 2]
//
// Prints how much faster so many threads compute than one, right now. The host of
// a virtual machine may run two of its processors on one core, and change that
// every few seconds; measuring.py asks before and after each run.
//
//===--------------------------------------------------------------------===//
#include "support.h"

enum { windows = 7, passes = 6000, elements = 512 };

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
  double ratios[windows];
  for (int window = -1; window < windows; ++window) { // the first one starts the threads
    double start = secondsNow();
    compute();
    double middle = secondsNow();
#pragma omp parallel num_threads(threads)
    compute();
    double end = secondsNow();
    if (window >= 0)
      ratios[window] = threads * (middle - start) / (end - middle);
  }
  qsort(ratios, windows, sizeof *ratios, ascending);
  printf("speedup: %.3f\n", ratios[windows / 2]);
  return 0;
}
