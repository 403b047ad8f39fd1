//===- OpenMPGrammar.cpp - `#pragma omp` as annotations ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OpenMPGrammar.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace prophet {
namespace {

using Words = std::vector<std::string>;

/// Words that combined constructs are made of, such as `target teams distribute parallel for simd`.
const Words Parts = {"target",   "teams",  "distribute", "parallel", "for",      "simd",
                     "sections", "single", "master",     "masked",   "taskloop", "loop"};

const struct {
  const char *Word;
  DirectiveKind Kind;
} Single[] = {
    {"critical", DirectiveKind::Critical},       {"atomic", DirectiveKind::Atomic},
    {"section", DirectiveKind::Section},         {"task", DirectiveKind::Task},
    {"taskwait", DirectiveKind::Taskwait},       {"barrier", DirectiveKind::Barrier},
    {"taskgroup", DirectiveKind::ParallelTasks}, {"scope", DirectiveKind::TasksScope},
};

/// Directives that share out no work, and whose clauses do not matter.
const Words Idle = {"flush",   "taskyield", "threadprivate", "declare",     "begin",    "end",
                    "assume",  "assumes",   "nothing",       "error",       "requires", "allocate",
                    "tile",    "unroll",    "allocators",    "interop",     "depobj",   "dispatch",
                    "reverse", "fuse",      "interchange",   "groupprivate"};

/// What changes a parallel run in a way that the profile does not show.
struct Unmodelled {
  const char *Word;
  const char *Consequence;
};

const Unmodelled UnmodelledConstructs[] = {
    {"ordered", "its iterations are taken to be independent"},
    {"cancel", "the construct is taken to run to its end"},
    {"cancellation", "the construct is taken to run to its end"},
    {"scan", "its iterations are taken to be independent"},
    {"metadirective", "none of its variants is applied"},
};

const Unmodelled UnmodelledClauses[] = {
    {"ordered", "iterations are taken to be independent"},
    {"doacross", "iterations are taken to be independent"},
    {"depend", "tasks are taken to be independent"},
    {"final", "tasks inside a final task are recorded as tasks"},
    {"detach", "the task is taken to end with its statement"},
    {"grainsize", "every iteration is a task"},
    {"num_tasks", "every iteration is a task"},
    {"nogroup", "the loop's tasks are waited for at its end"},
};

/// Clauses that change nothing in the profile, or that a warning about their construct covers.
const Words QuietClauses = {"untied",
                            "mergeable",
                            "priority",
                            "in_reduction",
                            "task_reduction",
                            "copyin",
                            "copyprivate",
                            "proc_bind",
                            "allocate",
                            "hint",
                            "order",
                            "safelen",
                            "simdlen",
                            "aligned",
                            "nontemporal",
                            "filter",
                            "bind",
                            "affinity",
                            "map",
                            "device",
                            "is_device_ptr",
                            "has_device_addr",
                            "use_device_ptr",
                            "use_device_addr",
                            "defaultmap",
                            "num_teams",
                            "thread_limit",
                            "dist_schedule",
                            "uses_allocators",
                            "to",
                            "from",
                            "read",
                            "write",
                            "update",
                            "capture",
                            "compare",
                            "weak",
                            "fail",
                            "seq_cst",
                            "acq_rel",
                            "acquire",
                            "release",
                            "relaxed",
                            "message",
                            "severity",
                            "data",
                            "enter",
                            "exit",
                            "inclusive",
                            "exclusive"};

const ClauseKind KeptClauses[] = {
    ClauseKind::Nowait,  ClauseKind::Schedule,     ClauseKind::NumThreads,  ClauseKind::Collapse,
    ClauseKind::Private, ClauseKind::FirstPrivate, ClauseKind::LastPrivate, ClauseKind::Shared,
    ClauseKind::Default, ClauseKind::Reduction,    ClauseKind::Linear,      ClauseKind::If};

const Unmodelled *find(llvm::ArrayRef<Unmodelled> List, const std::string &Word) {
  auto *It = llvm::find_if(List, [&](const Unmodelled &U) { return Word == U.Word; });
  return It == List.end() ? nullptr : It;
}

/// All first words of directives, for suggestions.
Words firstWords() {
  Words All = Parts;
  for (const auto &S : Single)
    All.push_back(S.Word);
  All.insert(All.end(), Idle.begin(), Idle.end());
  for (const Unmodelled &U : UnmodelledConstructs)
    All.push_back(U.Word);
  return All;
}

/// A recursive-descent parser over one line. What it cannot read ends the line, with a warning.
class OpenMPParser {
public:
  explicit OpenMPParser(const std::vector<PragmaToken> &Tokens) : Tokens(Tokens) {}

  OpenMPPragma parse();

private:
  bool atEnd() const { return Next == Tokens.size(); }
  bool is(size_t At, const char *Text) const {
    return At < Tokens.size() && Tokens[At].Text == Text;
  }
  bool atWord() const { return !atEnd() && Tokens[Next].Kind == PragmaTokenKind::Word; }
  bool has(const char *Word) const { return llvm::is_contained(DirectiveWords, Word); }
  bool wrote(const char *Clause) const { return llvm::is_contained(ClauseWords, Clause); }
  void warn(size_t At, std::string Message) { Result.Warnings.push_back({At, std::move(Message)}); }
  std::string spelling() const { return "#pragma omp " + llvm::join(DirectiveWords, " "); }

  void parseThreadPrivate();
  bool parseWords();
  void parseLockName();
  void parseClauses();
  bool parseClause();
  void keep(ClauseKind Kind, size_t At, size_t First, size_t Last);
  void keepIf(size_t At, size_t First, size_t Last);
  std::optional<DirectiveKind> kind() const;
  void dropIf();

  const std::vector<PragmaToken> &Tokens;
  size_t Next = 0;
  Words DirectiveWords, ClauseWords;
  Directive Parsed;
  OpenMPPragma Result;
};

OpenMPPragma OpenMPParser::parse() {
  if (is(0, "threadprivate"))
    parseThreadPrivate();
  if (!parseWords())
    return std::move(Result);
  parseLockName();
  parseClauses();
  if (std::optional<DirectiveKind> Kind = kind()) {
    Parsed.Kind = *Kind;
    if (*Kind == DirectiveKind::Parallel || *Kind == DirectiveKind::ParallelSections)
      dropIf();
    Parsed.OpenMP = llvm::join(DirectiveWords, " ");
    Result.What = std::move(Parsed);
  }
  return std::move(Result);
}

/// Names, maybe with namespaces before them; none where the list is not of such.
void OpenMPParser::parseThreadPrivate() {
  const size_t End = is(1, "(") ? afterParen(Tokens, 1) : 0;
  Words Names{""};
  for (size_t At = 2; At + 1 < End; ++At) {
    const bool IsWord = Tokens[At].Kind == PragmaTokenKind::Word, Follows = is(At - 1, "::");
    if (is(At, ","))
      Names.emplace_back();
    else if (is(At, "::") ? Follows : !IsWord || (!Names.back().empty() && !Follows))
      return;
    else
      Names.back() += Tokens[At].Text;
  }
  if (!llvm::any_of(Names,
                    [](llvm::StringRef Name) { return Name.empty() || Name.ends_with(":"); }))
    Result.ThreadPrivate = std::move(Names);
}

/// The directive's own words. False where nothing is to be done about the line.
bool OpenMPParser::parseWords() {
  if (atEnd())
    return false;
  const std::string &First = Tokens[Next].Text;
  if (llvm::is_contained(Idle, First))
    return false;
  DirectiveWords.push_back(First);
  if (const Unmodelled *U = find(UnmodelledConstructs, First)) {
    warn(Next, "'" + spelling() + "' is not modelled; " + U->Consequence);
    return false;
  }
  ++Next;
  if (llvm::any_of(Single, [&](const auto &S) { return First == S.Word; }))
    return true;
  if (!llvm::is_contained(Parts, First)) {
    std::optional<std::string> Closest = closestWord(First, firstWords());
    warn(0, "unknown directive '" + First + "' after '#pragma omp' is ignored" +
                (Closest ? "; did you mean '" + *Closest + "'?" : ""));
    return false;
  }
  for (; atWord() && llvm::is_contained(Parts, Tokens[Next].Text); ++Next)
    DirectiveWords.push_back(Tokens[Next].Text);
  bool MovesData = is(Next, "data") || is(Next, "update") || is(Next, "enter") || is(Next, "exit");
  if (First == "target" && MovesData)
    return false;
  if (has("target") || has("teams") || has("distribute"))
    warn(0, "offloading is not modelled; '" + spelling() + "' is profiled as its work on the host");
  return true;
}

void OpenMPParser::parseLockName() {
  if (!has("critical") || !is(Next, "("))
    return;
  if (size_t End = afterParen(Tokens, Next)) {
    if (End != Next + 3 || Tokens[Next + 1].Kind != PragmaTokenKind::Word)
      warn(Next, "a lock's name is an identifier; what stands here is ignored");
    else
      Parsed.Clauses.push_back({ClauseKind::Name, textOf(Tokens, Next + 1, End - 1), Next});
    Next = End;
  }
}

void OpenMPParser::parseClauses() {
  while (!atEnd()) {
    if (is(Next, ","))
      ++Next;
    else if (!parseClause())
      return;
  }
}

bool OpenMPParser::parseClause() {
  size_t At = Next;
  if (!atWord()) {
    warn(At, "expected a clause of '" + spelling() + "'; the rest of the line is ignored");
    return false;
  }
  const std::string &Word = Tokens[Next++].Text;
  size_t First = Next, Last = Next;
  if (is(Next, "(")) {
    Next = afterParen(Tokens, Next);
    if (!Next) {
      warn(At, "clause '" + Word + "' has no ')'; it is ignored");
      return false;
    }
    First = First + 1;
    Last = Next - 1;
  }
  ClauseWords.push_back(Word);
  Words Known = QuietClauses;
  for (ClauseKind Kind : KeptClauses) {
    if (Word == clauseKeyword(Kind))
      return keep(Kind, At, First, Last), true;
    Known.push_back(clauseKeyword(Kind));
  }
  if (const Unmodelled *U = find(UnmodelledClauses, Word)) {
    warn(At, "clause '" + Word + "' of '" + spelling() + "' is not modelled; " + U->Consequence);
  } else if (!llvm::is_contained(QuietClauses, Word)) {
    std::optional<std::string> Closest = closestWord(Word, Known);
    warn(At, "unknown clause '" + Word + "' of '" + spelling() + "' is ignored" +
                 (Closest ? "; did you mean '" + *Closest + "'?" : ""));
  }
  return true;
}

void OpenMPParser::keep(ClauseKind Kind, size_t At, size_t First, size_t Last) {
  std::string Modifier;
  switch (Kind) {
  case ClauseKind::If:
    return keepIf(At, First, Last);
  case ClauseKind::Nowait:
    Last = First; // OpenMP 6 gives it an argument
    break;
  case ClauseKind::Schedule: // of its modifiers only the order in which chunks are dealt out counts
    for (size_t At = First;
         At < Last && (Tokens[At].Kind == PragmaTokenKind::Word || is(At, ","));) {
      if (Tokens[At].Text == "monotonic" || Tokens[At].Text == "nonmonotonic")
        Modifier = Tokens[At].Text + ":";
      if (is(++At, ":"))
        First = At + 1;
    }
    break;
  case ClauseKind::Collapse: {
    llvm::StringRef Loops = First + 1 == Last ? llvm::StringRef(Tokens[First].Text) : "";
    unsigned Number = 0;
    if (Loops.getAsInteger(10, Number) || Number == 0 || Number > 999)
      return warn(At, "clause 'collapse' takes a plain number here; it is ignored");
    break;
  }
  default:
    break;
  }
  if (Kind != ClauseKind::Nowait && First == Last)
    return warn(At,
                std::string("clause '") + clauseKeyword(Kind) + "' has no argument; it is ignored");
  Parsed.Clauses.push_back({Kind, Modifier + textOf(Tokens, First, Last), At});
}

/// An `if` may name the one construct of a combination that it is about, as `if(task: n > 9)`.
void OpenMPParser::keepIf(size_t At, size_t First, size_t Last) {
  size_t Colon = First;
  while (Colon < Last && Tokens[Colon].Kind == PragmaTokenKind::Word &&
         (Tokens[Colon].Text == "cancel" || Tokens[Colon].Text == "taskwait" ||
          llvm::is_contained(firstWords(), Tokens[Colon].Text)))
    ++Colon;
  if (Colon > First && is(Colon, ":")) {
    const char *About = has("taskloop") ? "taskloop" : has("task") ? "task" : "parallel";
    if (Colon != First + 1 || !is(First, About))
      return;
    First = Colon + 1;
  }
  if (First != Last)
    Parsed.Clauses.push_back({ClauseKind::If, textOf(Tokens, First, Last), At});
}

/// Loops and tasks are not recorded as such where their `if` is false. Of a region one cannot say
/// it of what it calls.
void OpenMPParser::dropIf() {
  const Clause *If = Parsed.find(ClauseKind::If);
  if (!If)
    return;
  warn(If->Token, "clause 'if' of '" + spelling() + "' is not modelled; it is taken to be true");
  llvm::erase_if(Parsed.Clauses, [](const Clause &C) { return C.Kind == ClauseKind::If; });
}

std::optional<DirectiveKind> OpenMPParser::kind() const {
  // A plain load or store is not worth a lock.
  if (has("atomic") && (wrote("read") || wrote("write")))
    return std::nullopt;
  for (const auto &S : Single)
    if (has(S.Word))
      return S.Kind;
  if (has("taskloop"))
    return DirectiveKind::Taskloop;
  if (has("for") || has("distribute") || has("loop"))
    return DirectiveKind::ParallelFor;
  if (has("sections"))
    return DirectiveKind::ParallelSections;
  if (has("parallel") || has("teams"))
    return DirectiveKind::Parallel;
  // Its tasks are waited for at its end.
  if (has("single") && !wrote("nowait"))
    return DirectiveKind::TasksScope;
  return std::nullopt;
}

} // namespace

OpenMPPragma parseOpenMP(const std::vector<PragmaToken> &Tokens) {
  return OpenMPParser(Tokens).parse();
}

} // namespace prophet
