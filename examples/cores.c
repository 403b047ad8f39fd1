//===- cores.c - What processors are like right now -------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
//
// usage: cores [threads, 2]
//
// Prints how long the slowest of so many threads takes, all at once, for the same
// work; and how long a line takes from the first processor to another, the mean of up
// to 15 others. The host of a virtual machine may run two of its processors on one
// core, or other guests beside them: then the first time doubles. It may run them
// beside each other or far apart: then the second changes several times. That may be
// so every few seconds; measuring.py asks before and after each run.
//
//===--------------------------------------------------------------------===//
#include "support.h"

#include <omp.h>
#include <stdatomic.h>

enum { windows = 15, passes = 6000, elements = 512, partners = 15, pieces = 5, handovers = 200 };

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

/// Hands a line to and fro with another thread, which does so at the same time on the other side (0
/// or 1). Returns the ns of one way: the median of pieces, as a hypervisor may halt a processor.
static double handOver(atomic_int *turn, int side) {
  double ns[pieces];
  for (int piece = 0; piece < pieces; ++piece) {
    double start = secondsNow();
    for (int i = 0; i < handovers; ++i) {
      while (atomic_load_explicit(turn, memory_order_acquire) != side) {
      }
      atomic_store_explicit(turn, 1 - side, memory_order_release);
    }
    ns[piece] = (secondsNow() - start) * 1e9 / (2 * handovers);
  }
  qsort(ns, pieces, sizeof *ns, ascending);
  return ns[pieces / 2];
}

/// The mean of the first processor with others, ns; 0 where there are none.
static double handover(void) {
  static _Alignas(128) atomic_int turn;
  int processors = 1, count = 0;
  double sum = 0;
#pragma omp parallel num_threads(omp_get_num_procs())
#pragma omp single
  processors = omp_get_num_threads(); // there may be fewer
  for (int partner = 1; partner < processors && partner <= partners; ++partner, ++count) {
    turn = 0;
#pragma omp parallel num_threads(processors)
    if (omp_get_thread_num() == 0)
      sum += handOver(&turn, 0);
    else if (omp_get_thread_num() == partner)
      handOver(&turn, 1);
  }
  return count ? sum / count : 0;
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
  printf("milliseconds: %.4f\nhandover: %.1f\n", slowest * 1e3, handover());
  return 0;
}
