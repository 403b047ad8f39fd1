//===- GrammarCheck.cpp - What the grammar owes any line ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/GrammarCheck.h"

#include "rewriter/OpenMPGrammar.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>

namespace prophet {

static constexpr std::string_view Words[] = {"parallel",
                                             "for",
                                             "sections",
                                             "tasks",
                                             "section",
                                             "task",
                                             "taskwait",
                                             "critical",
                                             "atomic",
                                             "barrier",
                                             "pause",
                                             "resume",
                                             "name",
                                             "nowait",
                                             "schedule",
                                             "collapse",
                                             "cancel",
                                             "num_threads",
                                             "firstprivate",
                                             "lastprivate",
                                             "private",
                                             "reduction",
                                             "linear",
                                             "if",
                                             "shared",
                                             "default",
                                             "static",
                                             "dynamic",
                                             "guided",
                                             "none",
                                             "(",
                                             ")",
                                             ",",
                                             ":",
                                             "+",
                                             "1",
                                             "12",
                                             "x",
                                             "\"a name\"",
                                             "\"\"",
                                             "L\"w\"",
                                             "\"back\\\\slash\"",
                                             "parallell",
                                             "sectoin",
                                             "%|?",
                                             "'c'",
                                             "==",
                                             "colapse"};
const std::uint8_t GrammarWords = std::size(Words);

static constexpr std::string_view OmpWords[] = {
    "parallel",  "for",         "sections",    "single",
    "master",    "simd",        "taskloop",    "section",
    "task",      "taskwait",    "atomic",      "critical",
    "barrier",   "taskgroup",   "target",      "teams",
    "ordered",   "cancel",      "distribute",  "flush",
    "declare",   "nowait",      "schedule",    "collapse",
    "if",        "num_threads", "private",     "firstprivate",
    "reduction", "default",     "lastprivate", "linear",
    "shared",    "depend",      "final",       "untied",
    "read",      "write",       "update",      "capture",
    "static",    "dynamic",     "monotonic",   "runtime",
    "(",         ")",           ",",           ":",
    "1",         "99999999999", "+",           "x",
    "\"s\"",     "\"a\\\"b\"",  "paralel",     "'\\n'",
    "%|?",       "0x2",         "data",        "[",
    "]"};
const std::uint8_t OpenMPWords = std::size(OmpWords);

static void require(bool holds, const char *what, const std::string &detail) {
  if (holds)
    return;
  std::fprintf(stderr, "the grammar broke a promise: %s: %s\n", what, detail.c_str());
  std::abort();
}

/// A byte with its highest bit set has a blank in front. Other bytes than those of `Words` stand
/// for a word that is made up of them.
static std::vector<PragmaToken> tokensOf(std::string_view bytes,
                                         std::span<const std::string_view> Words) {
  std::vector<PragmaToken> Tokens;
  for (char C : bytes) {
    const auto Byte = static_cast<unsigned char>(C);
    const unsigned Word = Byte & 0x7f;
    PragmaToken Token{PragmaTokenKind::Word, {}, (Byte & 0x80) != 0};
    if (Word < Words.size())
      Token.Text = Words[Word];
    else
      Token.Text = std::string(1 + Word % 3, static_cast<char>('a' + Word % 26));
    const char First = Token.Text.front();
    if (Token.Text.back() == '"')
      Token.Kind = PragmaTokenKind::String;
    else if (!std::isalpha(static_cast<unsigned char>(First)))
      Token.Kind = PragmaTokenKind::Other;
    Tokens.push_back(Token);
  }
  return Tokens;
}

static std::string lineOf(const std::vector<PragmaToken> &Tokens) {
  std::string Line;
  for (const PragmaToken &T : Tokens)
    Line += (T.SpaceBefore ? " " : "") + T.Text + " ";
  return Line;
}

static void requireProblem(const Problem &P, std::vector<PragmaToken> Tokens) {
  const std::string Line = lineOf(Tokens);
  require(P.Token <= Tokens.size(), "a problem is in the line or at its end", Line);
  require(!P.Message.empty() && P.Message.find('\n') == P.Message.npos, "a message is a line",
          Line);
  if (!P.Replacement)
    return;
  require(P.Token < Tokens.size(), "what is replaced is there", Line);
  require(P.Message.find("did you mean '" + *P.Replacement + "'") != P.Message.npos,
          "the replacement is the one that the message names", Line);
  // "parallel for" is two tokens for one.
  const std::string Old = Tokens[P.Token].Text;
  if (P.Replacement->starts_with("parallel ")) {
    Tokens[P.Token].Text = "parallel";
    Tokens.insert(Tokens.begin() + static_cast<long>(P.Token) + 1,
                  {PragmaTokenKind::Word, P.Replacement->substr(9), true});
  } else {
    Tokens[P.Token] = {PragmaTokenKind::Word, *P.Replacement, true};
  }
  const ParsedPragma Then = parsePragma(Tokens);
  if (const auto *Next = std::get_if<Problem>(&Then))
    require(Next->Token != P.Token || Next->Message != P.Message, "a replacement helps", Line);
}

static void requireDirective(const Directive &D, const std::vector<PragmaToken> &Tokens) {
  const std::string Line = lineOf(Tokens);
  size_t Last = 0;
  for (const Clause &C : D.Clauses) {
    require(C.Token > Last && C.Token < Tokens.size(), "clauses are in order", Line);
    Last = C.Token;
  }
  require(D.collapsed() >= 1, "collapse counts loops", Line);
  const std::string Site = siteString(D, "dir/a|b\"c\\d?.c", 7);
  for (char C : Site)
    require(static_cast<unsigned char>(C) >= 0x20 && C != '"' && C != '\\' && C != '?',
            "a site can stand in a string literal", Site);
  const bool Task = D.Kind == DirectiveKind::Task || D.Kind == DirectiveKind::ParallelTasks;
  if (Task || D.Kind == DirectiveKind::ParallelFor || D.Kind == DirectiveKind::ParallelSections)
    require(std::count(Site.begin(), Site.end(), '|') == 4, "a site has five fields", Site);
}

/// The same line with other blanks means the same.
static void requireBlanksDoNotMatter(std::vector<PragmaToken> Tokens, const ParsedPragma &Parsed) {
  for (PragmaToken &T : Tokens)
    T.SpaceBefore = !T.SpaceBefore;
  const ParsedPragma Other = parsePragma(Tokens);
  require(Other.index() == Parsed.index(), "blanks do not matter", lineOf(Tokens));
  if (const auto *D = std::get_if<Directive>(&Parsed)) {
    const auto &Again = std::get<Directive>(Other);
    require(D->Kind == Again.Kind && D->Clauses.size() == Again.Clauses.size(),
            "blanks do not matter", lineOf(Tokens));
  } else {
    require(std::get<Problem>(Parsed).Message == std::get<Problem>(Other).Message,
            "blanks do not matter", lineOf(Tokens));
  }
}

bool checkGrammar(std::string_view bytes) {
  const std::vector<PragmaToken> Tokens = tokensOf(bytes, Words);
  const ParsedPragma Parsed = parsePragma(Tokens);
  requireBlanksDoNotMatter(Tokens, Parsed);
  if (const auto *P = std::get_if<Problem>(&Parsed)) {
    requireProblem(*P, Tokens);
    return false;
  }
  requireDirective(std::get<Directive>(Parsed), Tokens);
  return true;
}

bool checkOpenMPGrammar(std::string_view bytes) {
  const std::vector<PragmaToken> Tokens = tokensOf(bytes, OmpWords);
  const OpenMPPragma Parsed = parseOpenMP(Tokens);
  for (const Problem &P : Parsed.Warnings)
    requireProblem(P, Tokens);
  if (Parsed.What)
    requireDirective(*Parsed.What, Tokens);
  return Parsed.What.has_value();
}

} // namespace prophet
