//===- Report.h - Compiler errors about annotations -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/FrontendDiagnostic.h"

#include <string>

namespace prophet {

/// Reports a compiler error; fix-its and ranges can be streamed into what it returns.
inline clang::DiagnosticBuilder report(clang::DiagnosticsEngine &Diags, clang::SourceLocation Loc,
                                       const std::string &Message) {
  unsigned Id = Diags.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
  return Diags.Report(Loc, Id) << Message;
}

/// Reports a warning, which -Wno-backend-plugin, Clang's group for plugins, switches off.
inline clang::DiagnosticBuilder warn(clang::DiagnosticsEngine &Diags, clang::SourceLocation Loc,
                                     const std::string &Message) {
  return Diags.Report(Loc, clang::diag::warn_fe_backend_plugin) << Message;
}

} // namespace prophet
