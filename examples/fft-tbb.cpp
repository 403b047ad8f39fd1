//===- fft-tbb.cpp - oneTBB tasks, as one would write them by hand --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: fft-tbb [log2 of the number of samples] [log2 of the cut-off] [threads]
//
// fft.c written for oneTBB (-ltbb).
//
//===----------------------------------------------------------------------===//
#include "fourier.h"
#include "threads-tbb.h"

#include <tbb/task_group.h>

static void transform(const struct Transform *it, const Number *in, Number *out, size_t count,
                      size_t cutOff) {
  size_t step = it->size / count;
  if (count <= cutOff) {
    transformSerially(it, in, out, count, step);
    return;
  }
  tbb::task_group halves;
  halves.run([=] { transform(it, in, out, count / 2, cutOff); });
  halves.run([=] { transform(it, in + step, out + count / 2, count / 2, cutOff); });
  halves.wait();
  combine(it, out, count, step);
}

int main(int argc, char **argv) {
  Threads threads(argument(argc, argv, 3, 2, 1));
  double start = startClock();
  int size = argument(argc, argv, 1, 20, 0), cutOff = argument(argc, argv, 2, 13, 0);
  if (size > 28 || cutOff > 28) {
    fprintf(stderr, "%s: give powers of two up to 28\n", argv[0]);
    return 2;
  }
  struct Transform it = makeTransform(size);

  transform(&it, it.signal, it.spectrum, it.size, (size_t)1 << cutOff);

  int status = finish(start, checkSpectrum(&it));
  freeTransform(&it);
  return status;
}
