//===- Pragma.h - Pragma lines from text, for tests -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Grammar.h"

#include <cctype>
#include <string>
#include <vector>

namespace prophet {

/// Words, quoted strings, `::` and single other characters of `Line`.
inline std::vector<PragmaToken> tokens(const std::string &Line) {
  std::vector<PragmaToken> Tokens;
  bool Space = false;
  for (size_t At = 0; At != Line.size();) {
    if (Line[At] == ' ') {
      Space = true;
      ++At;
      continue;
    }
    size_t End = At + 1;
    auto InWord = [&](size_t I) {
      return std::isalnum(static_cast<unsigned char>(Line[I])) || Line[I] == '_';
    };
    PragmaTokenKind Kind = PragmaTokenKind::Other;
    if (InWord(At)) {
      Kind = std::isdigit(Line[At]) ? PragmaTokenKind::Other : PragmaTokenKind::Word;
      while (End != Line.size() && InWord(End))
        ++End;
    } else if (Line[At] == '"') {
      Kind = PragmaTokenKind::String;
      End = Line.find('"', End) + 1;
    } else if (Line.compare(At, 2, "::") == 0) {
      ++End;
    }
    Tokens.push_back({Kind, Line.substr(At, End - At), Space});
    Space = false;
    At = End;
  }
  return Tokens;
}

inline Directive directive(const std::string &Line) {
  return std::get<Directive>(parsePragma(tokens(Line)));
}

inline Problem problem(const std::string &Line) {
  return std::get<Problem>(parsePragma(tokens(Line)));
}

} // namespace prophet
