//===- Consumer.cpp - The engine beside the main action ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Engine.h"
#include "rewriter/OpenMPHandler.h"
#include "rewriter/WaysOut.h"

#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace prophet {
namespace {

class DirectiveHandler : public PragmaHandler {
public:
  explicit DirectiveHandler(std::shared_ptr<Engine> E) : PragmaHandler("prophet"), E(E) {}

  void HandlePragma(Preprocessor &, PragmaIntroducer Introducer, Token &) override {
    E->directive(Introducer);
  }

private:
  std::shared_ptr<Engine> E;
};

class ResumeHandler : public PragmaHandler {
public:
  explicit ResumeHandler(std::shared_ptr<Engine> E) : PragmaHandler("__prophet_resume"), E(E) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &Tok) override {
    PP.LexUnexpandedToken(Tok);
    unsigned Number = 0;
    bool Ours = Tok.is(tok::numeric_constant) &&
                !StringRef(PP.getSpelling(Tok)).getAsInteger(10, Number) &&
                Number < E->annotations().size();
    PP.DiscardUntilEndOfDirective();
    if (Ours)
      E->resume(Number);
  }

private:
  std::shared_ptr<Engine> E;
};

class EngineConsumer : public SemaConsumer {
public:
  explicit EngineConsumer(std::shared_ptr<Engine> E)
      : E(E), Watcher([this] { this->E->bodyEnded(); }) {}

  void InitializeSema(Sema &S) override { E->attach(&S); }
  void ForgetSema() override { E->attach(nullptr); }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    E->bodyEnded();
    // A file without annotations is not walked at all.
    if (!E->annotations().empty())
      Declarations.append(Group.begin(), Group.end());
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *) override { E->bodyEnded(); }
  ASTMutationListener *GetASTMutationListener() override { return &Watcher; }

  /// From a precompiled header or a module: checked there, where its numbers had their meaning.
  void HandleInterestingDecl(DeclGroupRef) override {}

  void HandleTranslationUnit(ASTContext &Context) override {
    for (Decl *D : Declarations)
      checkWaysOut(*D, E->annotations(), Context.getDiagnostics());
    E->finish();
  }

private:
  std::shared_ptr<Engine> E;
  BodyWatcher Watcher;
  SmallVector<Decl *, 64> Declarations;
};

} // namespace

std::unique_ptr<ASTConsumer> makeConsumer(Preprocessor &PP, Outlet *Out, const Options &Chosen) {
  auto E = std::make_shared<Engine>(PP, Out, Chosen);
  PP.AddPragmaHandler(new DirectiveHandler(E));
  PP.AddPragmaHandler(new ResumeHandler(E));
  if (Chosen.OpenMP)
    takeOverOpenMP(PP, [E](PragmaIntroducer Introducer) { E->openMPDirective(Introducer); });
  return std::make_unique<EngineConsumer>(E);
}

} // namespace prophet
