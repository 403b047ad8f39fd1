//===- fourier.h - What both versions of the transform do serially *- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "support.h"

#include <math.h>

#ifdef __cplusplus
#include <complex>
typedef std::complex<double> Number;
static inline double re(Number number) { return number.real(); }
static inline double im(Number number) { return number.imag(); }
static inline Number number(double re, double im) { return Number(re, im); }
static inline double cabs(Number number) { return std::abs(number); }
static inline Number cexp(Number number) { return std::exp(number); }
#else
#include <complex.h>
typedef double complex Number;
static inline double re(Number number) { return creal(number); }
static inline double im(Number number) { return cimag(number); }
static inline Number number(double re, double im) { return re + im * I; }
#endif

/// A signal of `size` samples, a power of two, and its spectrum.
struct Transform {
  size_t size;
  Number *signal, *spectrum;
  Number *roots; ///< exp(-2 pi i k / size) for k < size / 2
};

static double twoPi(void) { return 2 * acos(-1); }

static struct Transform makeTransform(int log2Size) {
  size_t size = (size_t)1 << log2Size;
  struct Transform it;
  it.size = size;
  it.signal = (Number *)allocate(size, sizeof(Number));
  it.spectrum = (Number *)allocate(size, sizeof(Number));
  it.roots = (Number *)allocate(size / 2 + 1, sizeof(Number));
  uint64_t random = 1;
  for (size_t i = 0; i < size; ++i) {
    double real = randomUnit(&random) - 0.5;
    it.signal[i] = number(real, randomUnit(&random) - 0.5);
  }
  for (size_t k = 0; k < size / 2; ++k)
    it.roots[k] = cexp(number(0, -twoPi() * (double)k / (double)size));
  return it;
}

static void freeTransform(struct Transform *it) {
  free(it->signal);
  free(it->spectrum);
  free(it->roots);
}

/// Joins the spectra of the even and of the odd samples, which lie one behind the other in `out`,
/// to that of all `count` samples. `step` is by how much the roots of `count` lie apart.
static void combine(const struct Transform *it, Number *out, size_t count, size_t step) {
  size_t half = count / 2;
  for (size_t k = 0; k < half; ++k) {
    Number root = it->roots[k * step];
    Number odd = number(re(root) * re(out[half + k]) - im(root) * im(out[half + k]),
                        re(root) * im(out[half + k]) + im(root) * re(out[half + k]));
    Number even = out[k];
    out[k] = even + odd;
    out[half + k] = even - odd;
  }
}

/// The spectrum of `count` samples that lie `step` apart.
static void transformSerially(const struct Transform *it, const Number *in, Number *out,
                              size_t count, size_t step) {
  if (count == 1) {
    out[0] = in[0];
    return;
  }
  transformSerially(it, in, out, count / 2, 2 * step);
  transformSerially(it, in + step, out + count / 2, count / 2, 2 * step);
  combine(it, out, count, step);
}

/// Compares some frequencies with the sum that defines them, and the energy of all.
static const char *checkSpectrum(const struct Transform *it) {
  double energy = 0, size = (double)it->size;
  for (size_t i = 0; i < it->size; ++i) {
    double sample = cabs(it->signal[i]), line = cabs(it->spectrum[i]);
    energy += sample * sample - line * line / size;
  }
  if (!(fabs(energy) < 1e-9 * size))
    return "the spectrum has another energy than the signal (Parseval)";
  uint64_t random = 2;
  for (int sample = 0; sample < 6; ++sample) {
    size_t frequency = randomBits(&random) % it->size;
    Number sum = 0, turn = cexp(number(0, -twoPi() * (double)frequency / size));
    for (size_t i = it->size; i-- > 0;) // Horner's rule
      sum = sum * turn + it->signal[i];
    if (!(cabs(sum - it->spectrum[frequency]) < 1e-7 * sqrt(size)))
      return "a frequency is wrong";
  }
  return NULL;
}
