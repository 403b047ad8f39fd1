//===- openmp_figure7.c - The paper's Figure 7 on real cores --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two inner loops of tasks (10, 5) and (5, 10) in an outer loop of two, on teams
// of two: four threads on two cores (Parallel Prophet §IV-D). Prints the speedup
// over one thread: least, median and most of the repetitions. How threads wait
// is the environment's, e.g.
//
//   OMP_WAIT_POLICY=passive openmp_figure7 [REPETITIONS]
//
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/** Some 5 ms a unit of Figure 7's ten or five. */
enum { STEPS_PER_UNIT = 3 * 1000 * 1000 };

static const int lengths[2][2] = {{10, 5}, {5, 10}};
static volatile double sink;

static void compute(int units) {
  double x = 1, y = 0.5;
  for (long i = 0; i < (long)units * STEPS_PER_UNIT; ++i) {
    x = x * 0.999999 + y;
    y = y * 0.99999 + 1e-9;
  }
  sink = x + y;
}

static double serial_seconds(void) {
  double start = omp_get_wtime();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      compute(lengths[i][j]);
  return omp_get_wtime() - start;
}

static double parallel_seconds(void) {
  double start = omp_get_wtime();
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int i = 0; i < 2; ++i) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int j = 0; j < 2; ++j)
      compute(lengths[i][j]);
  }
  return omp_get_wtime() - start;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  int repetitions = argc > 1 ? atoi(argv[1]) : 15;
  double speedups[1001];
  if (repetitions < 1 || repetitions > 1001) {
    fprintf(stderr, "openmp_figure7: between 1 and 1001 repetitions\n");
    return 2;
  }
  omp_set_max_active_levels(2);
  parallel_seconds(); // the threads are made
  for (int i = 0; i < repetitions; ++i) {
    double serial = serial_seconds();
    speedups[i] = serial / parallel_seconds();
  }
  qsort(speedups, (size_t)repetitions, sizeof *speedups, ascending);
  printf("speedup %.2f .. %.2f .. %.2f (%d repetitions)\n", speedups[0], speedups[repetitions / 2],
         speedups[repetitions - 1], repetitions);
  return 0;
}
