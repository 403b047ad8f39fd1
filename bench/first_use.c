//===- first_use.c - What pages take that are used for the first time -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: first_use [MiB]
//
// Threads go through memory that is new, each through a part of its own: they write to
// it, or read it and then write to it. Memory that is read first is one page of zeros
// everywhere; a page of its own takes that one's place when it is written to, of which
// the system tells each processor that the program runs on. Prints what a thread takes
// for a page, in nanoseconds, medians.
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, REPETITIONS = 9 };

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void use(volatile char *memory, size_t pages, int isWrite) {
  for (size_t i = 0; i < pages; ++i)
    if (isWrite)
      memory[i * PAGE] = 1;
    else
      (void)memory[i * PAGE];
}

/// What a page takes to be written to, of so many for each thread.
static double nsOfPage(size_t pages, int threads, int isReadFirst) {
  const size_t size = pages * (size_t)threads * PAGE;
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "first_use: no memory\n");
    exit(2);
  }
  madvise(memory, size, MADV_NOHUGEPAGE);
  double seconds = 0;
#pragma omp parallel num_threads(threads) reduction(max : seconds)
  {
    char *own = memory + (size_t)omp_get_thread_num() * pages * PAGE;
    if (isReadFirst)
      use(own, pages, 0);
#pragma omp barrier
    const double begin = omp_get_wtime();
    use(own, pages, 1);
    seconds = omp_get_wtime() - begin;
  }
  munmap(memory, size);
  return seconds * 1e9 / (double)pages;
}

int main(int argc, char **argv) {
  const long mib = argc > 1 ? atol(argv[1]) : 32;
  if (mib < 1 || mib > 1 << 20) {
    fprintf(stderr, "usage: first_use [MiB of each thread]\n");
    return 2;
  }
  printf("threads    written   read, then written\n");
  const int most = omp_get_max_threads();
  for (int threads = 1; threads <= most;
       threads = threads < most && 2 * threads > most ? most : 2 * threads) {
    double ns[2][REPETITIONS];
    for (int i = 0; i < REPETITIONS; ++i)
      for (int isReadFirst = 0; isReadFirst < 2; ++isReadFirst)
        ns[isReadFirst][i] = nsOfPage((size_t)mib << 8, threads, isReadFirst);
    for (int isReadFirst = 0; isReadFirst < 2; ++isReadFirst)
      qsort(ns[isReadFirst], REPETITIONS, sizeof(double), ascending);
    printf("%7d %7.0f ns %17.0f ns\n", threads, ns[0][REPETITIONS / 2], ns[1][REPETITIONS / 2]);
  }
  return 0;
}
