//===- Directive.cpp - One annotation as a value ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Directive.h"

#include "llvm/Support/ConvertUTF.h"

#include <algorithm>
#include <cassert>

namespace prophet {

const Clause *Directive::find(ClauseKind Kind) const {
  auto It =
      std::find_if(Clauses.begin(), Clauses.end(), [&](const Clause &C) { return C.Kind == Kind; });
  return It == Clauses.end() ? nullptr : &*It;
}

std::string Directive::name() const {
  const Clause *C = find(ClauseKind::Name);
  return C ? C->Argument : "";
}

unsigned Directive::collapsed() const {
  const Clause *C = find(ClauseKind::Collapse);
  return C ? std::stoul(C->Argument) : 1;
}

std::string Directive::spelling() const {
  return OpenMP.empty() ? std::string("#pragma prophet ") + directiveWords(Kind)
                        : "#pragma omp " + OpenMP;
}

const char *directiveWords(DirectiveKind Kind) {
  switch (Kind) {
  case DirectiveKind::ParallelFor:
    return "parallel for";
  case DirectiveKind::ParallelSections:
    return "parallel sections";
  case DirectiveKind::Section:
    return "section";
  case DirectiveKind::Task:
    return "task";
  case DirectiveKind::Taskwait:
    return "taskwait";
  case DirectiveKind::ParallelTasks:
    return "parallel tasks";
  case DirectiveKind::Critical:
    return "critical";
  case DirectiveKind::Atomic:
    return "atomic";
  case DirectiveKind::Pause:
    return "pause";
  case DirectiveKind::Resume:
    return "resume";
  case DirectiveKind::Barrier:
    return "barrier";
  case DirectiveKind::Taskloop:
    return "taskloop";
  case DirectiveKind::Parallel:
    return "parallel";
  case DirectiveKind::TasksScope:
    return "single";
  }
  assert(false && "unknown directive kind");
  return "";
}

const char *clauseKeyword(ClauseKind Kind) {
  switch (Kind) {
  case ClauseKind::Name:
    return "name";
  case ClauseKind::Nowait:
    return "nowait";
  case ClauseKind::Schedule:
    return "schedule";
  case ClauseKind::NumThreads:
    return "num_threads";
  case ClauseKind::Collapse:
    return "collapse";
  case ClauseKind::Cancel:
    return "cancel";
  case ClauseKind::Private:
    return "private";
  case ClauseKind::FirstPrivate:
    return "firstprivate";
  case ClauseKind::LastPrivate:
    return "lastprivate";
  case ClauseKind::Shared:
    return "shared";
  case ClauseKind::Default:
    return "default";
  case ClauseKind::Reduction:
    return "reduction";
  case ClauseKind::Linear:
    return "linear";
  case ClauseKind::If:
    return "if";
  }
  assert(false && "unknown clause kind");
  return "";
}

std::string clausesText(const Directive &D) {
  std::string Text;
  for (const Clause &C : D.Clauses) {
    if (C.Kind == ClauseKind::Name)
      continue;
    if (!Text.empty())
      Text += ' ';
    Text += clauseKeyword(C.Kind);
    if (!C.Argument.empty())
      Text += "(" + C.Argument + ")";
  }
  return Text;
}

static bool isUtf8(const std::string &Text) {
  auto *Begin = reinterpret_cast<const llvm::UTF8 *>(Text.data());
  return llvm::isLegalUTF8String(&Begin, Begin + Text.size());
}

/// Writes what would end a field or a C string literal, form a trigraph, or is no UTF-8, as %XX.
static std::string escapeField(const std::string &Field) {
  static const char Hex[] = "0123456789ABCDEF";
  unsigned char Highest = isUtf8(Field) ? 0xff : 0x7e;
  std::string Escaped;
  for (char Ch : Field) {
    auto Byte = static_cast<unsigned char>(Ch);
    bool Special = Byte < 0x20 || Byte == 0x7f || Byte > Highest ||
                   std::string("%|\"\\?").find(Ch) != std::string::npos;
    if (!Special) {
      Escaped += Ch;
      continue;
    }
    Escaped += '%';
    Escaped += Hex[Byte >> 4];
    Escaped += Hex[Byte & 15];
  }
  return Escaped;
}

static std::string site(const char *Kind, const Directive &D, const std::string &File,
                        unsigned Line) {
  return std::string(Kind) + "|" + escapeField(File) + "|" + std::to_string(Line) + "|" +
         escapeField(D.name()) + "|" + escapeField(clausesText(D));
}

std::string siteString(const Directive &D, const std::string &File, unsigned Line) {
  switch (D.Kind) {
  case DirectiveKind::ParallelFor:
    return site("parallel_for", D, File, Line);
  case DirectiveKind::ParallelSections:
    return site("sections", D, File, Line);
  case DirectiveKind::Task:
  case DirectiveKind::ParallelTasks:
  case DirectiveKind::Taskloop:
    return site("tasks", D, File, Line);
  case DirectiveKind::Critical:
    return D.name();
  case DirectiveKind::Atomic: // each has a lock of its own
    return "atomic " + escapeField(File.substr(File.rfind('/') + 1)) + ":" + std::to_string(Line);
  case DirectiveKind::Section:
  case DirectiveKind::Taskwait:
  case DirectiveKind::Pause:
  case DirectiveKind::Resume:
  case DirectiveKind::Barrier:
  case DirectiveKind::Parallel:
  case DirectiveKind::TasksScope:
    break;
  }
  return "";
}

} // namespace prophet
