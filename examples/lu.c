//===- lu.c - LU reduction in quadruple precision, parallel inner loop ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: lu [size]
//
// The loop structure of Parallel Prophet's Figure 1a: a serial loop over the
// pivots, a parallel loop over the rows below, which get fewer and shorter from
// pivot to pivot. Elements have 113 bits, for matrices that double precision
// cannot solve.
//
// -DLU_DOUBLE makes them doubles. Then moving rows between the cores' caches
// costs more than the arithmetic, which needs a memory model to predict: see
// docs/accuracy.md.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <float.h>
#include <string.h>

#ifdef LU_DOUBLE
typedef double Real;
static const Real epsilon = DBL_EPSILON;
#else
typedef __float128 Real;
static const Real epsilon = 0x1p-112;
#endif

/// Replaces `matrix` (n x n, row after row) by its factors: L without its diagonal of ones below,
/// U on and above the diagonal.
static void reduce(Real *matrix, int n) {
  for (int k = 0; k < n - 1; ++k) {
    const Real *pivot = matrix + (size_t)k * n;
#pragma prophet parallel for name(rows)
#pragma omp parallel for schedule(SCHEDULE)
    for (int i = k + 1; i < n; ++i) {
      Real *row = matrix + (size_t)i * n;
      Real factor = row[k] / pivot[k];
      row[k] = factor;
      for (int j = k + 1; j < n; ++j)
        row[j] -= factor * pivot[j];
    }
  }
}

/// Random elements in [0, 1), and a diagonal that needs no pivoting.
static void fill(Real *matrix, int n) {
  uint64_t seed = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      matrix[(size_t)i * n + j] = (Real)randomUnit(&seed) / 3 + (i == j ? n : 0);
}

/// Compares (L U) x with A x for a random x, to the precision of `Real`.
static const char *check(const Real *factors, const Real *matrix, int n) {
  uint64_t seed = 2;
  Real *x = allocate(n, sizeof(Real)), *y = allocate(n, sizeof(Real));
  Real tolerance = 16 * n * epsilon * n;
  const char *wrong = NULL;
  for (int i = 0; i < n; ++i)
    x[i] = randomUnit(&seed);
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      y[i] += factors[(size_t)i * n + j] * x[j];
  for (int i = 0; i < n; ++i) {
    Real difference = y[i];
    for (int j = 0; j < i; ++j)
      difference += factors[(size_t)i * n + j] * y[j];
    for (int j = 0; j < n; ++j)
      difference -= matrix[(size_t)i * n + j] * x[j];
    if (!(difference < tolerance && -difference < tolerance))
      wrong = "L times U is not the matrix";
  }
  free(x);
  free(y);
  return wrong;
}

int main(int argc, char **argv) {
  double start = startClock();
  int n = argument(argc, argv, 1, 280, 1);
  Real *matrix = allocate((size_t)n * n, sizeof(Real));
  Real *factors = allocate((size_t)n * n, sizeof(Real));
  fill(matrix, n);
  memcpy(factors, matrix, (size_t)n * n * sizeof(Real));

  reduce(factors, n);

  int status = finish(start, check(factors, matrix, n));
  free(matrix);
  free(factors);
  return status;
}
