//===- Vectorization.h - Loops that OpenMP would slow down --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a parallel loop becomes a function of its own, in which Clang knows
// less of pointers than it did in place. A loop that was vectorised in the serial
// program may not be any more; the prediction, made from the serial program, is
// then too high. Clang's own remarks of both compilations tell.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"
#include "predictor/verbs/ClangCommand.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace prophet {

/// A loop that is vectorised in the serial program alone.
struct LostVectorization {
  std::string file;
  unsigned line = 0, column = 0;
  std::string reason; ///< Clang's; may be empty
  bool operator==(const LostVectorization &) const = default;
};

/// What Clang's loop vectoriser said in one compilation.
struct VectorizerRemarks {
  struct Loop {
    bool vectorized = false; ///< somewhere
    bool missed = false;     ///< in a function that OpenMP's lowering made
    std::string reason;
  };
  std::map<std::tuple<std::string, unsigned, unsigned>, Loop> loops; ///< by file, line, column
};

/// Reads a file of -fsave-optimization-record (YAML, one document a remark).
VectorizerRemarks parseRemarks(std::string_view yaml);

/// Loops that `serial` says are vectorised, and `openmp` that they are not, in a parallel body.
std::vector<LostVectorization> compareRemarks(const VectorizerRemarks &serial,
                                              const VectorizerRemarks &openmp);

/// Compiles twice, the second time with `openmpOptions`, and compares. With -O2 where the options
/// do not say how far to optimize.
Result<std::vector<LostVectorization>>
findLostVectorization(const Compilation &compilation,
                      const std::vector<std::string> &openmpOptions);

/// A compiler's warning line for people.
std::string describe(const LostVectorization &lost);

} // namespace prophet
