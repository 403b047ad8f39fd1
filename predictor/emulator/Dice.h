//===- Dice.h - What is random in an emulation ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace prophet {

/// Draws: splitmix64, the same numbers on every machine.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : state(seed) {}
  /// One of 0 to `count` - 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  /// At least 0 and less than 1.
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  std::uint64_t state;

  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
};

} // namespace prophet
