//===- openmp_iteration.c - What a loop's iterations cost beyond its chunks ===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of n iterations a thread in chunks of c against the same iterations without
// a construct, in turns: what they take longer, divided by n, is the cost of an
// iteration + that of a chunk / c. A line through the medians over 1 / c has both.
// Best with quiet cores or real-time priority:
//
//   chrt -f 10 openmp_iteration [THREADS]
//   gcc -O2 -fopenmp openmp_iteration.c && chrt -f 10 ./a.out     (libgomp)
//
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 16384, REPETITIONS = 61, BODY = 50 };

static const int chunks[] = {32, 64, 128, 256, 1024, 4096};
enum { CHUNKS = sizeof chunks / sizeof *chunks };

static const char *const names[] = {"static,c", "monotonic:dynamic,c", "nonmonotonic:dynamic,c"};
enum { SCHEDULES = sizeof names / sizeof *names };

__attribute__((noinline)) static void body(void) {
  for (int i = 0; i < BODY; ++i)
    __asm__ volatile("" ::: "memory");
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/** This thread's part of `count` iterations; -1: as many on each thread, without a construct. */
static void share(int schedule, int chunk, int count, int own) {
  switch (schedule) {
  case -1:
    for (int i = 0; i < own; ++i)
      body();
    break;
  case 0:
#pragma omp for schedule(static, chunk) nowait
    for (int i = 0; i < count; ++i)
      body();
    break;
  case 1:
#pragma omp for schedule(monotonic : dynamic, chunk) nowait
    for (int i = 0; i < count; ++i)
      body();
    break;
  case 2:
#pragma omp for schedule(nonmonotonic : dynamic, chunk) nowait
    for (int i = 0; i < count; ++i)
      body();
    break;
  }
}

/** Nanoseconds an iteration of a thread until the last of `threads` is through. */
static double measure(int threads, int schedule, int chunk) {
  double longest = 0;
#pragma omp parallel num_threads(threads) reduction(max : longest)
  {
#pragma omp barrier
    double start = omp_get_wtime();
    share(schedule, chunk, threads * ITERATIONS, ITERATIONS);
    longest = omp_get_wtime() - start;
  }
  return longest / ITERATIONS * 1e9;
}

/** The median of what an iteration takes longer in chunks of `chunk`; half of the values are within
    `*spread` of it. */
static double longer(int threads, int schedule, int chunk, double *spread) {
  double values[REPETITIONS];
  for (int i = 0; i < REPETITIONS; ++i) {
    double with = measure(threads, schedule, chunk);
    values[i] = with - measure(threads, -1, 0);
  }
  qsort(values, REPETITIONS, sizeof *values, ascending);
  *spread = (values[3 * REPETITIONS / 4] - values[REPETITIONS / 4]) / 2;
  return values[REPETITIONS / 2];
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  if (threads < 1 || threads > 1024) {
    fprintf(stderr, "openmp_iteration: between 1 and 1024 threads\n");
    return 2;
  }
  measure(threads, -1, 0); // the threads are made
  for (int schedule = 0; schedule < SCHEDULES; ++schedule) {
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, widest = 0;
    for (int i = 0; i < CHUNKS; ++i) {
      double spread, x = 1.0 / chunks[i], y = longer(threads, schedule, chunks[i], &spread);
      sum_x += x;
      sum_y += y;
      sum_xx += x * x;
      sum_xy += x * y;
      widest = spread > widest ? spread : widest;
    }
    double chunk = (CHUNKS * sum_xy - sum_x * sum_y) / (CHUNKS * sum_xx - sum_x * sum_x);
    printf("%-22s an iteration %6.3f ns, a chunk %6.1f ns (half of the values within %.2f ns)\n",
           names[schedule], (sum_y - chunk * sum_x) / CHUNKS, chunk, widest);
  }
  return 0;
}
