//===- Region.cpp - An annotated statement and its edits --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Region.h"

namespace prophet {

/// A brace and a variable whose cleanup closes what its initialiser opens. The number in its name
/// keeps nested annotations from shadowing each other.
static std::string open(const std::string &What, unsigned Number, const std::string &Argument,
                        bool CPlusPlus) {
  std::string Call = "__prophet_" + What + "_begin(" + Argument + ")";
  if (CPlusPlus)
    Call = "__builtin_is_constant_evaluated() ? 0u : " + Call;
  return "{ unsigned __prophet_" + What + "_" + std::to_string(Number) +
         " __attribute__((cleanup(__prophet_" + What + "_end), unused)) = " + Call + ";";
}

std::string editText(const Edit &E, const Annotation &A, bool CPlusPlus) {
  switch (E.Kind) {
  case EditKind::OpenSection:
    return open("section", E.Annotation, "\"" + A.Site + "\"", CPlusPlus);
  case EditKind::OpenLock:
    return open("lock", E.Annotation, "\"" + A.What.name() + "\"", CPlusPlus);
  case EditKind::OpenTask:
    return open("task", E.Annotation, "", CPlusPlus);
  case EditKind::Close:
    break;
  }
  return "}";
}

} // namespace prophet
