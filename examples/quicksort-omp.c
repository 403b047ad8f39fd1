//===- quicksort-omp.c - OpenMP tasks, as one would write them by hand ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: quicksort-omp [thousands of numbers] [cut-off]
//
// quicksort.c written for OpenMP: a real parallel program with -fopenmp, a serial
// one without, and one that Prophet can profile as it is.
//
//===----------------------------------------------------------------------===//
#include "sorting.h"

static void quicksort(double *values, size_t count, size_t cutOff) {
  if (count <= cutOff) {
    sortSerially(values, count);
    return;
  }
  size_t middle = split(values, count);
#pragma omp task
  quicksort(values, middle, cutOff);
#pragma omp task
  quicksort(values + middle, count - middle, cutOff);
#pragma omp taskwait
}

int main(int argc, char **argv) {
  double start = startClock();
  struct Numbers numbers = makeNumbers((size_t)argument(argc, argv, 1, 3000, 1) * 1000);
  size_t cutOff = (size_t)argument(argc, argv, 2, 20000, 2);

#pragma omp parallel
#pragma omp single
  quicksort(numbers.values, numbers.count, cutOff);

  int status = finish(start, checkSorted(&numbers));
  free(numbers.values);
  return status;
}
