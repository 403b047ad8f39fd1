//===- OpenMPWording.h - How OpenMP's pragmas are spelled -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place for the wording of OpenMP pragmas: `prophet predict` advises with
// it, `prophet apply` writes with it. Free of any compiler's and any predictor's
// types, so that both can include it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace prophet::openmp {

/// The clauses of a text such as "private(x) if(n > 4)": each with its parentheses, and without the
/// blanks and commas between them.
inline std::vector<std::string> splitClauses(std::string_view text) {
  std::vector<std::string> clauses;
  std::string clause;
  int depth = 0;
  for (char ch : text) {
    depth += (ch == '(') - (ch == ')');
    if (depth > 0 || (ch != ' ' && ch != ',')) {
      // "private (x)" is one clause.
      if (ch == '(' && depth == 1 && clause.empty() && !clauses.empty()) {
        clause = std::move(clauses.back());
        clauses.pop_back();
      }
      clause += ch;
    } else if (!clause.empty()) {
      clauses.push_back(std::move(clause));
      clause.clear();
    }
  }
  if (!clause.empty())
    clauses.push_back(std::move(clause));
  return clauses;
}

/// The word that a clause begins with.
inline std::string_view clauseWord(std::string_view clause) {
  return clause.substr(0, clause.find_first_of(" ("));
}

/// Whether a clause concerns the whole team: it stands on `parallel`, never on `for`.
inline bool isTeamClause(std::string_view clause) {
  constexpr std::string_view words[] = {"shared", "default", "if", "num_threads"};
  return std::find(std::begin(words), std::end(words), clauseWord(clause)) != std::end(words);
}

enum class Clauses { All, Team, Loop };

/// The clauses of `text` that OpenMP has, each after a blank. `cancel` is Prophet's own; `nowait`
/// and `schedule` are decided anew.
inline std::string keptClauses(std::string_view text, Clauses which) {
  std::string kept;
  for (const std::string &clause : splitClauses(text)) {
    std::string_view word = clauseWord(clause);
    bool decidedAnew = word == "cancel" || word == "nowait" || word == "schedule" || word == "name";
    bool wanted = which == Clauses::All || isTeamClause(clause) == (which == Clauses::Team);
    if (!decidedAnew && wanted)
      kept += " " + clause;
  }
  return kept;
}

/// `schedule` may be empty: the runtime's default then.
inline std::string parallelFor(const std::string &schedule, const std::string &clauses) {
  return "#pragma omp parallel for" + (schedule.empty() ? "" : " schedule(" + schedule + ")") +
         keptClauses(clauses, Clauses::Team) + keptClauses(clauses, Clauses::Loop);
}

/// A loop without a wait at its end, inside of a region that it shares with the next loop.
inline std::string forNowait(const std::string &schedule, const std::string &clauses) {
  return "#pragma omp for" + (schedule.empty() ? "" : " schedule(" + schedule + ")") + " nowait" +
         keptClauses(clauses, Clauses::Loop);
}

inline std::string parallelSections(const std::string &clauses) {
  return "#pragma omp parallel sections" + keptClauses(clauses, Clauses::Team) +
         keptClauses(clauses, Clauses::Loop);
}

/// The region around tasks, or around loops that share it.
inline std::string parallel(const std::string &clauses, Clauses which) {
  return "#pragma omp parallel" + keptClauses(clauses, which);
}

} // namespace prophet::openmp
