//===- fft.c - Tasks that make tasks, all alike ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: fft [log2 of the number of samples] [log2 of the cut-off]
//
// Cooley and Tukey's transform: the even and the odd samples are transformed by
// a task each, down to the cut-off. Tasks of one depth do the same, and the tree
// stores once what is alike. fft-omp.c is the same in OpenMP.
//
//===----------------------------------------------------------------------===//
#include "fourier.h"

static void transform(const struct Transform *it, const Number *in, Number *out, size_t count,
                      size_t cutOff) {
  size_t step = it->size / count;
  if (count <= cutOff) {
    transformSerially(it, in, out, count, step);
    return;
  }
#pragma prophet task name(halves)
  transform(it, in, out, count / 2, cutOff);
#pragma prophet task
  transform(it, in + step, out + count / 2, count / 2, cutOff);
#pragma prophet taskwait
  combine(it, out, count, step);
}

int main(int argc, char **argv) {
  double start = startClock();
  int size = argument(argc, argv, 1, 20, 0), cutOff = argument(argc, argv, 2, 13, 0);
  if (size > 28 || cutOff > 28) {
    fprintf(stderr, "%s: give powers of two up to 28\n", argv[0]);
    return 2;
  }
  struct Transform it = makeTransform(size);

#pragma prophet parallel tasks name(transform)
  {
    transform(&it, it.signal, it.spectrum, it.size, (size_t)1 << cutOff);
  }

  int status = finish(start, checkSpectrum(&it));
  freeTransform(&it);
  return status;
}
