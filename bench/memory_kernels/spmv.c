//===- spmv.c - A sparse matrix times a vector ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernel.h"

enum { ROW = 16 };
static double *value, *x, *y;
static int *column;

static void prepare(long n) {
  value = memory(n * ROW * 8), column = memory(n * ROW * 4), x = memory(n * 8), y = memory(n * 8);
  uint64_t state = 1;
  for (long i = 0; i < n; ++i) {
    x[i] = (double)(i % 13), y[i] = 0;
    for (long k = 0; k < ROW; ++k) {
      value[i * ROW + k] = 1.0 / (double)(k + 1);
      column[i * ROW + k] = (int)(next_random(&state) % (uint64_t)n);
    }
  }
}

static void work(long n) {
#pragma prophet parallel for name(kernel)
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long k = i * ROW; k < (i + 1) * ROW; ++k)
      sum += value[k] * x[column[k]];
    y[i] += sum;
  }
}

static double result(long n) { return y[n / 2]; }

int main(int argc, char **argv) { return kernel_main(argc, argv, prepare, work, result); }
