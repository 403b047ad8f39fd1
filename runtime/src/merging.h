//===- merging.h - When are two lengths equal? -------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two executions are equal when their lengths differ by at most the tolerance (a
// share of the length) or by what the clock itself wavers. Both are measured
// against the first execution, so that equality does not drift.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdint.h>

struct merging {
  uint32_t tolerance_ppm; ///< millionths; 0 = equal ticks only
  uint64_t noise;         ///< ticks by which equal executions differ anyway; >= 1
  uint64_t knee;          ///< up to this length the noise is the wider of the two
  uint32_t knee_log;      ///< log2_fixed(knee)
  uint32_t step;          ///< width of a bin above the knee, in log2_fixed's unit
};

/** log2(x) * 65536, linear between powers of two; 0 for 0. */
static inline uint32_t log2_fixed(uint64_t x) {
  if (x == 0)
    return 0;
  unsigned exponent = 63u - (unsigned)__builtin_clzll(x);
  return (exponent << 16) | (uint32_t)((x << (63 - exponent)) << 1 >> 48);
}

/** `share` millionths of `x`, without overflow. */
static inline uint64_t share_ppm(uint64_t x, uint32_t share) {
  return x / 1000000 * share + x % 1000000 * share / 1000000;
}

static inline struct merging merging_make(uint32_t tolerance_ppm, uint64_t noise) {
  struct merging m = {tolerance_ppm, noise ? noise : 1, 0, 0, 1};
  if (tolerance_ppm) {
    m.knee = m.noise * 1000000 / tolerance_ppm;
    m.knee_log = log2_fixed(m.knee);
    // A change by the tolerance moves log2_fixed by at most 65536 * tolerance.
    m.step = (uint32_t)((uint64_t)tolerance_ppm * 2 * 65536 / 1000000) + 1;
  }
  return m;
}

/**
 * How far an execution of `leaves` leaves may be from a first one of `reference` ticks, all its
 * leaves' differences added up. Every leaf wavers, but seldom all of them by the whole noise.
 */
static inline uint64_t merging_limit(const struct merging *m, uint64_t reference, uint32_t leaves) {
  if (m->tolerance_ppm == 0)
    return 0;
  uint64_t limit = share_ppm(reference, m->tolerance_ppm);
  uint64_t noise = m->noise * (3 + (leaves < 16 ? leaves : 16)) / 4;
  return limit > noise ? limit : noise;
}

/** A bin for lengths; equal lengths of one leaf are at most one bin apart. */
static inline uint32_t merging_bin(const struct merging *m, uint64_t length) {
  if (length <= m->knee)
    return (uint32_t)(length / m->noise);
  return (uint32_t)(m->knee / m->noise) + (log2_fixed(length) - m->knee_log) / m->step;
}
