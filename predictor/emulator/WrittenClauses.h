//===- WrittenClauses.h - What the programmer wrote on the sites *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/tree/Tree.h"

#include <string_view>

namespace prophet {

/// Whether some site says how it is to be scheduled or how large its team is. schedule(runtime)
/// leaves that to the run.
bool hasWrittenClauses(const Tree &tree);

struct WrittenClauses {
  std::vector<SiteSettings> sites;      ///< for EmulationOptions::sites
  std::vector<std::string> assumptions; ///< what the clauses leave open, and how it was taken
};

/// Every site's own `schedule` and `num_threads`; `static` where it has none, as in both runtimes.
/// An error, naming the site, where one that counts (all, or `onlySite`) has a clause that cannot
/// be emulated: a modifier for `simd`, or what is no number.
Result<WrittenClauses> readWrittenClauses(const Tree &tree, OmpRuntime runtime,
                                          std::optional<std::uint32_t> onlySite);

/// The `num_threads` clause among a site's kept clauses: what is in its parentheses; "" without.
std::string_view numThreadsClause(const Site &site);

/// A chunk's size as --schedule and clauses write it.
Result<std::uint64_t> parseChunk(std::string_view text);

} // namespace prophet
