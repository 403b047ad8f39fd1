//===- private_bins.c - Keys counted in an array of each thread -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: private_bins [parts] [repetitions]
//
// Of each part of random keys the most frequent one. Its bins are in one array of
// the program, which OpenMP's clause makes each thread's own; with -DUNLISTED the
// annotation leaves that out, and says thereby that all threads share it. With
// -DHEAP each part allocates its bins, and with -DTHREAD_LOCAL the array is each
// thread's by its declaration.
//
//===----------------------------------------------------------------------===//
#include "../examples/support.h"

enum { part = 1 << 14, bins = 2048 };
#if defined THREAD_LOCAL
static _Thread_local uint64_t counts[bins];
#elif !defined HEAP
static uint64_t counts[bins];
#endif
#if !defined HEAP && !defined THREAD_LOCAL
#define SHARED // without a clause
#endif

static void findMost(const uint32_t *keys, uint64_t *most, int parts) {
#if defined SHARED && !defined UNLISTED
#pragma prophet parallel for name(parts) private(counts)
#else
#pragma prophet parallel for name(parts)
#endif
#ifdef SHARED
#pragma omp parallel for schedule(SCHEDULE) private(counts)
#else
#pragma omp parallel for schedule(SCHEDULE)
#endif
  for (int p = 0; p < parts; ++p) {
#ifdef HEAP
    uint64_t *counts = malloc(bins * sizeof *counts);
#endif
    for (int bin = 0; bin < bins; ++bin)
      counts[bin] = 0;
    for (int i = 0; i < part; ++i)
      ++counts[keys[(size_t)p * part + i] % bins];
    most[p] = 0;
    for (int bin = 0; bin < bins; ++bin)
      most[p] = counts[bin] > most[p] ? counts[bin] : most[p];
#ifdef HEAP
    free(counts);
#endif
  }
}

int main(int argc, char **argv) {
  double start = startClock();
  int parts = argument(argc, argv, 1, 256, 1), repetitions = argument(argc, argv, 2, 40, 1);
  uint32_t *keys = allocate((size_t)parts * part, sizeof *keys);
  uint64_t *most = allocate(parts, sizeof *most);
  uint64_t state = 1;
  for (size_t i = 0; i < (size_t)parts * part; ++i)
    keys[i] = (uint32_t)(randomBits(&state) >> 11);
  for (int i = 0; i < repetitions; ++i)
    findMost(keys, most, parts);
  const char *wrong = NULL;
  for (int p = 0; p < parts; ++p)
    if (most[p] < part / bins || most[p] > 10 * part / bins)
      wrong = "no bin of random keys has so few, or so many";
  int status = finish(start, wrong);
  free(keys);
  free(most);
  return status;
}
