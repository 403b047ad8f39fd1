//===- Grammar.h - The pragma line's grammar --------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses what follows `#pragma prophet`. Pure: tokens in, a Directive or one
// Problem out; the caller knows where the tokens are in the source.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Directive.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace prophet {

enum class PragmaTokenKind { Word, String, Other };

struct PragmaToken {
  PragmaTokenKind Kind;
  std::string Text; ///< as written, a string with its quotes
  bool SpaceBefore; ///< a blank stands before it
};

/// Why a line is refused. `Token` may be one past the last token: the end of the line.
struct Problem {
  size_t Token;
  std::string Message;
  /// What to write in the token's place, where that is known.
  std::optional<std::string> Replacement = std::nullopt;
};

using ParsedPragma = std::variant<Directive, Problem>;

/// Parses the tokens that follow `#pragma prophet` up to the end of the line.
ParsedPragma parsePragma(const std::vector<PragmaToken> &Tokens);

/// The number of the token after the parenthesis that closes the one at `Open`, or 0.
size_t afterParen(const std::vector<PragmaToken> &Tokens, size_t Open);

/// The tokens [First, Last) as written, blanks normalised.
std::string textOf(const std::vector<PragmaToken> &Tokens, size_t First, size_t Last);

/// The word of `Known` that `Word` is most likely a misspelling of: at most one edit for every
/// three letters, the earlier word on a tie.
std::optional<std::string> closestWord(const std::string &Word,
                                       const std::vector<std::string> &Known);

} // namespace prophet
