//===- Lines.h - What loops do to a cache line ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/memory/Kernels.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace memory_figures {

/// Has the compiler compute `value`.
template <typename T> void keep(T value) { asm volatile("" : : "r"(value) : "memory"); }

/// What one instruction reads: word by word, adding takes a tenth of the bandwidth.
typedef std::uint64_t Vector __attribute__((vector_size(16), may_alias));
inline constexpr std::size_t vectors = sizeof(Line) / sizeof(Vector);
typedef double Doubles __attribute__((vector_size(sizeof(Vector))));

/// Adds a line to as many sums as it has vectors.
inline void addLine(const Line &line, Vector *sums) {
  const auto *from = reinterpret_cast<const Vector *>(&line);
  [&]<std::size_t... Index>(std::index_sequence<Index...>) { // unrolled by all compilers
    ((sums[Index] += from[Index]), ...);
  }(std::make_index_sequence<vectors>());
}

/// Changes all words of a line but the circle's.
inline void changeLine(Line &line) {
  auto *to = reinterpret_cast<Vector *>(&line);
  to[0] += Vector{0, 1};
  for (std::size_t i = 1; i < vectors; ++i)
    to[i] += 1;
}

/// Writes all of a line without reading it.
inline void storeLine(Line &line, std::uint64_t value) {
  auto *to = reinterpret_cast<Vector *>(&line);
  for (std::size_t i = 0; i < vectors; ++i)
    to[i] = Vector{value, value};
}

inline void keepAll(const Vector *sums) {
  static_assert(vectors == 4);
  asm volatile("" : : "x"(sums[0]), "x"(sums[1]), "x"(sums[2]), "x"(sums[3]) : "memory");
}

/// Multiplies and adds `Rounds` times to each number of one of a line's vectors.
template <unsigned Rounds> Doubles computed(const Line &line, std::size_t vector) {
  constexpr Vector one = {0x3ff0000000000000, 0x3ff0000000000000}; // no denormals: they take longer
  auto value = reinterpret_cast<Doubles>(reinterpret_cast<const Vector *>(&line)[vector] | one);
  for (unsigned round = 0; round < Rounds; ++round)
    value = value * 0.75 + 0.5;
  return value;
}

} // namespace memory_figures
