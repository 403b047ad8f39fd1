//===- Difference.h - What changed between two runs ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two program trees, or two predictions, row by row. A row of trees is a site, or
// the whole program; one of predictions an estimate, of a site or of the whole.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"
#include "predictor/tree/Tree.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

struct DifferenceColumn {
  enum class Unit : std::uint8_t { Count, Seconds, Speedup };
  const char *key;     ///< in JSON
  const char *heading; ///< in the table
  Unit unit;
};

/// One thing that both sides have.
struct DifferenceRow {
  std::string name;   ///< of the site; empty: the whole program
  std::string prefix; ///< of predictions: "static,1 on 4 threads", and what was changed
  std::vector<std::pair<double, double>> values; ///< before and after, by column
  /// How much faster the second is: a serial time, or a speedup; none where that is no number.
  std::optional<double> speed;

  bool changed() const;
};

/// What only one side has.
struct Unpaired {
  std::string name, prefix; ///< as of a DifferenceRow
  std::string key;          ///< both, in words
};

struct Difference {
  std::string kind; ///< "tree" or "prediction"
  std::vector<DifferenceColumn> columns;
  std::vector<DifferenceRow> rows;
  std::vector<Unpaired> onlyFirst, onlySecond; ///< rows that have no counterpart
  std::vector<std::string> settings; ///< in which predictions differ: "runtime: libomp, libgomp"

  /// The slowest row, if any has a speed.
  const DifferenceRow *slowest() const;
};

/// Sites are the same where their names are; of several of one name, in order.
Difference compareTrees(const Tree &first, const Tree &second);

/// Of two files that `prophet predict --format json` wrote. An error names the side that is no such
/// file by `names`.
Result<Difference> comparePredictions(const nlohmann::json &first, const nlohmann::json &second,
                                      const std::pair<std::string, std::string> &names);

std::string renderDifferenceText(const Difference &difference, const std::string &first,
                                 const std::string &second);
/// Format "prophet-diff", version 1.
std::string renderDifferenceJson(const Difference &difference, const std::string &first,
                                 const std::string &second);

} // namespace prophet
