//===- Plan.h - What is decided for each annotated site ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The predictor's decisions, in a file:
//
//   {"sites": [{"file": "mandel.c", "line": 12, "schedule": "dynamic,1",
//               "guard": 40, "serial": false, "note": "..."}]}
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace prophet {

struct SitePlan {
  std::string File; ///< as the profiled program's compiler knew it
  int Line = 0;
  std::string Schedule;          ///< "static,1"; empty: none is known to be best
  std::optional<uint64_t> Guard; ///< parallel only for more iterations than this
  bool Serial = false;           ///< not worth a parallel region
  std::string Note;              ///< why, for the user; may be empty
};

struct Plan {
  std::vector<SitePlan> Sites;

  /// The plan for the annotation at `File`:`Line`. The program may have been compiled in another
  /// directory: a file of the same path comes first, then one of the same name.
  const SitePlan *find(const std::string &File, int Line) const;
};

llvm::Expected<Plan> readPlan(const std::string &Path);

} // namespace prophet
