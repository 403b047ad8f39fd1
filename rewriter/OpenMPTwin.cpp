//===- OpenMPTwin.cpp - An OpenMP pragma beside an annotation -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OpenMPTwin.h"

#include "rewriter/ClangCompat.h"
#include "rewriter/OpenMPWording.h"

#include "llvm/Support/Regex.h"

using namespace clang;

namespace prophet {

static const char *const TwinWord[] = {"for",      "sections", "section",  "task",
                                       "taskwait", "single",   "critical", "atomic"};

/// The word that an OpenMP directive of the same meaning has; null where there is none.
static const char *wordOf(DirectiveKind Kind) {
  switch (Kind) {
  case DirectiveKind::ParallelFor:
    return TwinWord[0];
  case DirectiveKind::ParallelSections:
    return TwinWord[1];
  case DirectiveKind::Section:
    return TwinWord[2];
  case DirectiveKind::Task:
    return TwinWord[3];
  case DirectiveKind::Taskwait:
    return TwinWord[4];
  case DirectiveKind::ParallelTasks:
    return TwinWord[5];
  case DirectiveKind::Critical:
    return TwinWord[6];
  case DirectiveKind::Atomic:
    return TwinWord[7];
  default:
    return nullptr;
  }
}

/// The words of a directive, up to the first clause or parenthesis: "parallel for".
static StringRef directiveWords(StringRef Pragma) {
  llvm::Regex Words("^#[ \t]*pragma[ \t]+omp[ \t]+((parallel|for|sections|section|task|taskwait|"
                    "single|critical|atomic|simd|masked|master)([ \t]+|$|\\())*");
  SmallVector<StringRef, 4> Match;
  if (!Words.match(Pragma, &Match))
    return "";
  StringRef Head = Match[0];
  Head.consume_back("(");
  return Head;
}

static bool isTwin(StringRef Line, const char *Word) {
  SmallVector<StringRef, 4> Words;
  directiveWords(Line).drop_front(0).split(Words, ' ', -1, /*KeepEmpty=*/false);
  return llvm::is_contained(Words, Word);
}

std::string Twin::clauses() const {
  return StringRef(Text).drop_front(directiveWords(Text).size()).trim().str();
}

std::string Twin::withSchedule(const std::string &Schedule) const {
  std::string Clause = "schedule(" + Schedule + ")";
  for (const std::string &Old : openmp::splitClauses(clauses()))
    if (openmp::clauseWord(Old) == "schedule")
      return llvm::Regex("schedule[ \t]*\\([^)]*\\)").sub(Clause, Text);
  return StringRef(Text).rtrim().str() + " " + Clause;
}

/// One line of a file; [Begin, End) without its line end.
static Twin lineAt(StringRef Buffer, size_t Begin, SourceLocation File) {
  size_t End = std::min(Buffer.find('\n', Begin), Buffer.size());
  StringRef Line = Buffer.slice(Begin, End).rtrim("\r");
  size_t Blanks = Line.size() - Line.ltrim(" \t").size();
  return {File.getLocWithOffset(Begin + Blanks), File.getLocWithOffset(Begin + Line.size()),
          Line.drop_front(Blanks).str()};
}

Twin findTwin(const Annotation &A, const SourceManager &SM) {
  const char *Word = wordOf(A.What.Kind);
  if (!Word || A.Hash.isMacroID() || A.End.isMacroID())
    return {};
  FileID File = SM.getFileID(A.Hash);
  SourceLocation Start = SM.getLocForStartOfFile(File);
  StringRef Buffer = SM.getBufferData(File);
  size_t Below = Buffer.find('\n', SM.getFileOffset(A.End));
  while (Below != StringRef::npos && Below + 1 < Buffer.size()) {
    Twin Line = lineAt(Buffer, Below + 1, Start);
    if (isTwin(Line.Text, Word) && !endsWith(Line.Text, "\\"))
      return Line;
    if (!Line.Text.empty() && !startsWith(Line.Text, "#pragma omp"))
      break;
    Below = Buffer.find('\n', Below + 1);
  }
  size_t Here = Buffer.take_front(SM.getFileOffset(A.Hash)).rfind('\n');
  if (Here == StringRef::npos)
    return {};
  Twin Above = lineAt(Buffer, Buffer.take_front(Here).rfind('\n') + 1, Start);
  return isTwin(Above.Text, Word) && !endsWith(Above.Text, "\\") ? Above : Twin();
}

} // namespace prophet
