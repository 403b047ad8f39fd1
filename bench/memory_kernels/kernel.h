//===- kernel.h - What the kernels have in common ----------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is a program KERNEL SIZE REPETITIONS that prints "time: SECONDS" and a checksum.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/** Of this process alone: what else the machine does would be in the time that passes. */
static inline double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void *memory(long bytes) {
  void *base = aligned_alloc(64, (size_t)((bytes + 63) / 64 * 64));
  if (!base)
    abort();
  return base;
}

/** Numbers without pattern, the same ones every time. */
static inline uint64_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

/** Runs `work` on `size` as often as asked, and says how long that took. */
static inline int kernel_main(int argc, char **argv, void (*prepare)(long), void (*work)(long),
                              double (*result)(long)) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s SIZE REPETITIONS\n", argv[0]);
    return 2;
  }
  long size = atol(argv[1]);
  prepare(size);
  double begin = seconds();
  for (long i = atol(argv[2]); i > 0; --i)
    work(size);
  printf("time: %.6f\nresult: %.17g\n", seconds() - begin, result(size));
  return 0;
}
