//===- Region.h - An annotated statement and its edits ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is found is kept apart from what is done with it: a Region is the tokens
// of an annotated statement as the preprocessor gave them, and the places where
// an outlet adds something.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Directive.h"

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Token.h"

#include <deque>
#include <string>
#include <vector>

namespace prophet {

/// One `#pragma prophet` line that was met in the source.
struct Annotation {
  Directive What;
  clang::SourceLocation Hash;  ///< the '#', or `_Pragma`
  clang::SourceLocation Begin; ///< the directive's first word
  clang::SourceLocation End;   ///< after the last token of the line
  std::string Site;            ///< the SITE or LOCK string
  bool Placed = false;         ///< its statement was found
};

/// By number. A deque, as lexing on may add annotations while one is looked at.
using AnnotationList = std::deque<Annotation>;

enum class EditKind { OpenSection, OpenLock, OpenTask, Close };

/// Something to add before the token `Before` of a region.
struct Edit {
  EditKind Kind;
  unsigned Annotation; ///< index of the annotation that asks for it
  size_t Before;
  /// The region's token that the annotation stood before. Smaller than `Before` where labels lie
  /// between the two.
  size_t PragmaBefore;
};

/// Edits are in program order: of two at one place the earlier comes first.
struct Region {
  std::vector<clang::Token> Tokens;
  std::vector<Edit> Edits;
};

/// The C or C++ text that an edit adds. In C++ nothing is called during constant evaluation.
std::string editText(const Edit &E, const Annotation &A, bool CPlusPlus);

} // namespace prophet
