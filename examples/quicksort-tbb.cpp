//===- quicksort-tbb.cpp - oneTBB tasks, as one would write them by hand --===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: quicksort-tbb [thousands of numbers] [cut-off] [threads]
//
// quicksort.c written for oneTBB (-ltbb).
//
//===----------------------------------------------------------------------===//
#include "sorting.h"
#include "threads-tbb.h"

#include <tbb/task_group.h>

static void quicksort(double *values, size_t count, size_t cutOff) {
  if (count <= cutOff) {
    sortSerially(values, count);
    return;
  }
  size_t middle = split(values, count);
  tbb::task_group halves;
  halves.run([=] { quicksort(values, middle, cutOff); });
  halves.run([=] { quicksort(values + middle, count - middle, cutOff); });
  halves.wait();
}

int main(int argc, char **argv) {
  Threads threads(argument(argc, argv, 3, 2, 1));
  double start = startClock();
  struct Numbers numbers = makeNumbers((size_t)argument(argc, argv, 1, 3000, 1) * 1000);
  size_t cutOff = (size_t)argument(argc, argv, 2, 20000, 2);

  quicksort(numbers.values, numbers.count, cutOff);

  int status = finish(start, checkSorted(&numbers));
  free(numbers.values);
  return status;
}
