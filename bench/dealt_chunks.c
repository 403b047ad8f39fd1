//===- dealt_chunks.c - Streams between which chunks are dealt out --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What two threads take for a chunk of a loop that streams through four arrays,
// beyond what dealing it out costs without memory: less than when both stream all
// the time, for each has the memory to itself while the other is dealt out a chunk.
// Medians, ns a chunk. Last, what one expects who knows the times alone and of both:
// that they pass at the paces of one and of two threads (docs/memory-model.md, M6).
//
//   dealt_chunks
//
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 15, ARRAYS = 4, ELEMENTS = 1600000 };

static double *arrays[ARRAYS];
static volatile double sum;

__attribute__((noinline)) static double stream(int begin, int end) {
  double *x = arrays[0], *r = arrays[1], *p = arrays[2], *q = arrays[3], square = 0;
  for (int i = begin; i < end; ++i) {
    x[i] += 0.1 * p[i];
    r[i] -= 0.1 * q[i];
    square += r[i] * r[i];
  }
  return square;
}

__attribute__((noinline)) static double compute(int begin, int end) {
  for (int i = begin; i < end; ++i)
    __asm__ volatile("" ::: "memory");
  return 0;
}

typedef double Body(int begin, int end);

/** A kind of run. */
typedef struct {
  Body *body;
  bool dealt; ///< one chunk after the other
  bool both;  ///< else the second thread waits until the first is through with its half
} Kind;

/** ns that a thread takes for a chunk, in the mean of those that have some. */
static double chunk_ns(Kind kind, int chunk) {
  int half = ELEMENTS / chunk / 2, chunks = 2 * half, through = 0;
  double ns = 0;
#define ITERATION                                                                                  \
  if (i < half || kind.both) {                                                                     \
    square += kind.body(i * chunk, (i + 1) * chunk);                                               \
    ++own;                                                                                         \
    if (i == half - 1 || kind.both)                                                                \
      end = omp_get_wtime();                                                                       \
    if (i == half - 1)                                                                             \
      __atomic_store_n(&through, 1, __ATOMIC_RELEASE);                                             \
  } else                                                                                           \
    while (!__atomic_load_n(&through, __ATOMIC_ACQUIRE))                                           \
    compute(0, 500)
#pragma omp parallel num_threads(2) reduction(+ : ns)
  {
    double square = 0, begin, end = 0;
    int own = 0;
#pragma omp barrier
    begin = omp_get_wtime();
    if (kind.dealt) {
#pragma omp for schedule(nonmonotonic : dynamic, 1) nowait
      for (int i = 0; i < chunks; ++i) {
        ITERATION;
      }
    } else {
#pragma omp for schedule(static) nowait
      for (int i = 0; i < chunks; ++i) {
        ITERATION;
      }
    }
    if (own > 0)
      ns += (end - begin) / own * 1e9;
    if (square < 0)
      sum = square;
  }
  return kind.both ? ns / 2 : ns;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values) {
  qsort(values, REPETITIONS, sizeof *values, ascending);
  return values[REPETITIONS / 2];
}

/** What a chunk takes that passes at the rate of two threads, and at that of one while the other is
    dealt out a chunk (M6). */
static double expected(double alone, double both, double dealing) {
  double ns = both;
  for (int i = 0; i < 1000; ++i) {
    double busy = ns / (ns + dealing);
    ns = 1 / ((1 - busy) / alone + busy / both);
  }
  return ns;
}

int main(void) {
  for (int a = 0; a < ARRAYS; ++a) {
    arrays[a] = malloc((ELEMENTS + 512) * sizeof(double));
    if (!arrays[a])
      return 2;
    arrays[a] += 136 * a; // stores and loads at the same place of a page hinder each other
    for (int i = 0; i < ELEMENTS; ++i)
      arrays[a][i] = a < 3;
  }
  const int chunks[] = {25, 50, 100, 200, 400, 1000, 2500};
  const Kind kinds[] = {{compute, false, true}, {compute, true, true}, {stream, false, false},
                        {stream, false, true},  {stream, true, true},  {stream, true, false}};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  chunk_ns(kinds[1], 100); // the threads are made
  printf("elements  dealing   alone    both | dealt   expected | dealt alone\n");
  for (size_t c = 0; c < sizeof chunks / sizeof *chunks; ++c) {
    double times[KINDS][REPETITIONS];
    for (int i = 0; i < REPETITIONS; ++i)
      for (int k = 0; k < KINDS; ++k)
        times[k][i] = chunk_ns(kinds[k], chunks[c]);
    double medians[KINDS];
    for (int k = 0; k < KINDS; ++k)
      medians[k] = median(times[k]);
    double dealing = medians[1] - medians[0];
    printf("%8d %8.0f %7.0f %7.0f | %7.0f %7.0f | %7.0f\n", chunks[c], dealing, medians[2],
           medians[3], medians[4] - dealing, expected(medians[2], medians[3], dealing),
           medians[5] - dealing);
    fflush(stdout);
  }
  return 0;
}
