//===- triad.c - Three streams ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernel.h"

static double *a, *b, *c;

static void prepare(long n) {
  a = memory(n * 8), b = memory(n * 8), c = memory(n * 8);
  for (long i = 0; i < n; ++i)
    a[i] = 0, b[i] = (double)i, c[i] = (double)(2 * i);
}

static void work(long n) {
  double *x = a, *y = b, *z = c;
#pragma prophet parallel for name(kernel)
  for (long part = 0; part < 8; ++part)
    for (long i = part * n / 8; i < (part + 1) * n / 8; ++i)
      x[i] = y[i] + 3.0 * z[i];
}

static double result(long n) { return a[n / 2]; }

int main(int argc, char **argv) { return kernel_main(argc, argv, prepare, work, result); }
