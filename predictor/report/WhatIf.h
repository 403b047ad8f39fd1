//===- WhatIf.h - Changes to try in thought ---------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --what-if's words:
//
//   change { ";" change }
//   change:  "lock" NAME "=" ( FACTOR | "none" )
//          | "site" NAME ":" ( "tasks" | "length" ) "=" FACTOR { "," ... }
//          | ( "serial" | "overhead" ) "=" FACTOR
//   FACTOR:  "0" | NUMBER "x"
//   NAME:    in quotes, ' or ", where it holds blanks or any of : ; = ,
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/support/Result.h"
#include "predictor/tree/Tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace prophet {

/// One --what-if, read: all its changes hold together.
struct WhatIf {
  struct Change {
    enum class Kind : std::uint8_t { Lock, Site, Serial, Overhead };
    Kind kind = Kind::Serial;
    std::string name{}; ///< of the lock or the site
    double factor = 1;  ///< on lengths, or on OpenMP's costs
    double tasks = 1;   ///< Site: factor on trip counts
    bool removed = false;
  };
  std::string text; ///< as typed, without blanks around
  std::vector<Change> changes;

  /// Whether it is of what OpenMP's constructs cost.
  bool scalesOverheads() const;
};

/// \returns an error that names the cure, without the tree's name.
Result<WhatIf> parseWhatIf(std::string_view text);

/// `tree` as it would be; an error where it has no such lock or site.
Result<Tree> changeTree(const Tree &tree, const WhatIf &whatIf);

/// The options that the change is emulated under.
EmulationOptions changeOptions(EmulationOptions options, const WhatIf &whatIf);

} // namespace prophet
