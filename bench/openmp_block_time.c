//===- openmp_block_time.c - How long OpenMP's threads wait awake ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions of two threads, with more and more serial time between them: from its
// block time on the other thread is asleep, and the region begins later. Prints the
// median time from the master's meeting a region to the last thread's start, and
// how long the turns take that libgomp spins by default. Best with two quiet cores
// or real-time priority:
//
//   chrt -f 10 openmp_block_time
//   gcc -O2 -fopenmp openmp_block_time.c && chrt -f 10 ./a.out     (libgomp)
//
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 9, LIBGOMP_TURNS = 300000 };

static const double gaps_ms[] = {0.05, 1, 2, 4, 6, 8, 10, 15, 30, 100, 180, 220, 300};

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void wait_busily(double seconds) {
  double start = omp_get_wtime();
  while (omp_get_wtime() - start < seconds)
    ;
}

/** Seconds from here to the last thread's start. */
static double fork_seconds(void) {
  double starts[2] = {0, 0};
  double met = omp_get_wtime();
#pragma omp parallel num_threads(2)
  starts[omp_get_thread_num()] = omp_get_wtime();
  return (starts[0] > starts[1] ? starts[0] : starts[1]) - met;
}

static double turns_seconds(void) {
  volatile int word = 0;
  double start = omp_get_wtime();
  for (int i = 0; i < LIBGOMP_TURNS && word == 0; ++i) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }
  return omp_get_wtime() - start;
}

int main(void) {
  fork_seconds(); // the threads are made
  for (size_t gap = 0; gap < sizeof gaps_ms / sizeof *gaps_ms; ++gap) {
    double forks[REPETITIONS];
    for (int i = 0; i < REPETITIONS; ++i) {
      wait_busily(gaps_ms[gap] * 1e-3);
      forks[i] = fork_seconds();
    }
    qsort(forks, REPETITIONS, sizeof *forks, ascending);
    printf("%6.2f ms after the last region: %7.1f us\n", gaps_ms[gap],
           forks[REPETITIONS / 2] * 1e6);
  }
  printf("%d turns take %.1f ms\n", LIBGOMP_TURNS, turns_seconds() * 1e3);
  return 0;
}
