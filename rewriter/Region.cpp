//===- Region.cpp - An annotated statement and its edits --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Region.h"

namespace prophet {

/// A brace and a variable whose cleanup closes what was opened. The number in its name keeps nested
/// annotations from shadowing each other; the underscores keep programs' macros out. In C++ the
/// call is kept out of constant evaluation, in a form that leaves no dead code and no constant
/// condition for compilers to warn of.
static std::string open(const std::string &What, unsigned Number, const std::string &Argument,
                        bool CPlusPlus) {
  std::string Variable = "prophet_" + What + "_" + std::to_string(Number);
  std::string Call = "__prophet_" + What + "_begin(" + Argument + ")";
  std::string Cleanup = "__attribute__((__cleanup__(__prophet_" + What + "_end)";
  if (!CPlusPlus)
    return "{ unsigned " + Variable + " " + Cleanup + ", __unused__)) = " + Call + ";";
  return "{ unsigned " + Variable + " " + Cleanup + ")) = 0; " +
         "(void)(__builtin_is_constant_evaluated() || (" + Variable + " = " + Call + "));";
}

std::string editText(const Edit &E, const Annotation &A, bool CPlusPlus) {
  switch (E.Kind) {
  case EditKind::OpenSection:
    return open("section", E.Annotation, "\"" + A.Site + "\"", CPlusPlus);
  case EditKind::OpenLock:
    return open("lock", E.Annotation, "\"" + A.Site + "\"", CPlusPlus);
  case EditKind::OpenTask:
    return open("task", E.Annotation, "", CPlusPlus);
  case EditKind::Close:
    break;
  }
  return "}";
}

} // namespace prophet
