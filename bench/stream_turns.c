//===- stream_turns.c - Streams that go on where another thread's end -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: stream_turns [MiB] [passes] [gap]
//
// Two threads go through an array, or from one to another, each through a half of its
// own, or by rows in turns as the threads of schedule(static,1) do. Behind each row
// `gap` lines are left out, in both ways. Prints what a line takes in the first way, by
// the length of rows, and what a row takes more in the second, in nanoseconds, medians.
// Rows of 64 lines end where a page does, as do those of a multiple of that.
//
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, PAGE = 4096, VECTORS = 4, REPETITIONS = 15 };
enum { READ, CHANGE, COPY, LOOPS };
typedef double Vector __attribute__((vector_size(LINE / VECTORS)));

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static Vector *allocate(size_t size) {
  Vector *memory = aligned_alloc(PAGE, size);
  if (!memory) {
    fprintf(stderr, "stream_turns: no memory\n");
    exit(2);
  }
  memset(memory, 0, size);
  return memory;
}

/** One loop through a row of so many vectors. */
__attribute__((noinline)) static void row(int loop, Vector *from, Vector *to, size_t vectors) {
  Vector sums[VECTORS] = {{0}};
  if (loop == READ)
    for (size_t i = 0; i < vectors; i += VECTORS)
      for (size_t j = 0; j < VECTORS; ++j)
        sums[j] += from[i + j];
  else if (loop == CHANGE)
    for (size_t i = 0; i < vectors; ++i)
      from[i] += 1;
  else
    for (size_t i = 0; i < vectors; ++i)
      to[i] = from[i] + 1;
  __asm__ volatile("" : : "x"(sums[0]), "x"(sums[1]), "x"(sums[2]), "x"(sums[3]) : "memory");
}

/** Nanoseconds of a line of one thread: the mean of so many passes, behind one that does not count.
 */
static double timeOf(int loop, int byTurns, Vector *arrays[2], size_t rows, size_t lines,
                     size_t gap, int passes) {
  double begin = 0;
  for (int pass = 0; pass <= passes; ++pass) {
    if (pass == 1)
      begin = omp_get_wtime();
    const int swapped = loop == COPY && pass % 2;
    Vector *from = arrays[swapped], *to = arrays[!swapped];
#pragma omp parallel num_threads(2)
    {
      const size_t me = (size_t)omp_get_thread_num();
      const size_t first = byTurns ? me : me * rows / 2, step = byTurns ? 2 : 1;
      const size_t end = byTurns ? rows : (me + 1) * rows / 2, apart = (lines + gap) * VECTORS;
      for (size_t i = first; i < end; i += step)
        row(loop, from + i * apart, to + i * apart, lines * VECTORS);
    }
  }
  return 2e9 * (omp_get_wtime() - begin) / passes / (double)(rows * lines);
}

static size_t argument(int argc, char **argv, int number, size_t otherwise, long least) {
  const long value = argc > number ? atol(argv[number]) : (long)otherwise;
  if (value < least || value > 4096) {
    fprintf(stderr, "usage: stream_turns [MiB] [passes] [gap], from 1 (gap: 0) to 4096\n");
    exit(2);
  }
  return (size_t)value;
}

int main(int argc, char **argv) {
  const size_t bytes = argument(argc, argv, 1, 24, 1) << 20, gap = argument(argc, argv, 3, 0, 0);
  const int passes = (int)argument(argc, argv, 2, 7, 1);
  static const size_t lengths[] = {4, 16, 64, 80, 256, 272, 313};
  static const char *const names[] = {"read", "changed", "copied to and fro"};
  Vector *arrays[] = {allocate(bytes), allocate(bytes)};
  for (int loop = READ; loop < LOOPS; ++loop)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l) {
      const size_t lines = lengths[l], rows = bytes / LINE / (lines + gap) / 2 * 2;
      double on[REPETITIONS], more[REPETITIONS];
      for (int i = 0; i < REPETITIONS; ++i) {
        on[i] = timeOf(loop, 0, arrays, rows, lines, gap, passes);
        more[i] = (timeOf(loop, 1, arrays, rows, lines, gap, passes) - on[i]) * (double)lines;
      }
      qsort(on, REPETITIONS, sizeof *on, ascending);
      qsort(more, REPETITIONS, sizeof *more, ascending);
      printf("%-18s rows of %3zu lines: %5.2f ns a line, by turns %4.0f ns a row more (%.0f to "
             "%.0f)\n",
             names[loop], lines, on[REPETITIONS / 2], more[REPETITIONS / 2], more[REPETITIONS / 4],
             more[REPETITIONS - 1 - REPETITIONS / 4]);
    }
  free(arrays[0]);
  free(arrays[1]);
  return 0;
}
