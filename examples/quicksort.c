//===- quicksort.c - Tasks that make tasks, of unequal size ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: quicksort [thousands of numbers] [cut-off]
//
// Each part of more than `cut-off` numbers is split in two, which are sorted by
// a task each. The splits themselves are serial: the first one goes over all the
// numbers while there is nothing else to do, and that limits the speedup.
// quicksort-omp.c is the same in OpenMP.
//
//===----------------------------------------------------------------------===//
#include "sorting.h"

static void quicksort(double *values, size_t count, size_t cutOff) {
  if (count <= cutOff) {
    sortSerially(values, count);
    return;
  }
  size_t middle = split(values, count);
#pragma prophet task name(halves)
  quicksort(values, middle, cutOff);
#pragma prophet task
  quicksort(values + middle, count - middle, cutOff);
#pragma prophet taskwait
}

int main(int argc, char **argv) {
  double start = startClock();
  struct Numbers numbers = makeNumbers((size_t)argument(argc, argv, 1, 3000, 1) * 1000);
  size_t cutOff = (size_t)argument(argc, argv, 2, 20000, 2);

#pragma prophet parallel tasks name(sort)
  {
    quicksort(numbers.values, numbers.count, cutOff);
  }

  int status = finish(start, checkSorted(&numbers));
  free(numbers.values);
  return status;
}
