//===- stream.c - Copies, sums and multiples of long arrays ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: stream [blocks] [passes]
//
// The four loops of McCalpin's STREAM: copy, scale, add and triad, over three
// arrays that no cache holds. They compute next to nothing, so threads gain what
// the memory gives them beyond one. A task is a block of an array.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <math.h>

enum { block = 4096 }; ///< elements in a task

struct Arrays {
  double *a, *b, *c;
};

/// c = a.
static void copy(struct Arrays v, int blocks) {
#pragma prophet parallel for name(copy)
#pragma omp parallel for schedule(SCHEDULE)
  for (int k = 0; k < blocks; ++k)
    for (size_t i = (size_t)k * block; i < (size_t)(k + 1) * block; ++i)
      v.c[i] = v.a[i];
}

/// b = factor c.
static void scale(struct Arrays v, int blocks, double factor) {
#pragma prophet parallel for name(scale)
#pragma omp parallel for schedule(SCHEDULE)
  for (int k = 0; k < blocks; ++k)
    for (size_t i = (size_t)k * block; i < (size_t)(k + 1) * block; ++i)
      v.b[i] = factor * v.c[i];
}

/// c = a + b.
static void add(struct Arrays v, int blocks) {
#pragma prophet parallel for name(add)
#pragma omp parallel for schedule(SCHEDULE)
  for (int k = 0; k < blocks; ++k)
    for (size_t i = (size_t)k * block; i < (size_t)(k + 1) * block; ++i)
      v.c[i] = v.a[i] + v.b[i];
}

/// a = b + factor c.
static void triad(struct Arrays v, int blocks, double factor) {
#pragma prophet parallel for name(triad)
#pragma omp parallel for schedule(SCHEDULE)
  for (int k = 0; k < blocks; ++k)
    for (size_t i = (size_t)k * block; i < (size_t)(k + 1) * block; ++i)
      v.a[i] = v.b[i] + factor * v.c[i];
}

/// Elements went through what one number goes through.
static const char *check(struct Arrays v, int blocks, int passes, double factor) {
  for (size_t i = 0; i < (size_t)blocks * block; i += 97) {
    double a = 1 + (double)(i % block) / block, b = 0, c = 0;
    for (int pass = 0; pass < passes; ++pass) {
      c = a;
      b = factor * c;
      c = a + b;
      a = b + factor * c;
    }
    if (fabs(v.a[i] - a) > 1e-12 * a || fabs(v.b[i] - b) > 1e-12 * b ||
        fabs(v.c[i] - c) > 1e-12 * c)
      return "an element has another value than its kind";
  }
  return NULL;
}

int main(int argc, char **argv) {
  double start = startClock();
  int blocks = argument(argc, argv, 1, 1000, 1), passes = argument(argc, argv, 2, 20, 1);
  double factor = 0.41;
  size_t size = (size_t)blocks * block;
  struct Arrays v = {allocate(size, sizeof(double)), allocate(size, sizeof(double)),
                     allocate(size, sizeof(double))};
  for (size_t i = 0; i < size; ++i) {
    v.a[i] = 1 + (double)(i % block) / block;
    v.b[i] = v.c[i] = -1;
  }

  for (int pass = 0; pass < passes; ++pass) {
    copy(v, blocks);
    scale(v, blocks, factor);
    add(v, blocks);
    triad(v, blocks, factor);
  }

  int status = finish(start, check(v, blocks, passes, factor));
  free(v.a);
  free(v.b);
  free(v.c);
  return status;
}
