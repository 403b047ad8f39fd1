//===- Region.h - An annotated statement and its edits ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is found is kept apart from what is done with it: a Region is the tokens
// of an annotated statement as the preprocessor gave them, and the places where
// an outlet adds something.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Directive.h"

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Token.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// One `#pragma prophet` line that was met in the source.
struct Annotation {
  Directive What;
  clang::SourceLocation Hash;  ///< the '#', or `_Pragma`
  clang::SourceLocation Begin; ///< the directive's first word
  clang::SourceLocation End;   ///< after the last token of the line
  std::string Site;            ///< the SITE or LOCK string
  bool Placed = false;         ///< its statement was found

  /// Of a task or taskwait: the annotation of the statement around it that holds its tasks.
  std::optional<unsigned> Scope = std::nullopt;
  /// The variable that tasksReference() turned out to stand for, once parsed.
  std::string TasksVariable = "";
  /// Of what stands alone: the token that follows.
  clang::SourceLocation Following = {};
};

/// By number. A deque, as lexing on may add annotations while one is looked at.
using AnnotationList = std::deque<Annotation>;

enum class EditKind {
  OpenSection, ///< of a loop or of sections
  OpenTask,    ///< an iteration, or the statement before the first `section`
  OpenPart,    ///< a `section`
  OpenTasks,   ///< `parallel tasks`
  OpenScope,   ///< of OpenMP: tasks are waited for at its end, and nothing else is recorded
  OpenSpawned, ///< a `task`
  OpenLock,
  Call, ///< what stands alone
  Close
};

/// Does a task begin there?
bool opensTask(EditKind Kind);

/// Something to add before the token `Before` of a region.
struct Edit {
  EditKind Kind;
  unsigned Annotation; ///< index of the annotation that asks for it
  size_t Before;
  /// The region's token that the annotation stood before. Smaller than `Before` where labels lie
  /// between the two.
  size_t PragmaBefore;
  /// Tasks stand directly inside: a variable for their section is added where there is none.
  bool HoldsTasks = false;
};

/// Whether the edit stands for its annotation's line.
bool replacesPragma(EditKind Kind);

/// Edits are in program order: of two at one place the earlier comes first.
struct Region {
  std::vector<clang::Token> Tokens;
  std::vector<Edit> Edits;
  bool Guarded = false; ///< calls are kept out of constant evaluation
};

/// The C or C++ text that an edit adds. Where `Guarded`, which is C++, it calls nothing during
/// constant evaluation.
std::string editText(const Edit &E, const Annotation &A, bool Guarded);

/// A statement that calls what returns nothing, kept out of constant evaluation where `Guarded`.
std::string callText(const std::string &Call, bool Guarded);
/// Where the task that an edit opens is one in this run, as text; empty: always.
std::string taskCondition(const Edit &E, const Annotation &A, bool Guarded);

/// What stands in the text for the variable that holds the tasks of annotation `Number`. Which one
/// it is only the parser knows (TasksVariables.h).
std::string tasksReference(unsigned Number);
/// The variable that the statement of annotation `Number` holds its tasks in.
std::string tasksVariable(unsigned Number);
/// The declaration of a variable that holds tasks.
std::string tasksDeclaration(const std::string &Variable);

} // namespace prophet
