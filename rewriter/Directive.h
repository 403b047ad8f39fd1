//===- Directive.h - One annotation as a value ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a `#pragma prophet ...` line says, free of any compiler state.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace prophet {

enum class DirectiveKind {
  ParallelFor,
  ParallelSections,
  Section,
  Task,
  Taskwait,
  ParallelTasks,
  Critical,
  Atomic,
  Pause,
  Resume,
  Barrier,
  // Of OpenMP only:
  Taskloop,
  Parallel,  ///< a region whose code every thread runs
  TasksScope ///< a construct at whose end tasks are waited for, such as `single`
};

enum class ClauseKind {
  Name,
  Nowait,
  Schedule,
  NumThreads,
  Collapse,
  Cancel,
  Private,
  FirstPrivate,
  LastPrivate,
  Shared,
  Default,
  Reduction,
  Linear,
  If
};

/// One clause. `Argument` is the text between the parentheses as written, blanks normalised;
/// for `name` it is the name itself. `Token` is where in the pragma's tokens the clause starts.
struct Clause {
  ClauseKind Kind;
  std::string Argument;
  size_t Token;
};

struct Directive {
  DirectiveKind Kind;
  std::vector<Clause> Clauses;
  /// For a `#pragma omp` its words, such as "for simd"; empty for a `#pragma prophet`.
  std::string OpenMP = "";

  /// The clause of that kind, or null. Kinds that may be repeated give the first.
  const Clause *find(ClauseKind Kind) const;
  /// The construct's name or the lock's name; empty where the programmer gave none.
  std::string name() const;
  /// How many loops of a nest share the iterations: the clause `collapse`, or 1.
  unsigned collapsed() const;
  /// `#pragma prophet critical`: how messages call this annotation.
  std::string spelling() const;
};

/// The directive's words, e.g. "parallel for".
const char *directiveWords(DirectiveKind Kind);

/// The clause's keyword, e.g. "schedule".
const char *clauseKeyword(ClauseKind Kind);

/// The clauses other than `name` as a programmer would write them, separated by one blank.
std::string clausesText(const Directive &D);

/// The SITE or LOCK string of prophet/profile.h for an annotation at `File`:`Line`: the site of a
/// loop, of sections or of tasks, the lock of a critical or an atomic. Empty for any other kind.
std::string siteString(const Directive &D, const std::string &File, unsigned Line);

} // namespace prophet
