//===- chase.c - A list in random order ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernel.h"

struct item {
  struct item *next;
  long value[7];
};
static struct item *items;
static const struct item *at;
static long sum;

static void prepare(long n) {
  long *order = memory(n * 8);
  items = memory(n * (long)sizeof *items);
  uint64_t state = 1;
  for (long i = 0; i < n; ++i)
    order[i] = i;
  for (long i = n - 1; i > 0; --i) { // one cycle (Sattolo 1986)
    long j = (long)(next_random(&state) % (uint64_t)i), other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
  for (long i = 0; i < n; ++i)
    items[i] = (struct item){&items[order[i]], {i}};
  free(order);
  at = items;
}

static void work(long n) {
#pragma prophet parallel for name(kernel)
  for (long part = 0; part < 4; ++part) {
    long total = 0;
    const struct item *here = at;
    for (long i = part * n / 4; i < (part + 1) * n / 4; ++i, here = here->next)
      total += here->value[0];
    sum += total;
    at = here;
  }
}

static double result(long n) { return (double)(sum / n); }

int main(int argc, char **argv) { return kernel_main(argc, argv, prepare, work, result); }
