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
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/PrivateItems.h"
#include "rewriter/Region.h"

#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

namespace prophet {

/// By the edits of a region: the variables that clauses make private to the tasks that an edit
/// opens. Of an OpenMP `parallel` the tasks inside have them.
std::vector<PrivateItem> privateToTask(const Region &R, size_t Edit,
                                       const AnnotationList &Annotations);

/// The calls, as text. Left out are names of no variable in the current scope; what is smaller than
/// a line, which compilers keep in registers unless its address is taken; and what is constant.
/// `Condition`: where the task is one; empty: always.
std::string ownCalls(clang::Sema &S, const std::vector<PrivateItem> &Items,
                     const std::string &Condition);

} // namespace prophet
