//===- Report.h - Compiler errors about annotations -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/Diagnostic.h"

#include <string>

namespace prophet {

/// Reports a compiler error; fix-its and ranges can be streamed into what it returns.
inline clang::DiagnosticBuilder report(clang::DiagnosticsEngine &Diags, clang::SourceLocation Loc,
                                       const std::string &Message) {
  unsigned Id = Diags.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
  return Diags.Report(Loc, Id) << Message;
}

} // namespace prophet
