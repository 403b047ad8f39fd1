//===- support.h - What every example needs around its kernel --*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
//
// Arguments, a clock, memory, a random sequence that is the same everywhere,
// and the closing lines that examples/demo.py reads:
//
//   time: 0.512345 s
//   check: ok
//
//===--------------------------------------------------------------------===//
#pragma once

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime, also under -std=c11
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Of the OpenMP version, as in -DSCHEDULE=static,1. `runtime` takes what OMP_SCHEDULE says, for
/// which libomp asks before each chunk, as it does under dynamic: a compiled static,1 costs nothing
/// of the kind.
#ifndef SCHEDULE
#define SCHEDULE runtime
#endif

/// Monotonic wall-clock time in seconds.
static inline double secondsNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// The `index`-th argument as an integer >= `least`, or `fallback` where there is none.
/// Anything else ends the program with one line and status 2.
static inline int argument(int argc, char **argv, int index, int fallback, int least) {
  if (index >= argc)
    return fallback;
  char *end = NULL;
  long value = strtol(argv[index], &end, 10);
  if (*argv[index] == '\0' || *end != '\0' || value < least || value > 1000000) {
    fprintf(stderr, "%s: argument %d is '%s'; give a whole number from %d to 1000000\n", argv[0],
            index, argv[index], least);
    exit(2);
  }
  return (int)value;
}

/// `count` objects of `size` bytes, all zero. Ends the program where there is no memory.
static inline void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) {
    fprintf(stderr, "no memory for %zu objects of %zu bytes; choose a smaller size\n", count, size);
    exit(2);
  }
  return memory;
}

/// The next 64 random bits of `state` (splitmix64).
static inline uint64_t randomBits(uint64_t *state) {
  uint64_t bits = (*state += 0x9e3779b97f4a7c15u);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/// A random number in [0, 1).
static inline double randomUnit(uint64_t *state) {
  return (double)(randomBits(state) >> 11) * 0x1p-53;
}

/// The time at which the program starts its work. OpenMP's threads are created before it: that
/// happens once in a process and is no part of any loop.
static inline double startClock(void) {
#ifdef _OPENMP
#pragma omp parallel
  {
#pragma omp barrier
  }
#endif
  return secondsNow();
}

/// Prints the closing lines and returns the program's exit status. `start` is startClock()'s, from
/// the beginning of main: what is predicted is the speedup of the whole program. `wrong` is null
/// where the answer is right, else what is wrong with it.
static inline int finish(double start, const char *wrong) {
  printf("time: %.6f s\n", secondsNow() - start);
  if (!wrong) {
    printf("check: ok\n");
    return 0;
  }
  fprintf(stderr, "check: WRONG: %s\n", wrong);
  return 1;
}
