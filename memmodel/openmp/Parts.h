//===- Parts.h - What the threads of a team did ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <vector>

namespace openmp_overheads {

/// What a thread of a team did.
struct Part {
  double ns = 0;
  int iterations = 0;
};

/// What a thread of `with` took beyond its iterations, the mean of the team's, by what iterations
/// took the same thread `without`: of cores that are slower than others a schedule that asks for
/// chunks makes do with fewer, so that the teams' times do not differ by what asking costs.
inline double beyondIterations(const std::vector<Part> &with, const std::vector<Part> &without) {
  double sum = 0, threads = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    if (without[i].iterations == 0) // the team was smaller than asked for
      continue;
    sum += with[i].ns - with[i].iterations * without[i].ns / without[i].iterations;
    ++threads;
  }
  return threads > 0 ? sum / threads : 0;
}

} // namespace openmp_overheads
