//===- cache_passes.c - How passes come to find a cache's lines -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: cache_passes [threads] [MiB] [passes] [pause] [read|change]
//
// Threads go through so many MiB again and again, each through a part of its own, and
// read the lines or change them. They pause for `pause` nanoseconds a line, after every
// 64 KiB. Before that all of them go four times through four times as much, so that
// nothing is in the cache, or ten times through an eighth, so that this is. Prints
// how many GB/s passes get, pauses included, by their numbers: the medians of five such
// runs of both kinds, which take turns.
//
// How fast passes are depends on how many instructions a line takes: built by hand with
// `-O2 -mavx2 -DWIDTH=32 -fopenmp` it has half as many.
//
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, PAGE = 4096, BLOCK = 1 << 16, RUNS = 5, MOST = 1000 };
#ifndef WIDTH
#define WIDTH 16 ///< bytes of an access
#endif
typedef double Vector __attribute__((vector_size(WIDTH)));
enum { VECTORS = BLOCK / sizeof(Vector) };

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

__attribute__((noinline)) static void readBlock(const Vector *at) {
  Vector sums[4] = {{0}};
  for (size_t i = 0; i < VECTORS; i += 4)
    for (size_t j = 0; j < 4; ++j)
      sums[j] += at[i + j];
  __asm__ volatile("" : : "x"(sums[0]), "x"(sums[1]), "x"(sums[2]), "x"(sums[3]) : "memory");
}

__attribute__((noinline)) static void changeBlock(Vector *at) {
  for (size_t i = 0; i < VECTORS; ++i)
    at[i] += 1;
  __asm__ volatile("" : : : "memory");
}

struct Way {
  int threads, changes;
  double pauseNs; ///< a line
};

/** One pass of all threads through the first so many bytes; GB/s. */
static double pass(struct Way way, Vector *memory, size_t bytes) {
  const size_t blocks = bytes / BLOCK / (size_t)way.threads;
  const double begin = omp_get_wtime();
#pragma omp parallel num_threads(way.threads)
  {
    const size_t first = (size_t)omp_get_thread_num() * blocks;
    for (size_t i = first; i < first + blocks; ++i) {
      if (way.changes)
        changeBlock(memory + i * VECTORS);
      else
        readBlock(memory + i * VECTORS);
      const double until = omp_get_wtime() + 1e-9 * way.pauseNs * BLOCK / LINE;
      while (way.pauseNs > 0 && omp_get_wtime() < until)
        ;
    }
  }
  return (double)(blocks * BLOCK) * way.threads / (omp_get_wtime() - begin) / 1e9;
}

static long argument(int argc, char **argv, int number, long otherwise, long least, long most) {
  char *end = "";
  const long value = argc > number ? strtol(argv[number], &end, 10) : otherwise;
  if (*end || value < least || value > most) {
    fprintf(stderr,
            "cache_passes: argument %d is '%s'; give a whole number from %ld to %ld\n"
            "usage: cache_passes [threads] [MiB] [passes] [pause] [read|change]\n",
            number, argv[number], least, most);
    exit(2);
  }
  return value;
}

int main(int argc, char **argv) {
  struct Way way = {(int)argument(argc, argv, 1, 2, 1, 64), 0, 0};
  const size_t bytes = (size_t)argument(argc, argv, 2, 96, 1, 65536) << 20, most = 4 * bytes;
  const int passes = (int)argument(argc, argv, 3, 80, 1, MOST);
  way.pauseNs = (double)argument(argc, argv, 4, 0, 0, 1000);
  if (argc > 5 && strcmp(argv[5], "read") != 0 && strcmp(argv[5], "change") != 0) {
    fprintf(stderr, "cache_passes: argument 5 is '%s'; give read or change\n", argv[5]);
    return 2;
  }
  way.changes = argc > 5 && strcmp(argv[5], "change") == 0;
  Vector *memory = aligned_alloc(PAGE, most);
  if (!memory) {
    fprintf(stderr, "cache_passes: no memory for %zu MiB\n", most >> 20);
    return 2;
  }
  memset(memory, 0, most);
  static double gbs[2][MOST][RUNS];
  for (int run = 0; run < RUNS; ++run)
    for (int cached = 0; cached < 2; ++cached) {
      const struct Way without = {way.threads, 0, 0};
      for (int i = 0; i < (cached ? 10 : 4); ++i)
        pass(without, memory, cached ? bytes / 8 : most);
      for (int i = 0; i < passes; ++i)
        gbs[cached][i][run] = pass(way, memory, bytes);
    }
  printf("pass  from memory  from the cache, GB/s\n");
  for (int i = 0; i < passes; i = i < 3 ? i + 1 : i + (i + 1) / 4) {
    double middle[2];
    for (int cached = 0; cached < 2; ++cached) {
      qsort(gbs[cached][i], RUNS, sizeof(double), ascending);
      middle[cached] = gbs[cached][i][RUNS / 2];
    }
    printf("%4d  %11.1f  %14.1f\n", i + 1, middle[0], middle[1]);
  }
  free(memory);
  return 0;
}
