//===- stencil.c - Five points ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernel.h"

static double *a, *b;

static void prepare(long n) {
  a = memory(n * n * 8), b = memory(n * n * 8);
  for (long i = 0; i < n * n; ++i)
    a[i] = b[i] = (double)(i % 11);
}

static void sweep(long n, const double *from, double *to) {
#pragma prophet parallel for name(kernel)
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < n - 1; ++j)
      to[i * n + j] = 0.2 * (from[i * n + j] + from[i * n + j - 1] + from[i * n + j + 1] +
                             from[(i - 1) * n + j] + from[(i + 1) * n + j]);
}

static void work(long n) {
  sweep(n, a, b);
  sweep(n, b, a);
}

static double result(long n) { return a[n * n / 2]; }

int main(int argc, char **argv) { return kernel_main(argc, argv, prepare, work, result); }
