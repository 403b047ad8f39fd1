//===- Directive.cpp - One annotation as a value ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Directive.h"

#include "llvm/Support/JSON.h"

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

std::string Directive::spelling() const {
  return Kind == DirectiveKind::ParallelFor ? "#pragma prophet parallel for"
                                            : "#pragma prophet critical";
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

/// Writes what would end a field or a C string literal, form a trigraph, or is no UTF-8, as %XX.
static std::string escapeField(const std::string &Field) {
  static const char Hex[] = "0123456789ABCDEF";
  unsigned char Highest = llvm::json::isUTF8(Field) ? 0xff : 0x7e;
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

std::string siteString(const Directive &D, const std::string &File, unsigned Line) {
  assert(D.Kind == DirectiveKind::ParallelFor && "only loops are sites");
  return "parallel_for|" + escapeField(File) + "|" + std::to_string(Line) + "|" +
         escapeField(D.name()) + "|" + escapeField(clausesText(D));
}

} // namespace prophet
