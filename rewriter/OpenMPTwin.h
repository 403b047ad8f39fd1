//===- OpenMPTwin.h - An OpenMP pragma beside an annotation -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Region.h"

#include "clang/Basic/SourceManager.h"

#include <optional>
#include <string>

namespace prophet {

/// A source that serves for both has an OpenMP pragma of the same meaning directly below or above
/// the annotation. Its author knows better than an annotation what it has to say: it stays.
struct Twin {
  clang::SourceLocation Begin, End; ///< its characters, from the '#' to the end of its last line
  std::string Text;                 ///< empty: there is none

  explicit operator bool() const { return !Text.empty(); }
  /// What stands after the directive's words.
  std::string clauses() const;
  /// The text with that schedule in the place of its own, if it had one.
  std::string withSchedule(const std::string &Schedule) const;
};

Twin findTwin(const Annotation &A, const clang::SourceManager &SM);

} // namespace prophet
