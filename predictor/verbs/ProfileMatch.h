//===- ProfileMatch.h - A memory profile and its tree -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's memory profile comes from another build and another run of it than
// its tree. Sites are the same if they are in the same place of the source.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"
#include "predictor/verbs/ReplayedBurdens.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace prophet {

/// A site's executions at the outermost level of a program.
struct OutermostUse {
  double seconds = 0; ///< of all, in the serial run
  double executions = 0;
  double tasks = 0;              ///< of all
  std::set<std::uint64_t> sizes; ///< tasks of a section

  double meanTasks() const { return executions > 0 ? tasks / executions : 0; }
};

/// By site.
std::vector<OutermostUse> outermostUses(const Tree &tree);

/// The sites that ran, but only inside others' sections. \param uses outermostUses(tree)
std::vector<std::uint32_t> insideOnly(const Tree &tree, const std::vector<OutermostUse> &uses);

struct FoundProfile {
  std::shared_ptr<const memmodel::MemoryProfile> profile;
  std::string shown;                         ///< its file, for messages
  std::filesystem::file_time_type written{}; ///< when
};

/// The profile in the file `given`; where that is empty the one beside the tree's file `treePath`,
/// if it is there.
Result<std::optional<FoundProfile>> findProfile(const std::string &treePath,
                                                const std::string &given);

struct ProfileMatch {
  std::vector<KnownSite> known;
  std::vector<InnerUse> inner;       ///< sites inside others', those that the profile has alone
  std::vector<std::string> warnings; ///< where the two do not fit, or the profile is not whole
};

/// Which site of the profile is which one of `tree`.
ProfileMatch matchProfile(const Tree &tree, const std::vector<OutermostUse> &uses,
                          const FoundProfile &found);

} // namespace prophet
