//===- Differences.h - How far the emulator is off --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace real_runtimes {

/// Relative differences of one kind of run.
class Differences {
public:
  void add(double difference);
  void add(const Differences &others);
  /// A row of the table: how many, mean, median, largest, mean with signs, how many are exact; of
  /// tasks, how many are inside. \pre there are some
  std::string str();

  std::size_t inside = 0, drawn = 0; ///< runs, with tasks, and those that some seed could be

private:
  std::vector<double> values; ///< without their signs
  double bias = 0;            ///< sum, with them
};

} // namespace real_runtimes
