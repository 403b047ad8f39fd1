//===- sort.c - Merge sort ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernel.h"

static unsigned *input, *keys, *room;

static void prepare(long n) {
  input = memory(n * 4), keys = memory(n * 4), room = memory(n * 4);
  uint64_t state = 1;
  for (long i = 0; i < n; ++i)
    input[i] = (unsigned)next_random(&state);
}

static void merge_sort(unsigned *from, unsigned *to, long n) {
  if (n < 2)
    return;
  long half = n / 2, i = 0, j = half;
  merge_sort(from, to, half);
  merge_sort(from + half, to + half, n - half);
  for (long k = 0; k < n; ++k)
    to[k] = j == n || (i < half && from[i] <= from[j]) ? from[i++] : from[j++];
  for (long k = 0; k < n; ++k)
    from[k] = to[k];
}

static void work(long n) {
  for (long i = 0; i < n; ++i)
    keys[i] = input[i];
#pragma prophet parallel for name(kernel)
  for (long part = 0; part < 4; ++part)
    merge_sort(keys + part * n / 4, room + part * n / 4, n / 4);
}

static double result(long n) { return keys[n / 8]; }

int main(int argc, char **argv) { return kernel_main(argc, argv, prepare, work, result); }
