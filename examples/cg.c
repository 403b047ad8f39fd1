//===- cg.c - Conjugate gradients on a sparse matrix ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: cg [rows] [neighbours] [right-hand sides]
//
// Solves A x = b for several b. A is sparse, symmetric and diagonally dominant,
// with up to `neighbours` elements in a row, stored row after row (CSR). Three
// parallel loops in every iteration, a long one and two short ones: the
// matrix-vector product and two updates. A task is a block of rows. Scalar
// products are compensated, as accurate as in twice the precision; with -DCG_PLAIN
// they are not, and with many rows of few elements the loops wait for memory.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <math.h>

enum { block = 100 }; ///< rows in a task

struct Matrix {
  int rows;
  int *starts;  ///< rows + 1 positions in the arrays below
  int *columns; ///< increasing within a row
  double *values;
};

/// The element between rows i and j, the same for (i, j) and (j, i); in (-1, 0].
static double elementBetween(int i, int j) {
  uint64_t seed = (uint64_t)(i < j ? i : j) << 32 | (uint64_t)(i < j ? j : i);
  return -randomUnit(&seed);
}

/// Row i gets neighbours to both sides, the farther the sparser, and a diagonal that is a little
/// larger than all of them together.
static struct Matrix assemble(int rows, int neighbours) {
  struct Matrix matrix = {.rows = rows, .starts = allocate(rows + 1, sizeof(int))};
  matrix.columns = allocate((size_t)rows * (neighbours + 1), sizeof(int));
  matrix.values = allocate((size_t)rows * (neighbours + 1), sizeof(double));
  int at = 0, half = neighbours / 2;
  for (int i = 0; i < rows; ++i) {
    int diagonal = at;
    double sum = 0;
    for (int k = -half; k <= half; ++k) {
      int j = i + k * (abs(k) + 40) / 32;
      if (j < 0 || j >= rows)
        continue;
      if (k == 0)
        diagonal = at;
      else
        sum += matrix.values[at] = elementBetween(i, j);
      matrix.columns[at++] = j;
    }
    matrix.values[diagonal] = 1 - sum;
    matrix.starts[i + 1] = at;
  }
  return matrix;
}

/// A sum of products, with what rounding took from it.
struct Sum {
  double value, lost;
};

/// Adds a * b, exactly up to rounding in `lost` (Veltkamp, Dekker, Knuth; "Dot2" of Ogita, Rump and
/// Oishi, Accurate sum and dot product, 2005).
static struct Sum plus(struct Sum sum, double a, double b) {
#ifdef CG_PLAIN
  return (struct Sum){sum.value + a * b, 0};
#else
  const double splitter = 0x1p27 + 1;
  double highA = splitter * a - (splitter * a - a), highB = splitter * b - (splitter * b - b);
  double lowA = a - highA, lowB = b - highB, product = a * b;
  double lostInProduct = lowA * lowB - (((product - highA * highB) - lowA * highB) - highA * lowB);
  double value = sum.value + product, added = value - sum.value;
  double lostInSum = (sum.value - (value - added)) + (product - added);
  return (struct Sum){value, sum.lost + (lostInProduct + lostInSum)};
#endif
}

static double rowTimes(const struct Matrix *matrix, int i, const double *x) {
  struct Sum sum = {0, 0};
  for (int at = matrix->starts[i]; at < matrix->starts[i + 1]; ++at)
    sum = plus(sum, matrix->values[at], x[matrix->columns[at]]);
  return sum.value + sum.lost;
}

static int least(int a, int b) { return a < b ? a : b; }

/// q = A p; returns the scalar product of p and q.
static double product(const struct Matrix *matrix, const double *p, double *q) {
  double scalar = 0;
#pragma prophet parallel for name(product) reduction(+ : scalar)
#pragma omp parallel for schedule(SCHEDULE) reduction(+ : scalar)
  for (int begin = 0; begin < matrix->rows; begin += block) {
    int end = least(begin + block, matrix->rows);
    struct Sum sum = {0, 0};
    for (int i = begin; i < end; ++i) {
      q[i] = rowTimes(matrix, i, p);
      sum = plus(sum, p[i], q[i]);
    }
    scalar += sum.value + sum.lost;
  }
  return scalar;
}

/// x += alpha p, r -= alpha q; returns the scalar product of r with itself.
static double step(int rows, double alpha, const double *p, const double *q, double *x, double *r) {
  double scalar = 0;
#pragma prophet parallel for name(step) reduction(+ : scalar)
#pragma omp parallel for schedule(SCHEDULE) reduction(+ : scalar)
  for (int begin = 0; begin < rows; begin += block) {
    int end = least(begin + block, rows);
    struct Sum sum = {0, 0};
    for (int i = begin; i < end; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      sum = plus(sum, r[i], r[i]);
    }
    scalar += sum.value + sum.lost;
  }
  return scalar;
}

/// p = r + beta p.
static void turn(int rows, double beta, const double *r, double *p) {
#pragma prophet parallel for name(turn)
#pragma omp parallel for schedule(SCHEDULE)
  for (int begin = 0; begin < rows; begin += block) {
    int end = least(begin + block, rows);
    for (int i = begin; i < end; ++i)
      p[i] = r[i] + beta * p[i];
  }
}

struct Vectors {
  double *x, *r, *p, *q;
};

/// Solves A x = b, r holding b on entry, until |r| has shrunk by 1e-10. Returns the iterations, at
/// most as many as there are rows.
static int solve(const struct Matrix *matrix, struct Vectors v) {
  double square = 0;
  for (int i = 0; i < matrix->rows; ++i) {
    v.x[i] = 0;
    v.p[i] = v.r[i];
    square += v.r[i] * v.r[i];
  }
  double goal = 1e-20 * square;
  int iterations = 0;
  while (square > goal && iterations < matrix->rows) {
    double alpha = square / product(matrix, v.p, v.q);
    double next = step(matrix->rows, alpha, v.p, v.q, v.x, v.r);
    turn(matrix->rows, next / square, v.r, v.p);
    square = next;
    ++iterations;
  }
  return iterations;
}

/// The residual of the solution, computed anew from right-hand side number `side`.
static double residual(const struct Matrix *matrix, const double *x, uint64_t side) {
  double square = 0, scale = 0;
  for (int i = 0; i < matrix->rows; ++i) {
    double b = randomUnit(&side), difference = b - rowTimes(matrix, i, x);
    square += difference * difference;
    scale += b * b;
  }
  return sqrt(square / scale);
}

int main(int argc, char **argv) {
  double start = startClock();
  int rows = argument(argc, argv, 1, 3000, 1), neighbours = argument(argc, argv, 2, 240, 2);
  int sides = argument(argc, argv, 3, 10, 1), iterations = 0;
  struct Matrix matrix = assemble(rows, neighbours);
  struct Vectors v = {allocate(rows, sizeof(double)), allocate(rows, sizeof(double)),
                      allocate(rows, sizeof(double)), allocate(rows, sizeof(double))};
  double worst = 0;

  for (int side = 0; side < sides; ++side) {
    uint64_t seed = side;
    for (int i = 0; i < rows; ++i)
      v.r[i] = randomUnit(&seed);
    iterations += solve(&matrix, v);
    worst = fmax(worst, residual(&matrix, v.x, side));
  }

  printf("iterations: %d\n", iterations);
  int status = finish(start, worst < 1e-9 ? NULL : "the solution does not solve the system");
  for (double *const *vector = (double *const[]){v.x, v.r, v.p, v.q, NULL}; *vector; ++vector)
    free(*vector);
  free(matrix.starts);
  free(matrix.columns);
  free(matrix.values);
  return status;
}
