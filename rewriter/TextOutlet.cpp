//===- TextOutlet.cpp - The rewritten source as text ------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/TextOutlet.h"

#include "rewriter/Report.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"

#include "llvm/Support/Regex.h"

#include <algorithm>

using namespace clang;

namespace prophet {

/// Counts the pragmas that macros expand to.
class TextOutlet::PragmaCounter : public Callbacks {
public:
  explicit PragmaCounter(TextOutlet &Out) : Out(Out) {}

  void PragmaDirective(SourceLocation Loc, PragmaIntroducerKind) override {
    if (Loc.isMacroID())
      ++Out.expansionOf(Loc).Pragmas;
  }

private:
  TextOutlet &Out;
};

TextOutlet::TextOutlet(Preprocessor &PP) : PP(PP), SM(PP.getSourceManager()) {
  PP.addPPCallbacks(std::make_unique<PragmaCounter>(*this));
  auto Watcher = std::make_unique<Includes>(SM);
  Included = Watcher.get();
  PP.addPPCallbacks(std::move(Watcher));
  // Tokens of regions are re-injected, which the watcher does not hear of: region() records them.
  PP.setTokenWatcher([this](const Token &Tok) { record(Tok); });
}

void TextOutlet::region(const Region &R, const AnnotationList &Annotations) {
  size_t Next = 0;
  for (size_t I = 0; I != R.Tokens.size(); ++I) {
    size_t First = Next;
    while (Next != R.Edits.size() && R.Edits[Next].Before == I)
      ++Next;
    placeGroup(R, First, Next, Annotations);
    record(R.Tokens[I]);
  }
  placeGroup(R, Next, R.Edits.size(), Annotations);
}

/// Places the edits [First, Last), which are all before one token. What opens goes where its
/// pragma was, and what comes before it in program order goes no later than there.
void TextOutlet::placeGroup(const Region &R, size_t First, size_t Last,
                            const AnnotationList &Annotations) {
  std::vector<const Annotation *> Pragma(Last - First, nullptr);
  const Annotation *Following = nullptr;
  for (size_t I = Last; I-- != First;) {
    const Edit &E = R.Edits[I];
    if (replacesPragma(E.Kind) && E.PragmaBefore == E.Before &&
        Annotations[E.Annotation].Hash.isFileID())
      Following = &Annotations[E.Annotation];
    if (E.Kind != EditKind::Close)
      Pragma[I - First] = Following;
  }
  for (size_t I = First; I != Last; ++I) {
    const Edit &E = R.Edits[I];
    const Annotation &A = Annotations[E.Annotation];
    std::string Added = editText(E, A, R.Guarded);
    if (const Annotation *At = Pragma[I - First]) {
      unsigned Begin = place(pragmaRange(*At).getBegin());
      Changes[fileAt(Begin)].push_back({Begin, Begin, NextOrder++, Added});
    } else if (E.Kind == EditKind::Close) {
      addAt(R.Tokens[E.Before - 1], Side::After, " " + Added);
    } else {
      addAt(R.Tokens[E.Before], Side::Before, Added + " ");
    }
    if (replacesPragma(E.Kind))
      removePragma(A);
  }
}

void TextOutlet::addAt(const Token &Tok, Side Where, const std::string &Added) {
  SourceLocation Loc = Tok.getLocation();
  if (Loc.isFileID()) {
    unsigned At = Where == Side::Before ? place(Loc) : endPlace(Loc);
    Changes[SM.getFileID(Loc)].push_back({At, At, NextOrder++, Added});
    return;
  }
  Expansion &E = expansionOf(Loc);
  E.Text += " " + Added;
  SourceLocation Border;
  bool AtBorder = Where == Side::Before
                      ? Lexer::isAtStartOfMacroExpansion(Loc, SM, PP.getLangOpts(), &Border)
                      : Lexer::isAtEndOfMacroExpansion(Loc, SM, PP.getLangOpts(), &Border);
  if (!AtBorder) {
    E.Replaced = true;
    return;
  }
  unsigned At = Where == Side::Before ? place(SM.getExpansionLoc(Loc)) : E.End;
  E.Outside.push_back({At, At, NextOrder++, Added});
}

void TextOutlet::functionTasks(SourceLocation Brace, const std::string &Declaration) {
  std::string Added = " " + Declaration;
  if (Brace.isFileID()) {
    unsigned At = endPlace(Brace);
    Changes[SM.getFileID(Brace)].push_back({At, At, 0, Added});
    return;
  }
  Expansion &E = expansionOf(Brace);
  E.Inside[E.Braces[place(Brace)]] = Added;
  if (Lexer::isAtEndOfMacroExpansion(Brace, SM, PP.getLangOpts()))
    E.Outside.push_back({E.End, E.End, 0, Added});
  else
    E.Replaced = true;
}

void TextOutlet::removePragma(const Annotation &A) {
  if (A.Hash.isMacroID()) {
    Expansion &E = expansionOf(A.Hash);
    E.Replaced = true;
    E.Ours += 2; // the annotation, and the engine's second step
    return;
  }
  unsigned Begin = place(pragmaRange(A).getBegin()), End = place(pragmaRange(A).getEnd());
  Changes[fileAt(Begin)].push_back({Begin, End, NextOrder++, newlines(Begin, End)});
}

/// The characters of a pragma that does not come from a macro.
SourceRange TextOutlet::pragmaRange(const Annotation &A) const {
  if (A.Begin.isFileID())
    return {A.Hash, A.End};
  SourceLocation Paren = SM.getExpansionRange(A.Begin).getEnd(); // of _Pragma("...")
  return {A.Hash, PP.getLocForEndOfToken(Paren)};
}

void TextOutlet::record(const Token &Tok) {
  if (Tok.isAnnotation()) // no text of its own; refuseLostPragmas() sees to it
    return;
  SourceLocation Loc = Tok.getLocation();
  if (!Loc.isMacroID())
    return;
  Expansion &E = expansionOf(Loc);
  E.Text += " " + PP.getSpelling(Tok);
  if (Tok.is(tok::l_brace))
    E.Braces[place(Loc)] = E.Text.size();
}

TextOutlet::Expansion &TextOutlet::expansionOf(SourceLocation Loc) {
  CharSourceRange Range = SM.getExpansionRange(Loc);
  auto [It, New] = Expansions.try_emplace(place(Range.getBegin()));
  if (New) {
    It->second.End = endPlace(Range.getEnd());
    It->second.Order = NextOrder++;
  }
  return It->second;
}

unsigned TextOutlet::endPlace(SourceLocation Loc) const {
  return place(Loc) + Lexer::MeasureTokenLength(Loc, SM, PP.getLangOpts());
}

FileID TextOutlet::fileAt(unsigned Place) const {
  return SM.getFileID(SourceLocation::getFromRawEncoding(Place));
}

StringRef TextOutlet::original(unsigned Begin, unsigned End) const {
  FileID File = fileAt(Begin);
  unsigned Start = place(SM.getLocForStartOfFile(File));
  return SM.getBufferData(File).slice(Begin - Start, End - Start);
}

/// As many line ends as [Begin, End) has: what follows stays on its line.
std::string TextOutlet::newlines(unsigned Begin, unsigned End) const {
  return std::string(original(Begin, End).count('\n'), '\n');
}

/// A pragma leaves no token that could be spelled again.
void TextOutlet::refuseLostPragmas() {
  for (const auto &[Begin, E] : Expansions)
    if (E.Replaced && E.Pragmas != E.Ours)
      report(PP.getDiagnostics(), SourceLocation::getFromRawEncoding(Begin),
             "this macro expands to an annotation and to another pragma, which the rewritten "
             "source would lose; compile with the plugin instead");
}

/// Now that it is known which macros are replaced, their changes are too.
void TextOutlet::settleExpansions() {
  for (auto &[Begin, E] : Expansions) {
    if (!E.Replaced && E.Outside.empty())
      continue;
    std::vector<Change> &InFile = Changes[fileAt(Begin)];
    for (auto It = E.Inside.rbegin(); It != E.Inside.rend(); ++It)
      E.Text.insert(It->first, It->second);
    if (E.Replaced)
      InFile.push_back({Begin, E.End, E.Order, E.Text + newlines(Begin, E.End)});
    else
      InFile.insert(InFile.end(), E.Outside.begin(), E.Outside.end());
  }
}

std::string TextOutlet::lineMarker(SourceLocation Loc) const {
  PresumedLoc At = SM.getPresumedLoc(Loc);
  return "#line " + std::to_string(At.getLine()) + " \"" +
         Lexer::Stringify(StringRef(At.getFilename())) + "\"\n";
}

/// The line means nothing in text that stands in another file.
void TextOutlet::dropPragmaOnce(FileID File) {
  llvm::Regex Once("^[ \t]*#[ \t]*pragma[ \t]+once", llvm::Regex::Newline);
  StringRef Original = SM.getBufferData(File);
  SmallVector<StringRef, 1> Match;
  if (!Once.match(Original, &Match))
    return;
  unsigned Begin = place(SM.getLocForStartOfFile(File)) + (Match[0].data() - Original.data());
  Changes[File].push_back({Begin, Begin + unsigned(Match[0].size()), NextOrder++, ""});
  if (Included->wasSkipped(File))
    report(PP.getDiagnostics(), SourceLocation::getFromRawEncoding(Begin),
           "this file holds annotations and is included again, where '#pragma once' could not "
           "keep it out of the rewritten source; give it an include guard");
}

/// Replaces the `#include` of a file by its rewritten text.
bool TextOutlet::replaceInclude(FileID File) {
  SourceRange Directive = Included->directive(File);
  if (Directive.isInvalid() || SM.getFileID(Directive.getBegin()) == PP.getPredefinesFileID()) {
    report(PP.getDiagnostics(), SM.getLocForStartOfFile(File),
           "this file holds annotations, and no '#include' that could be replaced by it; compile "
           "with the plugin instead");
    return false;
  }
  dropPragmaOnce(File);
  std::string Inside = lineMarker(SM.getLocForStartOfFile(File)) + render(File) + "\n" +
                       lineMarker(Directive.getEnd());
  unsigned Begin = place(Directive.getBegin()), End = place(Directive.getEnd());
  Changes[fileAt(Begin)].push_back({Begin, End, NextOrder++, std::move(Inside)});
  return true;
}

std::string TextOutlet::render(FileID File) {
  std::vector<Change> &InFile = Changes[File];
  std::sort(InFile.begin(), InFile.end(), [](const Change &A, const Change &B) {
    return std::pair(A.Begin, A.Order) < std::pair(B.Begin, B.Order);
  });
  std::string Rendered;
  unsigned Copied = place(SM.getLocForStartOfFile(File));
  unsigned End = Copied + SM.getBufferData(File).size();
  if (startsWith(SM.getBufferData(File), "\xEF\xBB\xBF"))
    Copied += 3; // a byte order mark comes first or never
  for (const Change &C : InFile) {
    Rendered += original(Copied, C.Begin);
    Rendered += C.Text;
    Copied = C.End;
  }
  return Rendered += original(Copied, End);
}

/// Gives the variables that hold tasks their names, which were not known when the text was made.
std::string TextOutlet::withTasksVariables(StringRef Rewritten, const AnnotationList &Annotations) {
  const StringRef Reference = "prophet_tasks_of_";
  std::string Named;
  for (size_t At; (At = Rewritten.find(Reference)) != StringRef::npos;) {
    Named += Rewritten.take_front(At);
    Rewritten = Rewritten.drop_front(At + Reference.size());
    unsigned Number = 0;
    Rewritten.consumeInteger(10, Number);
    if (Annotations[Number].TasksVariable.empty())
      report(PP.getDiagnostics(), Annotations[Number].Begin,
             "the function that holds this task is never parsed; compile with "
             "-fno-delayed-template-parsing");
    Named += Annotations[Number].TasksVariable;
  }
  return Named += Rewritten;
}

void TextOutlet::finish(const AnnotationList &Annotations) {
  refuseLostPragmas();
  settleExpansions();
  FileID Main = SM.getMainFileID();
  Changes[Main];
  // An included file has a greater number than the file that includes it.
  while (Changes.rbegin()->first != Main) {
    FileID File = Changes.rbegin()->first;
    if (!replaceInclude(File))
      return;
    Changes.erase(File);
  }
  Text = "#include <prophet/profile.h>\n" + lineMarker(SM.getLocForStartOfFile(Main)) +
         withTasksVariables(render(Main), Annotations);
}

} // namespace prophet
