//===- OpenMPHandler.cpp - Takes over `#pragma omp` -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OpenMPHandler.h"

#include "rewriter/ClangCompat.h"
#include "rewriter/Report.h"

#include "clang/Lex/Pragma.h"

using namespace clang;

namespace prophet {
namespace {

class OpenMPHandler : public PragmaHandler {
public:
  explicit OpenMPHandler(std::function<void(PragmaIntroducer)> Handle)
      : PragmaHandler("omp"), Handle(std::move(Handle)) {}

  void HandlePragma(Preprocessor &, PragmaIntroducer Introducer, Token &) override {
    Handle(Introducer);
  }

private:
  std::function<void(PragmaIntroducer)> Handle;
};

/// Clang's parser adds a handler of that name when it is made, and takes the handler of that name
/// out, without deleting it, when it ends. In between, when the main file is entered, it is
/// exchanged for ours, which stays with this object.
class Exchange : public Callbacks {
public:
  Exchange(Preprocessor &PP, std::function<void(PragmaIntroducer)> Handle)
      : PP(PP), Handler(std::move(Handle)) {}

  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind, FileID) override {
    if (std::exchange(Done, true))
      return;
    PP.RemovePragmaHandler(&Handler);
    PP.AddPragmaHandler(&Handler);
  }

private:
  Preprocessor &PP;
  OpenMPHandler Handler;
  bool Done = false;
};

} // namespace

void takeOverOpenMP(Preprocessor &PP, std::function<void(PragmaIntroducer)> Handle) {
  if (PP.getLangOpts().OpenMP) {
    report(PP.getDiagnostics(), SourceLocation(),
           "OpenMP pragmas are profiled in the serial program; compile without '-fopenmp'");
    return;
  }
  PP.addPPCallbacks(std::make_unique<Exchange>(PP, std::move(Handle)));
}

} // namespace prophet
