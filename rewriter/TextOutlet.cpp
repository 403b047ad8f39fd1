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

#include <algorithm>

using namespace clang;

namespace prophet {

/// Counts the pragmas that macros expand to.
class TextOutlet::PragmaCounter : public PPCallbacks {
public:
  explicit PragmaCounter(TextOutlet &Out) : Out(Out) {}

  void PragmaDirective(SourceLocation Loc, PragmaIntroducerKind) override {
    if (Loc.isMacroID() && Out.SM.isInFileID(Out.SM.getExpansionLoc(Loc), Out.SM.getMainFileID()))
      ++Out.expansionOf(Loc).Pragmas;
  }

private:
  TextOutlet &Out;
};

TextOutlet::TextOutlet(Preprocessor &PP) : PP(PP), SM(PP.getSourceManager()) {
  PP.addPPCallbacks(std::make_unique<PragmaCounter>(*this));
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
    bool Opens = E.Kind == EditKind::OpenSection || E.Kind == EditKind::OpenLock;
    if (Opens && E.PragmaBefore == E.Before && Annotations[E.Annotation].Hash.isFileID())
      Following = &Annotations[E.Annotation];
    if (E.Kind != EditKind::Close)
      Pragma[I - First] = Following;
  }
  for (size_t I = First; I != Last; ++I) {
    const Edit &E = R.Edits[I];
    const Annotation &A = Annotations[E.Annotation];
    std::string Added = editText(E, A, PP.getLangOpts().CPlusPlus);
    if (const Annotation *At = Pragma[I - First]) {
      unsigned Begin = offset(pragmaRange(*At).getBegin());
      if (insideMainFile(At->Hash, A))
        Changes.push_back({Begin, Begin, NextOrder++, Added});
    } else if (E.Kind == EditKind::Close) {
      addAt(R.Tokens[E.Before - 1], Side::After, " " + Added, A);
    } else {
      addAt(R.Tokens[E.Before], Side::Before, Added + " ", A);
    }
    if (E.Kind == EditKind::OpenSection || E.Kind == EditKind::OpenLock)
      removePragma(A);
  }
}

void TextOutlet::addAt(const Token &Tok, Side Where, const std::string &Added,
                       const Annotation &A) {
  SourceLocation Loc = Tok.getLocation();
  if (!insideMainFile(Loc, A))
    return;
  if (Loc.isFileID()) {
    unsigned At = Where == Side::Before ? offset(Loc) : endOffset(Loc);
    Changes.push_back({At, At, NextOrder++, Added});
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
  unsigned At = Where == Side::Before ? offset(SM.getExpansionLoc(Loc)) : E.End;
  E.Outside.push_back({At, At, NextOrder++, Added});
}

void TextOutlet::removePragma(const Annotation &A) {
  if (!insideMainFile(A.Hash, A))
    return;
  if (A.Hash.isMacroID()) {
    Expansion &E = expansionOf(A.Hash);
    E.Replaced = true;
    E.Ours += 2; // the annotation, and the engine's second step
    return;
  }
  unsigned Begin = offset(pragmaRange(A).getBegin()), End = offset(pragmaRange(A).getEnd());
  Changes.push_back({Begin, End, NextOrder++, newlines(Begin, End)});
}

/// The characters of a pragma that does not come from a macro.
SourceRange TextOutlet::pragmaRange(const Annotation &A) const {
  if (A.Begin.isFileID())
    return {A.Hash, A.End};
  SourceLocation Paren = SM.getExpansionRange(A.Begin).getEnd(); // of _Pragma("...")
  return {A.Hash, PP.getLocForEndOfToken(Paren)};
}

bool TextOutlet::insideMainFile(SourceLocation Loc, const Annotation &A) {
  if (SM.isInFileID(SM.getExpansionLoc(Loc), SM.getMainFileID()))
    return true;
  if (Elsewhere.insert(&A).second)
    report(PP.getDiagnostics(), A.Begin,
           "'" + A.What.spelling() +
               "' stands in an included file, and only the main file is "
               "rewritten; compile with the plugin instead");
  return false;
}

void TextOutlet::record(const Token &Tok) {
  if (Tok.isAnnotation()) // no text of its own; refuseLostPragmas() sees to it
    return;
  SourceLocation Loc = Tok.getLocation();
  if (Loc.isMacroID() && SM.isInFileID(SM.getExpansionLoc(Loc), SM.getMainFileID()))
    expansionOf(Loc).Text += " " + PP.getSpelling(Tok);
}

TextOutlet::Expansion &TextOutlet::expansionOf(SourceLocation Loc) {
  CharSourceRange Range = SM.getExpansionRange(Loc);
  auto [It, New] = Expansions.try_emplace(offset(Range.getBegin()));
  if (New) {
    It->second.End = endOffset(Range.getEnd());
    It->second.Order = NextOrder++;
  }
  return It->second;
}

unsigned TextOutlet::endOffset(SourceLocation Loc) const {
  return offset(Loc) + Lexer::MeasureTokenLength(Loc, SM, PP.getLangOpts());
}

/// As many line ends as the main file has in [Begin, End): what follows stays on its line.
std::string TextOutlet::newlines(unsigned Begin, unsigned End) const {
  StringRef Original = SM.getBufferData(SM.getMainFileID()).slice(Begin, End);
  return std::string(Original.count('\n'), '\n');
}

/// A pragma leaves no token that could be spelled again.
void TextOutlet::refuseLostPragmas() {
  for (const auto &[Begin, E] : Expansions)
    if (E.Replaced && E.Pragmas != E.Ours)
      report(PP.getDiagnostics(),
             SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Begin),
             "this macro expands to an annotation and to another pragma, which the rewritten "
             "source would lose; compile with the plugin instead");
}

void TextOutlet::finish(const AnnotationList &) {
  refuseLostPragmas();
  for (auto &[Begin, E] : Expansions) {
    if (E.Replaced)
      Changes.push_back({Begin, E.End, E.Order, E.Text + newlines(Begin, E.End)});
    else
      Changes.insert(Changes.end(), E.Outside.begin(), E.Outside.end());
  }
  std::sort(Changes.begin(), Changes.end(), [](const Change &A, const Change &B) {
    return std::pair(A.Begin, A.Order) < std::pair(B.Begin, B.Order);
  });

  FileID Main = SM.getMainFileID();
  StringRef Original = SM.getBufferData(Main);
  std::string File =
      Lexer::Stringify(SM.getPresumedLoc(SM.getLocForStartOfFile(Main)).getFilename());
  Text = "#include <prophet/profile.h>\n#line 1 \"" + File + "\"\n";
  unsigned Copied =
      Original.starts_with("\xEF\xBB\xBF") ? 3 : 0; // a byte order mark comes first or never
  for (const Change &C : Changes) {
    Text += Original.slice(Copied, C.Begin);
    Text += C.Text;
    Copied = C.End;
  }
  Text += Original.substr(Copied);
}

} // namespace prophet
