//===- Grammar.cpp - The pragma line's grammar ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Grammar.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace prophet {
namespace {

enum class Argument { None, Name, Schedule, Default, Reduction, Number, Expression };
enum class Count { Once, Many };

struct ClauseRule {
  ClauseKind Kind;
  Argument Takes;
  Count Allowed;
};

const ClauseRule ClauseRules[] = {
    {ClauseKind::Name, Argument::Name, Count::Once},
    {ClauseKind::Nowait, Argument::None, Count::Once},
    {ClauseKind::Schedule, Argument::Schedule, Count::Once},
    {ClauseKind::NumThreads, Argument::Expression, Count::Once},
    {ClauseKind::Collapse, Argument::Number, Count::Once},
    {ClauseKind::Cancel, Argument::None, Count::Once},
    {ClauseKind::Private, Argument::Expression, Count::Many},
    {ClauseKind::FirstPrivate, Argument::Expression, Count::Many},
    {ClauseKind::LastPrivate, Argument::Expression, Count::Many},
    {ClauseKind::Shared, Argument::Expression, Count::Many},
    {ClauseKind::Default, Argument::Default, Count::Once},
    {ClauseKind::Reduction, Argument::Reduction, Count::Many},
    {ClauseKind::Linear, Argument::Expression, Count::Many},
    {ClauseKind::If, Argument::Expression, Count::Once},
};

const DirectiveKind DirectiveKinds[] = {
    DirectiveKind::Critical,     DirectiveKind::Section,
    DirectiveKind::Task,         DirectiveKind::Taskwait,
    DirectiveKind::Atomic,       DirectiveKind::Barrier,
    DirectiveKind::Pause,        DirectiveKind::Resume,
    DirectiveKind::ParallelFor,  DirectiveKind::ParallelSections,
    DirectiveKind::ParallelTasks};

const std::vector<std::string> FirstWords = {"parallel", "critical", "section", "task",  "taskwait",
                                             "atomic",   "barrier",  "pause",   "resume"};
const std::vector<std::string> ParallelWords = {"for", "sections", "tasks"};

bool isAllowed(ClauseKind Clause, DirectiveKind On) {
  switch (On) {
  case DirectiveKind::ParallelFor:
    return true;
  case DirectiveKind::ParallelSections:
    return Clause != ClauseKind::Schedule && Clause != ClauseKind::Collapse &&
           Clause != ClauseKind::Linear;
  case DirectiveKind::ParallelTasks:
    return isAllowed(Clause, DirectiveKind::ParallelSections) && Clause != ClauseKind::Nowait &&
           Clause != ClauseKind::LastPrivate;
  case DirectiveKind::Task:
    return isAllowed(Clause, DirectiveKind::ParallelTasks) && Clause != ClauseKind::NumThreads &&
           Clause != ClauseKind::Cancel && Clause != ClauseKind::Reduction;
  case DirectiveKind::Section:
    return Clause == ClauseKind::Name;
  default:
    return false;
  }
}

std::vector<std::string> allowedClauses(DirectiveKind On) {
  std::vector<std::string> Words;
  for (const ClauseRule &Rule : ClauseRules)
    if (isAllowed(Rule.Kind, On))
      Words.push_back(clauseKeyword(Rule.Kind));
  return Words;
}

std::string list(const std::vector<std::string> &Words) {
  std::string Text;
  for (const std::string &Word : Words)
    Text += (Text.empty() ? "" : ", ") + Word;
  return Text;
}

bool contains(const std::vector<std::string> &Words, const std::string &Word) {
  return std::find(Words.begin(), Words.end(), Word) != Words.end();
}

/// A recursive-descent parser over one line; the first Problem ends it.
class Parser {
public:
  explicit Parser(const std::vector<PragmaToken> &Tokens) : Tokens(Tokens) {}

  ParsedPragma parse() {
    Directive D;
    if (parseKind(D) && (D.Kind == DirectiveKind::Critical ? parseLock(D) : parseClauses(D)))
      return D;
    return *Failure;
  }

private:
  bool parseKind(Directive &D);
  bool parseLock(Directive &D);
  bool parseClauses(Directive &D);
  bool parseClause(Directive &D);
  bool parseArgument(const ClauseRule &Rule, Clause &C);
  bool checkArgument(const ClauseRule &Rule, size_t First, size_t Last);
  bool checkSchedule(size_t First, size_t Last);
  bool checkReduction(size_t First, size_t Last);

  bool atEnd() const { return Next == Tokens.size(); }
  bool is(size_t At, const char *Text) const {
    return At < Tokens.size() && Tokens[At].Kind != PragmaTokenKind::String &&
           Tokens[At].Text == Text;
  }
  bool atWord() const { return !atEnd() && Tokens[Next].Kind == PragmaTokenKind::Word; }
  /// The position after the parenthesis that closes the one at Next, or 0.
  bool fail(size_t At, std::string Message, std::optional<std::string> Replacement = {}) {
    Failure = Problem{At, std::move(Message), std::move(Replacement)};
    return false;
  }
  bool failUnknown(size_t At, const std::string &What, const std::vector<std::string> &Known);

  const std::vector<PragmaToken> &Tokens;
  size_t Next = 0;
  std::optional<Problem> Failure;
};

bool Parser::failUnknown(size_t At, const std::string &What,
                         const std::vector<std::string> &Known) {
  std::string Message = "unknown " + What + " '" + Tokens[At].Text + "'";
  std::optional<std::string> Closest = closestWord(Tokens[At].Text, Known);
  if (Closest)
    return fail(At, Message + "; did you mean '" + *Closest + "'?", Closest);
  return fail(At, Message + "; known are: " + list(Known));
}

bool Parser::parseKind(Directive &D) {
  if (atEnd())
    return fail(Next, "'#pragma prophet' needs a directive, such as 'parallel for' or 'critical'");
  std::string Words = Tokens[Next].Text;
  if (contains(ParallelWords, Words))
    return fail(Next, "unknown directive '" + Words + "'; did you mean 'parallel " + Words + "'?",
                "parallel " + Words);
  if (Words == "parallel") {
    ++Next;
    if (atEnd())
      return fail(Next, "'#pragma prophet parallel' needs 'for', 'sections' or 'tasks' after it");
    Words += " " + Tokens[Next].Text;
  }
  auto Kind = std::find_if(std::begin(DirectiveKinds), std::end(DirectiveKinds),
                           [&](DirectiveKind K) { return Words == directiveWords(K); });
  if (Kind == std::end(DirectiveKinds))
    return Next == 0 ? failUnknown(Next, "directive", FirstWords)
                     : failUnknown(Next, "directive 'parallel' with", ParallelWords);
  D.Kind = *Kind;
  ++Next;
  return true;
}

bool Parser::parseLock(Directive &D) {
  if (atEnd())
    return true;
  if (!is(Next, "("))
    return fail(Next, "expected '(' and the lock's name, or nothing, after 'critical'");
  size_t Open = Next++;
  if (!atWord())
    return fail(Next, "expected the lock's name, an identifier, after '('");
  D.Clauses.push_back({ClauseKind::Name, Tokens[Next++].Text, Open});
  if (!is(Next, ")"))
    return fail(Next, "expected ')' after the lock's name");
  ++Next;
  return atEnd() || fail(Next, "'critical' takes nothing after its name");
}

bool Parser::parseClauses(Directive &D) {
  while (!atEnd()) {
    if (is(Next, ",") && !D.Clauses.empty() && Next + 1 < Tokens.size())
      ++Next;
    if (!parseClause(D))
      return false;
  }
  return true;
}

bool Parser::parseClause(Directive &D) {
  std::vector<std::string> Allowed = allowedClauses(D.Kind);
  if (Allowed.empty())
    return fail(Next, std::string("'") + directiveWords(D.Kind) + "' takes nothing after it");
  if (!atWord())
    return fail(Next, "expected a clause of '" + D.spelling() + "'");
  const std::string &Word = Tokens[Next].Text;
  for (const ClauseRule &Rule : ClauseRules) {
    if (Word != clauseKeyword(Rule.Kind))
      continue;
    if (!isAllowed(Rule.Kind, D.Kind))
      return fail(Next, "clause '" + Word + "' is not allowed on '" + D.spelling() +
                            "'; allowed are: " + list(Allowed));
    if (Rule.Allowed == Count::Once && D.find(Rule.Kind))
      return fail(Next, "clause '" + Word + "' is given twice");
    Clause C{Rule.Kind, "", Next++};
    if (!parseArgument(Rule, C))
      return false;
    D.Clauses.push_back(std::move(C));
    return true;
  }
  return failUnknown(Next, "clause", Allowed);
}

bool Parser::parseArgument(const ClauseRule &Rule, Clause &C) {
  std::string Keyword = clauseKeyword(Rule.Kind);
  if (Rule.Takes == Argument::None)
    return !is(Next, "(") || fail(Next, "clause '" + Keyword + "' takes no argument");
  if (!is(Next, "("))
    return fail(Next, "expected '(' after clause '" + Keyword + "'");
  size_t End = afterParen(Tokens, Next);
  if (!End)
    return fail(Tokens.size(), "expected ')' to close clause '" + Keyword + "'");
  size_t First = Next + 1, Last = End - 1;
  if (First == Last)
    return fail(Last, "clause '" + Keyword + "' needs an argument");
  if (!checkArgument(Rule, First, Last))
    return false;
  C.Argument = textOf(Tokens, First, Last);
  if (Rule.Takes == Argument::Name && Tokens[First].Kind == PragmaTokenKind::String)
    C.Argument = C.Argument.substr(1, C.Argument.size() - 2);
  Next = End;
  return true;
}

bool Parser::checkArgument(const ClauseRule &Rule, size_t First, size_t Last) {
  const PragmaToken &T = Tokens[First];
  switch (Rule.Takes) {
  case Argument::Name: {
    bool PlainString = T.Kind == PragmaTokenKind::String && T.Text.front() == '"' &&
                       T.Text.size() > 2 && T.Text.find('\\') == std::string::npos;
    if (Last - First != 1 || (T.Kind != PragmaTokenKind::Word && !PlainString))
      return fail(First, "expected an identifier or a plain string as the name");
    return true;
  }
  case Argument::Number: {
    bool Digits = T.Text.size() <= 3 && T.Text.front() != '0' &&
                  T.Text.find_first_not_of("0123456789") == std::string::npos;
    if (Last - First != 1 || !Digits)
      return fail(First, std::string("clause '") + clauseKeyword(Rule.Kind) +
                             "' takes the number of loops, written in digits");
    return true;
  }
  case Argument::Schedule:
    return checkSchedule(First, Last);
  case Argument::Default:
    if (Last - First != 1 || (T.Text != "shared" && T.Text != "none"))
      return fail(First, "clause 'default' takes 'shared' or 'none'");
    return true;
  case Argument::Reduction:
    return checkReduction(First, Last);
  case Argument::None:
  case Argument::Expression:
    return true;
  }
  return true;
}

bool Parser::checkSchedule(size_t First, size_t Last) {
  const std::vector<std::string> Kinds = {"static", "dynamic", "guided"};
  if (!contains(Kinds, Tokens[First].Text))
    return failUnknown(First, "schedule", Kinds);
  if (First + 1 == Last)
    return true;
  if (!is(First + 1, ","))
    return fail(First + 1, "expected ',' and the chunk size, or ')', after the schedule's kind");
  return First + 2 != Last || fail(Last, "expected the chunk size after ','");
}

bool Parser::checkReduction(size_t First, size_t Last) {
  for (size_t At = First; At != Last; ++At)
    if (is(At, ":"))
      return (At != First && At + 1 != Last) ||
             fail(At, "clause 'reduction' needs an operator before ':' and variables after it");
  return fail(First, "clause 'reduction' has the form 'reduction(operator : variables)'");
}

} // namespace

size_t afterParen(const std::vector<PragmaToken> &Tokens, size_t Open) {
  size_t Depth = 0;
  for (size_t At = Open; At != Tokens.size(); ++At) {
    if (Tokens[At].Text == "(")
      ++Depth;
    else if (Tokens[At].Text == ")" && --Depth == 0)
      return At + 1;
  }
  return 0;
}

std::string textOf(const std::vector<PragmaToken> &Tokens, size_t First, size_t Last) {
  std::string Text;
  for (size_t At = First; At != Last; ++At)
    Text += (At != First && Tokens[At].SpaceBefore ? " " : "") + Tokens[At].Text;
  return Text;
}

std::optional<std::string> closestWord(const std::string &Word,
                                       const std::vector<std::string> &Known) {
  unsigned Best = std::max<unsigned>(1, Word.size() / 3);
  std::optional<std::string> Closest;
  for (const std::string &Candidate : Known) {
    unsigned Distance = llvm::StringRef(Word).edit_distance(Candidate, true, Best + 1);
    if (Distance < Best || (Distance == Best && !Closest)) {
      Best = Distance;
      Closest = Candidate;
    }
  }
  return Closest;
}

ParsedPragma parsePragma(const std::vector<PragmaToken> &Tokens) { return Parser(Tokens).parse(); }

} // namespace prophet
