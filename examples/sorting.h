//===- sorting.h - What both versions of quicksort do serially ----*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "support.h"

#include <string.h>

/// Numbers to sort, and what must be left of them.
struct Numbers {
  size_t count;
  double *values;
  uint64_t checksum; ///< of the values in any order
};

static uint64_t checksumOf(const struct Numbers *numbers) {
  uint64_t sum = 0;
  for (size_t i = 0; i < numbers->count; ++i) {
    uint64_t bits;
    memcpy(&bits, &numbers->values[i], sizeof bits);
    sum += randomBits(&bits); // scrambled, so that errors do not cancel out
  }
  return sum;
}

static struct Numbers makeNumbers(size_t count) {
  struct Numbers numbers;
  numbers.count = count;
  numbers.values = (double *)allocate(count, sizeof(double));
  uint64_t random = 1;
  for (size_t i = 0; i < count; ++i)
    numbers.values[i] = randomUnit(&random);
  numbers.checksum = checksumOf(&numbers);
  return numbers;
}

static inline void swapNumbers(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

/// The middle one of three numbers.
static inline double medianOf(double a, double b, double c) {
  if (a < b)
    return b < c ? b : a < c ? c : a;
  return a < c ? a : b < c ? c : b;
}

/// Splits `count` >= 2 numbers: no one of those before the returned place is larger than any behind
/// it, and there are some on both sides (Hoare's partition).
static size_t split(double *values, size_t count) {
  double pivot = medianOf(values[0], values[(count - 1) / 2], values[count - 2]);
  size_t low = 0, high = count - 1;
  for (;;) {
    while (values[low] < pivot)
      ++low;
    while (pivot < values[high])
      --high;
    if (low >= high)
      return high + 1;
    swapNumbers(&values[low++], &values[high--]);
  }
}

static void sortSerially(double *values, size_t count) {
  while (count > 16) {
    size_t middle = split(values, count);
    sortSerially(values, middle);
    values += middle;
    count -= middle;
  }
  for (size_t i = 1; i < count; ++i) {
    double value = values[i];
    size_t at = i;
    for (; at > 0 && value < values[at - 1]; --at)
      values[at] = values[at - 1];
    values[at] = value;
  }
}

static const char *checkSorted(const struct Numbers *numbers) {
  for (size_t i = 1; i < numbers->count; ++i)
    if (!(numbers->values[i - 1] <= numbers->values[i]))
      return "the numbers are not in order";
  return checksumOf(numbers) == numbers->checksum ? NULL : "these are not the numbers it was given";
}
