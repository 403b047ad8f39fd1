//===- OwnVariables.h - Telling what clauses make private -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that a clause makes private has one place in the serial program, whichever task runs,
// and one for each thread in the OpenMP program. Where the program measures memory, its tasks begin
// with calls that say where these variables are.
//
// Which variables those are is not known while a region's tokens are read. As in TasksVariables.h,
// added text refers to names that nothing is called, and Clang's look-up asks here what they mean.
// Where there is nothing to tell they stand for something small, and the calls are behind
// conditions that are then constant and false, of which no code is made.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/NameSource.h"
#include "rewriter/PrivateItems.h"
#include "rewriter/Region.h"

#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

#include <deque>

namespace prophet {

/// By the edits of a region: the variables that clauses make private to the tasks that an edit
/// opens. Of an OpenMP `parallel` the tasks inside have them.
std::vector<PrivateItem> privateToTask(const Region &R, size_t Number,
                                       const AnnotationList &Annotations);

/// What a name stands for in a scope, if that is one thing; else null. Says nothing.
clang::NamedDecl *findName(clang::Sema &S, const std::string &Name, clang::Scope *Place);

class OwnVariables : public NameSource {
public:
  explicit OwnVariables(clang::Sema &S) : S(S) {}

  /// The calls, as text. `Condition`: where the task is one; empty: always.
  std::string calls(const std::vector<PrivateItem> &Items, const std::string &Condition);

  bool LookupUnqualified(clang::LookupResult &R, clang::Scope *Place) override;

private:
  /// What added text refers to by its number.
  struct Asked {
    std::string Name;
    std::vector<std::string> Words = {}; ///< in the bounds of its section
    bool IsSection = false;
    bool IsToEnd = false; ///< a section without a length
  };

  std::string call(const PrivateItem &Item);
  std::optional<std::string> bound(const std::string &Text);
  bool readBound(const std::string &Text, std::string &Kinds, std::string &Result, unsigned Depth);
  bool isWithinReach(const clang::VarDecl &Variable);
  bool canBeTold(const clang::VarDecl &Variable, const Asked &What);
  static bool isToldAtAnySize(const Asked &What, const clang::ValueDecl *Meant);
  clang::ValueDecl *object(const Asked &What, clang::Scope *Place);
  clang::ValueDecl *word(const std::string &Name, clang::Scope *Place);
  clang::VarDecl *standIn(const char *Name, clang::QualType Type);

  clang::Sema &S;
  std::deque<Asked> All;
};

} // namespace prophet
