//===- stream_restarts.c - What it takes streams to begin anew ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through one, two and three arrays of memory at once, so many lines of each, and
// then, in turns: goes on; leaves out as many lines; goes on after it has touched
// 40 lines of other pages, as a runtime may that is asked for the next chunk. Prints
// what a row of each takes, what the others take more, and the ratio to one array's,
// in nanoseconds, medians.
//
//===----------------------------------------------------------------------===//
#define _DEFAULT_SOURCE // madvise
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 64, PAGE = 4096, STREAMS = 3, REPETITIONS = 15, TOUCHED = 40 };
enum { ON, SKIP, TOUCH, WAYS };
static const size_t bytes = (size_t)64 << 20; // of an array
static char *arrays[STREAMS];
static char *others; // pages

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void *allocate(size_t size) {
  char *memory = aligned_alloc((size_t)2 << 20, size);
  if (!memory) {
    fprintf(stderr, "stream_restarts: no memory\n");
    exit(2);
  }
  madvise(memory, size, MADV_HUGEPAGE); // where there are none, small pages do
  memset(memory, 1, size);
  return memory;
}

/** Reads `lines` of each of the first `streams` arrays from `offset` on, 16 bytes at a time. */
__attribute__((noinline)) static void row(int streams, size_t offset, size_t lines) {
  for (size_t at = offset; at < offset + lines * LINE; at += 16) {
    (void)*(volatile long *)(arrays[0] + at);
    if (streams > 1)
      (void)*(volatile long *)(arrays[1] + at);
    if (streams > 2)
      (void)*(volatile long *)(arrays[2] + at);
  }
}

__attribute__((noinline)) static void touchOthers(void) {
  for (size_t page = 0; page < TOUCHED; ++page)
    (void)*(volatile char *)(others + page * PAGE + page * 7 % (PAGE / LINE) * LINE);
}

/** Nanoseconds of a row. */
static double timeOf(int way, int streams, size_t lines) {
  const size_t step = lines * LINE * (way == SKIP ? 2 : 1);
  size_t rows = 0;
  const double begin = now();
  for (size_t offset = 0; offset + step <= bytes; offset += step, ++rows) {
    row(streams, offset, lines);
    if (way == TOUCH)
      touchOthers();
  }
  return (now() - begin) / (double)rows;
}

int main(void) {
  for (int i = 0; i < STREAMS; ++i)
    arrays[i] = (char *)allocate(bytes + PAGE) + (size_t)i * 17 * LINE; // not in the same sets
  others = allocate(TOUCHED * PAGE);
  printf("lines streams   going on  left out   ratio   touched   ratio\n");
  static const size_t lengths[] = {1, 2, 4, 8, 16, 64, 256, 512, 1024};
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l) {
    double one[WAYS] = {0};
    for (int streams = 1; streams <= STREAMS; ++streams) {
      double on[REPETITIONS], more[WAYS][REPETITIONS];
      for (int i = 0; i < REPETITIONS; ++i) {
        on[i] = timeOf(ON, streams, lengths[l]);
        for (int way = SKIP; way < WAYS; ++way)
          more[way][i] = timeOf(way, streams, lengths[l]) - on[i];
      }
      qsort(on, REPETITIONS, sizeof *on, ascending);
      printf("%5zu %7d %10.0f", lengths[l], streams, on[REPETITIONS / 2]);
      for (int way = SKIP; way < WAYS; ++way) {
        qsort(more[way], REPETITIONS, sizeof *on, ascending);
        const double ns = more[way][REPETITIONS / 2];
        one[way] = streams == 1 ? ns : one[way];
        printf("%10.0f %7.2f", ns, ns / one[way]);
      }
      printf("\n");
    }
  }
  return 0;
}
