//===- net_length.c - Tasks of some 50 ns, with and without profiler ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: net_length [few]
//
// Prints the median over rounds of a task's mean time, in nanoseconds. Built twice: with the
// runtime, which writes a tree, and with the one that does nothing. bench/net_length.py compares
// the tree's lengths with the time that the latter prints.
//
// A task has as many chains of computation as the processor has units for: what the
// profiler does cannot be hidden in the time that one chain waits for itself. With "few"
// it has less of them.
//
//===----------------------------------------------------------------------===//
#include <prophet/profile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MANY = 48, FEW = 8, ROUNDS = 200, TASKS = 2000 };

static inline __attribute__((always_inline)) void chains(unsigned *x, int count, int steps) {
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < count; ++j)
      x[j] = (x[j] ^ x[j] >> 7) + (unsigned)i;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* One loop of TASKS tasks of so many chains. */
static inline __attribute__((always_inline)) void loop(unsigned *x, int count, int steps) {
  unsigned section = __prophet_section_begin("parallel_for|net_length.c|1|loop|");
  for (int i = 0; i < TASKS; ++i) {
    unsigned task = __prophet_task_begin();
    chains(x, count, steps);
    __prophet_task_end(&task);
  }
  __prophet_section_end(&section);
}

int main(int argc, char **argv) {
  const int few = argc > 1 && strcmp(argv[1], "few") == 0;
  static volatile unsigned sink;
  unsigned x[MANY] = {1};
  double each[ROUNDS];
  for (int round = 0; round < ROUNDS; ++round) {
    const double start = seconds();
    if (few)
      loop(x, FEW, 44);
    else
      loop(x, MANY, 16);
    each[round] = (seconds() - start) / TASKS;
  }
  sink = x[0] + x[FEW - 1] + x[MANY - 1];
  (void)sink;
  qsort(each, ROUNDS, sizeof *each, ascending);
  printf("%f\n", each[ROUNDS / 2] * 1e9);
  return 0;
}
