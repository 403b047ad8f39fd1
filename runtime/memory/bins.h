//===- bins.h - Distances in steps of two percent ----------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Distances below 64 lines have a bin each, larger ones share 32 bins an octave: none is wider
// than 1/32 of where it begins.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdint.h>

enum {
  BINS_EXACT = 64,
  BINS_PER_OCTAVE = 32,
  BINS = BINS_EXACT + 30 * BINS_PER_OCTAVE, ///< up to 2^36 lines; what is more is in the last
};

static inline uint32_t bin_of(uint64_t distance) {
  if (distance < BINS_EXACT)
    return (uint32_t)distance;
  uint32_t octave = 63 - (uint32_t)__builtin_clzll(distance);
  uint32_t part = (uint32_t)(distance >> (octave - 5)) % BINS_PER_OCTAVE;
  uint32_t bin = BINS_EXACT + (octave - 6) * BINS_PER_OCTAVE + part;
  return bin < BINS ? bin : BINS - 1;
}

/** The largest distance in a bin. */
static inline uint64_t bin_end(uint32_t bin) {
  if (bin < BINS_EXACT)
    return bin;
  uint32_t octave = 6 + (bin - BINS_EXACT) / BINS_PER_OCTAVE;
  uint64_t part = (bin - BINS_EXACT) % BINS_PER_OCTAVE;
  return (UINT64_C(1) << octave) + ((part + 1) << (octave - 5)) - 1;
}
