//===- matmul.c - Product of matrices: naive, nested, interchanged or blocked ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernel.h"

static double *a, *b, *c;

static void prepare(long n) {
  a = memory(n * n * 8), b = memory(n * n * 8), c = memory(n * n * 8);
  for (long i = 0; i < n * n; ++i)
    a[i] = (double)(i % 7), b[i] = (double)(i % 5), c[i] = 0;
}

static void work(long n) {
  double *x = a, *y = b, *z = c;
#if defined(INTERCHANGED)
#pragma prophet parallel for name(kernel)
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j)
        z[i * n + j] += x[i * n + k] * y[k * n + j];
#elif defined(BLOCKED)
  enum { BLOCK = 32 };
#pragma prophet parallel for name(kernel)
  for (long ii = 0; ii < n; ii += BLOCK)
    for (long kk = 0; kk < n; kk += BLOCK)
      for (long jj = 0; jj < n; jj += BLOCK)
        for (long i = ii; i < ii + BLOCK; ++i)
          for (long k = kk; k < kk + BLOCK; ++k)
            for (long j = jj; j < jj + BLOCK; ++j)
              z[i * n + j] += x[i * n + k] * y[k * n + j];
#else
#pragma prophet parallel for name(kernel)
  for (long i = 0; i < n; ++i)
#if defined(NESTED)
#pragma prophet parallel for name(columns)
#endif
    for (long j = 0; j < n; ++j) {
      double sum = 0;
      for (long k = 0; k < n; ++k)
        sum += x[i * n + k] * y[k * n + j];
      z[i * n + j] = sum;
    }
#endif
}

static double result(long n) { return c[n * n / 2]; }

int main(int argc, char **argv) { return kernel_main(argc, argv, prepare, work, result); }
