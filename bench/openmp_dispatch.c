//===- openmp_dispatch.c - Chunks from a central queue --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What schedule(monotonic:dynamic,1) takes on a team of threads, for bodies of
// different lengths: how often a chunk is dealt out, and how long each keeps its
// thread beyond its body. Medians. Best with quiet cores or real-time priority:
//
//   chrt -f 10 openmp_dispatch [THREADS]
//   gcc -O2 -fopenmp openmp_dispatch.c && chrt -f 10 ./a.out     (libgomp)
//
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 4000, REPETITIONS = 31 };

static const int bodies[] = {0, 20, 50, 100, 200, 500, 1000, 2000}; // steps

__attribute__((noinline)) static void delay(int steps) {
  for (int i = 0; i < steps; ++i)
    __asm__ volatile("" ::: "memory");
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/** Seconds until the last of `threads` is through. */
static double parallel_seconds(int threads, int body) {
  double longest = 0;
#pragma omp parallel num_threads(threads) reduction(max : longest)
  {
#pragma omp barrier
    double start = omp_get_wtime();
#pragma omp for schedule(monotonic : dynamic, 1) nowait
    for (int i = 0; i < ITERATIONS; ++i)
      delay(body);
    longest = omp_get_wtime() - start;
  }
  return longest;
}

static double serial_seconds(int body) {
  double start = omp_get_wtime();
  for (int i = 0; i < ITERATIONS; ++i)
    delay(body);
  return omp_get_wtime() - start;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  if (threads < 1 || threads > 1024) {
    fprintf(stderr, "openmp_dispatch: between 1 and 1024 threads\n");
    return 2;
  }
  parallel_seconds(threads, 0); // the threads are made
  for (size_t b = 0; b < sizeof bodies / sizeof *bodies; ++b) {
    double every[REPETITIONS], body[REPETITIONS];
    for (int i = 0; i < REPETITIONS; ++i) {
      every[i] = parallel_seconds(threads, bodies[b]) / ITERATIONS * 1e9;
      body[i] = serial_seconds(bodies[b]) / ITERATIONS * 1e9;
    }
    qsort(every, REPETITIONS, sizeof *every, ascending);
    qsort(body, REPETITIONS, sizeof *body, ascending);
    double chunk = every[REPETITIONS / 2], own = body[REPETITIONS / 2];
    printf("body %7.1f ns: a chunk every %6.1f ns, %7.1f ns beyond its body\n", own, chunk,
           threads * chunk - own);
  }
  return 0;
}
