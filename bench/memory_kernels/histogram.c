//===- histogram.c - Counting into a table ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernel.h"

enum { KEYS = 1 << 16 };
static unsigned *key;
static unsigned count[KEYS];

static void prepare(long n) {
  key = memory(n * 4);
  uint64_t state = 1;
  for (long i = 0; i < n; ++i)
    key[i] = (unsigned)(next_random(&state) % KEYS);
}

static void work(long n) {
#pragma prophet parallel for name(kernel)
  for (long part = 0; part < 8; ++part)
    for (long i = part * n / 8; i < (part + 1) * n / 8; ++i)
      ++count[key[i]];
}

static double result(long n) { return count[n % KEYS]; }

int main(int argc, char **argv) { return kernel_main(argc, argv, prepare, work, result); }
