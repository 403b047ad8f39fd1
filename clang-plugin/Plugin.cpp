//===- Plugin.cpp - clang -fplugin=prophet ----------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/LinkStub.h"
#include "clang-plugin/MemoryPass.h"
#include "rewriter/Engine.h"
#include "rewriter/Report.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include <cstdio>
#include <cstdlib>

using namespace clang;

namespace prophet {
namespace {

class ProphetAction : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    addLinkStubPass(CI.getCodeGenOpts(), {!Chosen.Memory, Chosen.OpenMP});
#if CLANG_VERSION_MAJOR >= 17
    if (Chosen.Memory)
      addMemoryPass(CI.getCodeGenOpts());
#endif
    return makeConsumer(CI.getPreprocessor(), /*Out=*/nullptr, Chosen);
  }

  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Args) override {
    for (const std::string &Arg : Args) {
      if (Arg == "openmp") {
        Chosen.OpenMP = true;
      } else if (Arg == "memory") {
        Chosen.Memory = true;
      } else {
        report(CI.getDiagnostics(), SourceLocation(),
               "unknown option '-fplugin-arg-prophet-" + Arg + "'; known are: openmp, memory");
        return false;
      }
    }
    return !Chosen.Memory || canMeasureMemory(CI);
  }

  static bool canMeasureMemory(const CompilerInstance &CI) {
    const char *Reason = nullptr;
    if (CLANG_VERSION_MAJOR < 17)
      Reason = "needs Clang 17 or newer, and this is " PROPHET_CLANG_MAJOR;
    else if (CI.getCodeGenOpts().DisableLLVMPasses)
      Reason = "adds a pass, and without passes (as with -save-temps) nothing is measured";
    if (Reason)
      report(CI.getDiagnostics(), SourceLocation(),
             std::string("-fplugin-arg-prophet-memory ") + Reason);
    return !Reason;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

  Options Chosen;
};

/// Registers the action, in the compiler it was built for only: any other has classes of another
/// layout, and would crash at the first call.
struct Registration {
  Registration() {
    std::string Host = getClangFullVersion();
    if (Host.find("clang version " PROPHET_CLANG_VERSION ".") != std::string::npos) {
      static FrontendPluginRegistry::Add<ProphetAction> Add("prophet", "profiling annotations");
      return;
    }
    std::fprintf(stderr,
                 "error: the prophet plugin was built for clang %s and cannot be loaded into '%s'; "
                 "compile with clang-" PROPHET_CLANG_MAJOR "\n",
                 PROPHET_CLANG_VERSION, Host.c_str());
    std::_Exit(1);
  }
} Registered;

} // namespace
} // namespace prophet
