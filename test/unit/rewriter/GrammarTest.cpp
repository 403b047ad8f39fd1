//===- GrammarTest.cpp - What pragma lines mean and why not -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pragma.h"

#include "gtest/gtest.h"

using namespace prophet;

namespace {

TEST(Grammar, ParallelForNeedsNoClause) {
  Directive D = directive("parallel for");
  EXPECT_EQ(D.Kind, DirectiveKind::ParallelFor);
  EXPECT_TRUE(D.Clauses.empty());
  EXPECT_EQ(D.name(), "");
}

TEST(Grammar, CriticalMayBeNamed) {
  EXPECT_EQ(directive("critical").Kind, DirectiveKind::Critical);
  EXPECT_EQ(directive("critical").name(), "");
  EXPECT_EQ(directive("critical (sum)").name(), "sum");
}

TEST(Grammar, EveryClauseKeepsItsArgumentAndPlace) {
  Directive D = directive("parallel for name(rows) nowait schedule(dynamic, n / 2) num_threads(4) "
                          "cancel private(a, b) firstprivate(c) lastprivate(d) shared(e) "
                          "default(none) reduction(+ : s) linear(i : 2) if(n > f(1, 2))");
  std::vector<std::pair<ClauseKind, std::string>> Expected = {
      {ClauseKind::Name, "rows"},
      {ClauseKind::Nowait, ""},
      {ClauseKind::Schedule, "dynamic, n / 2"},
      {ClauseKind::NumThreads, "4"},
      {ClauseKind::Cancel, ""},
      {ClauseKind::Private, "a, b"},
      {ClauseKind::FirstPrivate, "c"},
      {ClauseKind::LastPrivate, "d"},
      {ClauseKind::Shared, "e"},
      {ClauseKind::Default, "none"},
      {ClauseKind::Reduction, "+ : s"},
      {ClauseKind::Linear, "i : 2"},
      {ClauseKind::If, "n > f(1, 2)"}};
  ASSERT_EQ(D.Clauses.size(), Expected.size());
  for (size_t I = 0; I != Expected.size(); ++I) {
    EXPECT_EQ(D.Clauses[I].Kind, Expected[I].first);
    EXPECT_EQ(D.Clauses[I].Argument, Expected[I].second);
  }
  EXPECT_EQ(D.Clauses[1].Token, 6u);
}

TEST(Grammar, CommasMayStandBetweenClauses) {
  EXPECT_EQ(directive("parallel for nowait, cancel").Clauses.size(), 2u);
  EXPECT_EQ(problem("parallel for , nowait").Message,
            "expected a clause of '#pragma prophet parallel for'");
  EXPECT_EQ(problem("parallel for nowait,").Token, 3u);
}

TEST(Grammar, DataClausesMayBeRepeatedOthersNot) {
  EXPECT_EQ(directive("parallel for private(a) private(b)").Clauses.size(), 2u);
  Problem P = problem("parallel for nowait nowait");
  EXPECT_EQ(P.Message, "clause 'nowait' is given twice");
  EXPECT_EQ(P.Token, 3u);
}

TEST(Grammar, NameIsAnIdentifierOrAPlainString) {
  EXPECT_EQ(directive("parallel for name(\"two words\")").name(), "two words");
  for (const char *Line : {"parallel for name(1)", "parallel for name(a b)",
                           "parallel for name(\"\")", "parallel for name(\"a\\n\")"})
    EXPECT_EQ(problem(Line).Message, "expected an identifier or a plain string as the name");
}

TEST(Grammar, AMisspeltWordIsReplaced) {
  Problem P = problem("critcal(sum)");
  EXPECT_EQ(P.Message, "unknown directive 'critcal'; did you mean 'critical'?");
  EXPECT_EQ(P.Token, 0u);
  EXPECT_EQ(P.Replacement, "critical");
  EXPECT_EQ(problem("paralel for").Replacement, "parallel");
  EXPECT_EQ(problem("parallel foor").Replacement, "for");
  EXPECT_EQ(problem("for").Replacement, "parallel for");
  EXPECT_EQ(problem("tasks").Replacement, "parallel tasks");
  EXPECT_EQ(problem("taskwiat").Replacement, "taskwait");
  EXPECT_EQ(problem("parallel section").Replacement, "sections");
  EXPECT_EQ(problem("atomc").Replacement, "atomic");
  EXPECT_EQ(problem("parallel for colapse(2)").Replacement, "collapse");
  EXPECT_EQ(problem("parallel for privat(x)").Replacement, "private");
  EXPECT_EQ(problem("parallel for schedule(guide)").Replacement, "guided");
}

TEST(Grammar, AnUnlikeWordGetsTheList) {
  Problem P = problem("parallel for schedule(auto)");
  EXPECT_EQ(P.Message, "unknown schedule 'auto'; known are: static, dynamic, guided");
  EXPECT_FALSE(P.Replacement);
}

TEST(Grammar, EveryDirectiveIsKnownByItsWords) {
  for (DirectiveKind Kind :
       {DirectiveKind::ParallelFor, DirectiveKind::ParallelSections, DirectiveKind::ParallelTasks,
        DirectiveKind::Section, DirectiveKind::Task, DirectiveKind::Taskwait,
        DirectiveKind::Critical, DirectiveKind::Atomic, DirectiveKind::Pause, DirectiveKind::Resume,
        DirectiveKind::Barrier})
    EXPECT_EQ(directive(directiveWords(Kind)).Kind, Kind);
}

TEST(Grammar, ADirectiveHasItsOwnClauses) {
  EXPECT_EQ(directive("section name(left)").name(), "left");
  EXPECT_EQ(directive("task name(node) if(depth < 4) firstprivate(p)").Clauses.size(), 3u);
  EXPECT_EQ(directive("parallel tasks cancel num_threads(4) default(none)").Clauses.size(), 3u);
  EXPECT_EQ(directive("parallel sections nowait reduction(+ : s)").Clauses.size(), 2u);
  EXPECT_EQ(problem("section nowait").Message,
            "clause 'nowait' is not allowed on '#pragma prophet section'; allowed are: name");
  EXPECT_EQ(problem("task cancel").Message,
            "clause 'cancel' is not allowed on '#pragma prophet task'; allowed are: name, private, "
            "firstprivate, shared, default, if");
  EXPECT_EQ(problem("parallel sections collapse(2)").Token, 2u);
  for (const char *Word : {"taskwait", "atomic", "barrier", "pause", "resume"})
    EXPECT_EQ(problem(std::string(Word) + " nowait").Message,
              "'" + std::string(Word) + "' takes nothing after it");
}

TEST(Grammar, CollapseCountsLoops) {
  EXPECT_EQ(directive("parallel for collapse(3)").collapsed(), 3u);
  EXPECT_EQ(directive("parallel for").collapsed(), 1u);
  for (const char *Line : {"parallel for collapse(0)", "parallel for collapse(n)",
                           "parallel for collapse(1 + 1)", "parallel for collapse(2000)"})
    EXPECT_EQ(problem(Line).Message,
              "clause 'collapse' takes the number of loops, written in digits");
}

TEST(Grammar, MalformedClausesAreReportedWhereTheyGoWrong) {
  struct {
    const char *Line;
    size_t Token;
    const char *Message;
  } Cases[] = {
      {"", 0, "'#pragma prophet' needs a directive, such as 'parallel for' or 'critical'"},
      {"parallel", 1, "'#pragma prophet parallel' needs 'for', 'sections' or 'tasks' after it"},
      {"critical sum", 1, "expected '(' and the lock's name, or nothing, after 'critical'"},
      {"critical(", 2, "expected the lock's name, an identifier, after '('"},
      {"critical(\"a\")", 2, "expected the lock's name, an identifier, after '('"},
      {"critical(a b)", 3, "expected ')' after the lock's name"},
      {"critical(a) b", 4, "'critical' takes nothing after its name"},
      {"parallel for 3", 2, "expected a clause of '#pragma prophet parallel for'"},
      {"parallel for nowait(1)", 3, "clause 'nowait' takes no argument"},
      {"parallel for private", 3, "expected '(' after clause 'private'"},
      {"parallel for private()", 4, "clause 'private' needs an argument"},
      {"parallel for if((a)", 7, "expected ')' to close clause 'if'"},
      {"parallel for default(private)", 4, "clause 'default' takes 'shared' or 'none'"},
      {"parallel for schedule(static 4)", 5,
       "expected ',' and the chunk size, or ')', after the schedule's kind"},
      {"parallel for schedule(static,)", 6, "expected the chunk size after ','"},
      {"parallel for reduction(s)", 4,
       "clause 'reduction' has the form 'reduction(operator : variables)'"},
      {"parallel for reduction(: s)", 4,
       "clause 'reduction' needs an operator before ':' and variables after it"},
  };
  for (const auto &Case : Cases) {
    Problem P = problem(Case.Line);
    EXPECT_EQ(P.Message, Case.Message) << Case.Line;
    EXPECT_EQ(P.Token, Case.Token) << Case.Line;
  }
}

} // namespace
