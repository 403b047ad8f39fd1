//===- RegionTimes.h - What OpenMP regions took -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tool in runtime/regions/ writes when an OpenMP program ends, and from
// addresses in it to the pragmas of the source, by llvm-symbolizer.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prophet {

/// All outermost regions that one place in the code opens.
struct RegionTime {
  std::string object;        ///< the file that has the code
  std::uint64_t address = 0; ///< in it, behind the call that forks
  double regions = 0;        ///< how many
  double seconds = 0;        ///< from fork to join, summed up
};

/// A line of source code.
struct CodeLine {
  std::string file;
  unsigned line = 0;
  bool operator==(const CodeLine &) const = default;
};

/// Reads the tool's file. An error, without the file's name, where it is not whole.
Result<std::vector<RegionTime>> parseRegionTimes(std::string_view text);

/// By object and address: the line of the call, in the innermost function where calls are inlined.
using CodeLines = std::map<std::pair<std::string, std::uint64_t>, CodeLine>;

/// What llvm-symbolizer, asked for the addresses in front of `regions`' own (which are behind the
/// calls) in their order, said by `--output-style=JSON`: a document a line. What it does not know
/// is left out.
CodeLines parseSymbols(const std::vector<RegionTime> &regions, std::string_view text);

/// llvm-symbolizer's standard input for that question.
std::string symbolQuestion(const std::vector<RegionTime> &regions);

} // namespace prophet
