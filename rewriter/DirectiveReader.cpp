//===- DirectiveReader.cpp - What each directive stands before --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the reader that knows directives. As in StatementReader.cpp, a
// function returns false where the tokens are not what it reads.
//
//===----------------------------------------------------------------------===//
#include "rewriter/Report.h"
#include "rewriter/StatementReader.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace prophet {

/// Whether tasks directly inside belong to a section that ends there.
static bool isTasksScope(EditKind Kind) {
  return Kind == EditKind::OpenTask || Kind == EditKind::OpenPart || Kind == EditKind::OpenTasks ||
         Kind == EditKind::OpenSpawned || Kind == EditKind::OpenScope;
}

bool StatementReader::refuse(unsigned Number, SourceLocation Loc, const std::string &Message) {
  Annotation &A = Annotations[Number];
  A.Placed = true;
  report(PP.getDiagnostics(), Loc, "'" + A.What.spelling() + "' " + Message);
  return false;
}

bool StatementReader::wrongStatement(unsigned Number, const char *Needs) {
  SourceLocation Loc = at(tok::eof) ? Annotations[Number].Begin : ahead().Tok.getLocation();
  return refuse(Number, Loc, "must be followed by " + std::string(Needs));
}

static bool standsAlone(DirectiveKind Kind) {
  return Kind == DirectiveKind::Taskwait || Kind == DirectiveKind::Pause ||
         Kind == DirectiveKind::Resume || Kind == DirectiveKind::Barrier;
}

/// Where a statement has annotations of both languages, the OpenMP ones are left out, unless they
/// are about something else: what stands alone, the region, or the part of `sections`.
void StatementReader::skipOpenMPBesideProphet(std::deque<unsigned> &Numbers) {
  auto IsOpenMP = [&](unsigned Number) { return !Annotations[Number].What.OpenMP.empty(); };
  auto IsOurs = [&](unsigned Number) {
    return !IsOpenMP(Number) && !standsAlone(Annotations[Number].What.Kind);
  };
  auto Ours = llvm::find_if(Numbers, IsOurs);
  if (Ours == Numbers.end())
    return;
  bool OurPart = Annotations[*Ours].What.Kind == DirectiveKind::Section;
  llvm::erase_if(Numbers, [&](unsigned Number) {
    DirectiveKind Kind = Annotations[Number].What.Kind;
    bool Stays = standsAlone(Kind) || Kind == DirectiveKind::Parallel ||
                 Kind == DirectiveKind::TasksScope || (Kind == DirectiveKind::Section && !OurPart);
    bool Left = IsOpenMP(Number) && !Stays;
    Annotations[Number].Placed |= Left;
    return Left;
  });
}

unsigned StatementReader::takeAnnotation() {
  ahead();
  skipOpenMPBesideProphet(Lexed.front().Annotations);
  unsigned Number = Lexed.front().Annotations.front();
  Lexed.front().Annotations.pop_front();
  return Number;
}

/// The statement after the first annotation ahead, or nothing where the annotation stands alone.
bool StatementReader::annotated() {
  unsigned Number = takeAnnotation();
  DirectiveKind Kind = Annotations[Number].What.Kind;
  if (standsAlone(Kind))
    return standingAlone(Number);
  if (Kind == DirectiveKind::Section)
    return refuse(Number, Annotations[Number].Begin,
                  "is only allowed directly inside the block of a '#pragma " +
                      std::string(Annotations[Number].What.OpenMP.empty()
                                      ? "prophet parallel sections'"
                                      : "omp sections'"));
  size_t PragmaBefore = Result.Tokens.size();
  // A label stays outside, so that a jump to it enters the annotated statement from its start.
  while (!annotationsAhead() && label())
    ;
  switch (Kind) {
  case DirectiveKind::ParallelFor:
  case DirectiveKind::Taskloop:
    return annotatedLoop(Number, PragmaBefore);
  case DirectiveKind::ParallelSections:
    return annotatedSections(Number, PragmaBefore);
  case DirectiveKind::ParallelTasks:
    return wrapped(EditKind::OpenTasks, Number, PragmaBefore);
  case DirectiveKind::Parallel:
  case DirectiveKind::TasksScope:
    return wrapped(EditKind::OpenScope, Number, PragmaBefore);
  case DirectiveKind::Task:
    findScope(Number);
    return wrapped(EditKind::OpenSpawned, Number, PragmaBefore);
  default:
    return wrapped(EditKind::OpenLock, Number, PragmaBefore);
  }
}

/// One statement between a brace and what closes it.
bool StatementReader::wrapped(EditKind Kind, unsigned Number, size_t PragmaBefore) {
  if (!annotationsAhead() && (at(tok::r_brace) || at(tok::kw_else) || at(tok::eof)))
    return wrongStatement(Number, "a statement");
  if (isTasksScope(Kind))
    Scopes.push_back(Result.Edits.size());
  edit(Kind, Number, PragmaBefore);
  size_t FirstEdit = Result.Edits.size(), FirstToken = Result.Tokens.size();
  if (!statement())
    return false;
  if (Annotations[Number].What.Kind == DirectiveKind::Parallel)
    warnOfWorkByHand(Number, FirstEdit, FirstToken);
  if (isTasksScope(Kind))
    Scopes.pop_back();
  edit(EditKind::Close, Number, PragmaBefore);
  return true;
}

bool StatementReader::standingAlone(unsigned Number) {
  Annotation &A = Annotations[Number];
  if (A.What.Kind == DirectiveKind::Taskwait)
    findScope(Number);
  if (A.What.Kind == DirectiveKind::Barrier) {
    A.Placed = true;
    if (Scopes.empty())
      return true;
    A.Scope = Result.Edits[Scopes.back()].Annotation;
  }
  Annotations[Number].Following = ahead().Tok.getLocation();
  edit(EditKind::Call, Number, Result.Tokens.size());
  return true;
}

/// Notes what holds the tasks of this place. A function inside the region that begins between the
/// two makes the parser find another (TasksVariables.h).
void StatementReader::findScope(unsigned Number) {
  if (Scopes.empty())
    return;
  Edit &Scope = Result.Edits[Scopes.back()];
  Scope.HoldsTasks = true;
  Annotations[Number].Scope = Scope.Annotation;
}

/// A barrier is only of interest for the tasks that it waits for.
void StatementReader::dropIdleBarriers() {
  llvm::SmallDenseSet<unsigned> Holding;
  for (const Edit &E : Result.Edits)
    if (E.HoldsTasks)
      Holding.insert(E.Annotation);
  llvm::erase_if(Result.Edits, [&](const Edit &E) {
    const Annotation &A = Annotations[E.Annotation];
    return A.What.Kind == DirectiveKind::Barrier && !Holding.contains(*A.Scope);
  });
}

/// A region without a construct that shares out work does so by hand, where it asks for the
/// thread's number or takes locks. Any other may call functions that have such constructs.
void StatementReader::warnOfWorkByHand(unsigned Number, size_t FirstEdit, size_t FirstToken) {
  const Annotation &A = Annotations[Number];
  auto Edits = llvm::drop_begin(Result.Edits, FirstEdit);
  auto Shares = [](const Edit &E) {
    return E.Kind == EditKind::OpenSection || E.Kind == EditKind::OpenTasks ||
           E.Kind == EditKind::OpenSpawned;
  };
  auto IsLock = [](const Edit &E) { return E.Kind == EditKind::OpenLock; };
  auto IsCall = [](const Token &Tok) {
    const IdentifierInfo *Id = Tok.isAnnotation() ? nullptr : Tok.getIdentifierInfo();
    return Id && (Id->isStr("omp_get_thread_num") || Id->isStr("omp_set_lock"));
  };
  bool ByHand = llvm::any_of(Edits, IsLock) ||
                llvm::any_of(llvm::drop_begin(Result.Tokens, FirstToken), IsCall);
  if (!ByHand || llvm::any_of(Edits, Shares) || PP.getSourceManager().isInSystemHeader(A.Begin))
    return;
  warn(PP.getDiagnostics(), A.Begin,
       "the work of this '" + A.What.spelling() +
           "' is shared out by hand, which the serial profile cannot see; its time counts as "
           "serial");
}

bool StatementReader::annotatedLoop(unsigned Number, size_t PragmaBefore) {
  edit(EditKind::OpenSection, Number, PragmaBefore);
  if (!prefixes())
    return false;
  if (annotationsAhead() || !at(tok::kw_for))
    return wrongStatement(Number, "a 'for' loop");
  if (!loopNest(Number, Annotations[Number].What.collapsed()))
    return false;
  edit(EditKind::Close, Number, PragmaBefore);
  return true;
}

/// `Loops` loops directly inside each other, with or without braces, and the task in the innermost.
bool StatementReader::loopNest(unsigned Number, unsigned Loops) {
  if (!forHeader())
    return false;
  if (Loops == 1)
    return wrapped(EditKind::OpenTask, Number, Result.Tokens.size());
  unsigned Braces = 0;
  for (; !annotationsAhead() && at(tok::l_brace) && take(); ++Braces)
    ;
  bool Nested = !annotationsAhead() && at(tok::kw_for);
  if (Nested && !loopNest(Number, Loops - 1))
    return false;
  for (; Nested && Braces != 0; --Braces)
    Nested = !annotationsAhead() && take(tok::r_brace);
  if (Nested)
    return true;
  std::string Count = Annotations[Number].What.find(ClauseKind::Collapse)->Argument;
  return refuse(Number, ahead().Tok.getLocation(),
                "with 'collapse(" + Count + ")' needs " + Count +
                    " 'for' loops directly inside each other");
}

bool StatementReader::annotatedSections(unsigned Number, size_t PragmaBefore) {
  edit(EditKind::OpenSection, Number, PragmaBefore);
  if (annotationsAhead() || !take(tok::l_brace))
    return wrongStatement(Number, "a block of sections");
  for (bool First = true; annotationsAhead() || !at(tok::r_brace); First = false)
    if (!part(Number, First))
      return false;
  take();
  edit(EditKind::Close, Number, PragmaBefore);
  return true;
}

/// A `section` and its statement, or the first statement without one.
bool StatementReader::part(unsigned Sections, bool First) {
  size_t PragmaBefore = Result.Tokens.size();
  if (annotationsAhead() &&
      Annotations[ahead().Annotations.front()].What.Kind == DirectiveKind::Section)
    return wrapped(EditKind::OpenPart, takeAnnotation(), PragmaBefore);
  if (First || at(tok::eof))
    return wrapped(EditKind::OpenTask, Sections, PragmaBefore);
  return refuse(Sections, ahead().Tok.getLocation(),
                "needs a '#pragma " +
                    std::string(Annotations[Sections].What.OpenMP.empty() ? "prophet" : "omp") +
                    " section' before each statement in its block but the first; put one here");
}

} // namespace prophet
