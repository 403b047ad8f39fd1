//===- Region.cpp - An annotated statement and its edits --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Region.h"

namespace prophet {

bool replacesPragma(EditKind Kind) { return Kind != EditKind::OpenTask && Kind != EditKind::Close; }

bool opensTask(EditKind Kind) {
  return Kind == EditKind::OpenTask || Kind == EditKind::OpenPart || Kind == EditKind::OpenSpawned;
}

/// A brace and a variable whose cleanup closes what was opened. The number in its name keeps nested
/// annotations from shadowing each other; the underscores keep programs' macros out. A guarded call
/// is kept out of constant evaluation, in a form that leaves no dead code and no constant condition
/// for compilers to warn of. It counts as a branch where coverage is measured. Clang 14 to 16
/// call a variable unused that only its cleanup uses, whichever Clang has written the text.
static std::string open(const std::string &What, unsigned Number, const std::string &Call,
                        bool Guarded, bool Used = false) {
  std::string Variable = "prophet_" + What + "_" + std::to_string(Number);
  std::string Cleanup = "__attribute__((__cleanup__(__prophet_" + What + "_end)";
  // What holds tasks is used, and must not be marked as if it were not.
  if (!Guarded)
    return "{ unsigned " + Variable + " " + Cleanup + (Used ? "" : ", __unused__") +
           ")) = " + Call + ";";
  return "{ unsigned " + Variable + " " + Cleanup + ")) = 0; " +
         "(void)(__builtin_is_constant_evaluated() || (" + Variable + " = " + Call + "));";
}

std::string callText(const std::string &Call, bool Guarded) {
  return Guarded ? "(void)(__builtin_is_constant_evaluated() || ((void)" + Call + ", false));"
                 : Call + ";";
}

static std::string begin(const std::string &What, const std::string &Text) {
  return "__prophet_" + What + "_begin(" + Text + ")";
}

static std::string standingAlone(const Edit &E, const Annotation &A, bool Guarded) {
  if (A.What.Kind == DirectiveKind::Pause)
    return callText("__prophet_pause()", Guarded);
  if (A.What.Kind == DirectiveKind::Resume)
    return callText("__prophet_resume()", Guarded);
  return callText("__prophet_tasks_end(&" + tasksReference(E.Annotation) + ")", Guarded);
}

/// OpenMP's `if`, where it is given: otherwise there is no such construct in this run.
static std::string condition(const Annotation &A) {
  const Clause *If = A.What.OpenMP.empty() ? nullptr : A.What.find(ClauseKind::If);
  return If ? "(" + If->Argument + ")" : "";
}

static std::string onlyIf(const std::string &Condition, const std::string &Call) {
  return Condition.empty() ? Call : Condition + " ? " + Call + " : 0u";
}

std::string taskCondition(const Edit &E, const Annotation &A, bool Guarded) {
  return Guarded || !condition(A).empty() ? "prophet_task_" + std::to_string(E.Annotation) : "";
}

static std::string plainText(const Edit &E, const Annotation &A, bool Guarded) {
  unsigned Number = E.Annotation;
  std::string Site = "\"" + A.Site + "\"", If = condition(A);
  switch (E.Kind) {
  case EditKind::OpenSection:
    return open("section", Number, onlyIf(If, begin("section", Site)), Guarded, !If.empty());
  case EditKind::OpenTask:
  case EditKind::OpenPart:
    if (!If.empty())
      If = "prophet_section_" + std::to_string(Number);
    return open("task", Number, onlyIf(If, begin("task", "")), Guarded);
  case EditKind::OpenTasks:
    return open("tasks", Number, begin("section", Site), Guarded, E.HoldsTasks);
  case EditKind::OpenSpawned:
    return open("task", Number,
                onlyIf(If, begin("spawn", "&" + tasksReference(Number) + ", " + Site)), Guarded);
  case EditKind::OpenScope:
    return "{";
  case EditKind::OpenLock:
    return open("lock", Number, begin("lock", Site), Guarded);
  case EditKind::Call:
    return standingAlone(E, A, Guarded);
  case EditKind::Close:
    break;
  }
  return "}";
}

std::string editText(const Edit &E, const Annotation &A, bool Guarded) {
  std::string Text = plainText(E, A, Guarded);
  bool HasVariable = !E.HoldsTasks || E.Kind == EditKind::OpenTasks;
  return HasVariable ? Text : Text + " " + tasksDeclaration(tasksVariable(E.Annotation));
}

std::string tasksReference(unsigned Number) { return "prophet_tasks_of_" + std::to_string(Number); }

std::string tasksVariable(unsigned Number) { return "prophet_tasks_" + std::to_string(Number); }

std::string tasksDeclaration(const std::string &Variable) {
  return "unsigned " + Variable + " __attribute__((__cleanup__(__prophet_tasks_end))) = 0;";
}

} // namespace prophet
