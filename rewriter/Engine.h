//===- Engine.h - From pragmas to calls, in one parse -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one room behind two doors, the plugin and prophet-rewrite. The engine
// listens to `#pragma prophet` lines and adds tokens around the statements that
// follow them; the parser sees ordinary code.
//
// It takes two steps. Reading past the line inside a `#pragma` handler would
// delete the lexer that called it at the end of a file. So the first handler reads
// its own line only and adds `_Pragma("__prophet_resume N")`; the second one is
// called from that token stream and may read the statement.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/OwnVariables.h"
#include "rewriter/TasksVariables.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

#include <deque>
#include <memory>

namespace prophet {

/// Hears of every region that the parser is given. The plugin needs none.
class Outlet {
public:
  virtual ~Outlet() = default;
  virtual void region(const Region &R, const AnnotationList &Annotations) = 0;
  /// A function's body begins at a brace, and a declaration belongs behind it.
  virtual void functionTasks(clang::SourceLocation /*Brace*/, const std::string & /*Declaration*/) {
  }
  /// The parse has ended, without an error.
  virtual void finish(const AnnotationList &Annotations) = 0;
};

struct Options {
  bool OpenMP = false; ///< `#pragma omp` lines are annotations too
  /// Tasks tell which variables are their own, by calls that addMemoryPass() sees to.
  bool Memory = false;
};

class Engine {
public:
  Engine(clang::Preprocessor &PP, Outlet *Out, const Options &Chosen)
      : PP(PP), Out(Out), Chosen(Chosen) {}

  void attach(clang::Sema *Semantics);
  /// First step: the line after `#pragma prophet`.
  void directive(clang::PragmaIntroducer Introducer);
  /// First step: the line after `#pragma omp`.
  void openMPDirective(clang::PragmaIntroducer Introducer);
  /// Second step: the statement after annotation `Number`.
  void resume(unsigned Number);
  /// A body has been parsed, maybe: it is completed before anything is made of it.
  void bodyEnded() {
    if (Tasks)
      Tasks->declare();
  }
  /// Reports annotations that found no statement; then tells the outlet.
  void finish();

  const AnnotationList &annotations() const { return Annotations; }

private:
  void annotate(Directive What, clang::PragmaIntroducer Introducer, clang::SourceLocation Begin,
                clang::SourceLocation End);
  void injectResume(unsigned Number, clang::SourceLocation Loc);
  std::string freeName();
  bool isThreadLocal(const std::string &Name) const;
  void injectThreadPrivate(const std::vector<std::string> &Names, const clang::Token &Anchor);
  void enter(const Region &R);
  std::string addedText(const Region &R, size_t Number);
  void append(std::vector<clang::Token> &Tokens, std::string Added, const clang::Token &Anchor);

  clang::Preprocessor &PP;
  Outlet *Out;
  const Options Chosen;
  clang::Sema *S = nullptr;
  AnnotationList Annotations;
  llvm::IntrusiveRefCntPtr<TasksVariables> Tasks;
  llvm::IntrusiveRefCntPtr<OwnVariables> Own; ///< null: not of a program that measures memory
  unsigned Tables = 0;                        ///< of what `threadprivate` lists
  std::deque<unsigned> Pending;
  std::deque<std::string> Texts; ///< literals of added tokens point into these
  bool Reading = false;
};

/// A consumer that runs the engine beside the main action. `Out` may be null.
std::unique_ptr<clang::ASTConsumer> makeConsumer(clang::Preprocessor &PP, Outlet *Out,
                                                 const Options &Chosen);

} // namespace prophet
