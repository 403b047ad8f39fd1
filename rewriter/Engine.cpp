//===- Engine.cpp - From pragmas to calls, in one parse ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Engine.h"

#include "rewriter/ConstantEvaluation.h"
#include "rewriter/Declarations.h"
#include "rewriter/Grammar.h"
#include "rewriter/OpenMPGrammar.h"
#include "rewriter/Report.h"
#include "rewriter/StatementReader.h"

#include "clang/Lex/Lexer.h"

using namespace clang;

namespace prophet {

/// The rest of a pragma's line, as the compiler and as the grammar see it.
struct PragmaLine {
  std::vector<Token> Tokens;
  std::vector<PragmaToken> Words;
  Token End;
};

enum class Macros { Keep, Expand };

static PragmaLine readLine(Preprocessor &PP, Macros In) {
  PragmaLine Line;
  while (true) {
    In == Macros::Expand ? PP.Lex(Line.End) : PP.LexUnexpandedToken(Line.End);
    const Token &Tok = Line.End;
    if (Tok.is(tok::eod))
      return Line;
    PragmaTokenKind Kind = Tok.getIdentifierInfo()       ? PragmaTokenKind::Word
                           : Tok.is(tok::string_literal) ? PragmaTokenKind::String
                                                         : PragmaTokenKind::Other;
    Line.Words.push_back({Kind, PP.getSpelling(Tok), Tok.hasLeadingSpace()});
    Line.Tokens.push_back(Tok);
  }
}

static SourceLocation placeOf(const Problem &P, Preprocessor &PP, const PragmaLine &Line) {
  bool AtEnd = P.Token == Line.Tokens.size();
  return AtEnd && P.Token ? PP.getLocForEndOfToken(Line.Tokens.back().getLocation())
         : AtEnd          ? Line.End.getLocation()
                          : Line.Tokens[P.Token].getLocation();
}

static void reportProblem(Preprocessor &PP, const PragmaLine &Line, const Problem &P) {
  SourceLocation Loc = placeOf(P, PP, Line);
  DiagnosticBuilder Error = report(PP.getDiagnostics(), Loc, P.Message);
  if (P.Replacement)
    Error << FixItHint::CreateReplacement(SourceRange(Loc), *P.Replacement);
}

void Engine::directive(PragmaIntroducer Introducer) {
  PragmaLine Line = readLine(PP, Macros::Keep);
  ParsedPragma Parsed = parsePragma(Line.Words);
  if (const auto *P = std::get_if<Problem>(&Parsed))
    return reportProblem(PP, Line, *P);

  annotate(std::get<Directive>(Parsed), Introducer, Line.Tokens.front().getLocation(),
           Line.End.getLocation());
}

void Engine::openMPDirective(PragmaIntroducer Introducer) {
  PragmaLine Line = readLine(PP, Macros::Expand);
  OpenMPPragma Parsed = parseOpenMP(Line.Words);
  SourceManager &SM = PP.getSourceManager();
  if (!SM.isInSystemHeader(Introducer.Loc))
    for (const Problem &P : Parsed.Warnings)
      warn(PP.getDiagnostics(), placeOf(P, PP, Line), P.Message);
  if (Chosen.Memory && !Parsed.ThreadPrivate.empty())
    injectThreadPrivate(Parsed.ThreadPrivate, Line.Tokens.front());
  if (!Parsed.What)
    return;
  SourceLocation Begin = Line.Tokens.front().getLocation();
  if (Introducer.Kind == PIK_HashPragma)
    Begin = SM.getExpansionLoc(Begin);
  annotate(*Parsed.What, Introducer, Begin, Line.End.getLocation());
}

void Engine::annotate(Directive What, PragmaIntroducer Introducer, SourceLocation Begin,
                      SourceLocation End) {
  Annotation A{std::move(What), Introducer.Loc, Begin, End, ""};
  if (A.What.Kind == DirectiveKind::Barrier && A.What.OpenMP.empty()) {
    report(
        PP.getDiagnostics(), A.Begin,
        "'#pragma prophet barrier' is not supported: the end of a construct is a barrier, so end "
        "the construct here and begin another one");
    return;
  }
  SourceManager &SM = PP.getSourceManager();
  PresumedLoc At = SM.getPresumedLoc(SM.getExpansionLoc(Introducer.Loc));
  A.Site = siteString(A.What, At.getFilename(), At.getLine());
  Annotations.push_back(std::move(A));
  injectResume(Annotations.size() - 1, Introducer.Loc);
}

void Engine::attach(Sema *Semantics) {
  S = Semantics;
  Tasks.reset();
  Own.reset();
}

void Engine::injectResume(unsigned Number, SourceLocation Loc) {
  auto Tokens = std::make_unique<Token[]>(4);
  const tok::TokenKind Kinds[] = {tok::identifier, tok::l_paren, tok::string_literal, tok::r_paren};
  for (unsigned I = 0; I != 4; ++I) {
    Tokens[I].startToken();
    Tokens[I].setKind(Kinds[I]);
    Tokens[I].setLocation(Loc);
    Tokens[I].setLength(1);
  }
  Tokens[0].setIdentifierInfo(PP.getIdentifierInfo("_Pragma"));
  // Up to LLVM 16, _Pragma takes the text from where its string stands.
  PP.CreateString("\"__prophet_resume " + std::to_string(Number) + "\"", Tokens[2]);
  PP.EnterTokenStream(std::move(Tokens), 4, /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
}

/// What nothing is called here, in a precompiled header either. The user's warnings are not to be
/// of it.
std::string Engine::freeName() {
  std::string Name;
  do
    Name = "prophet_threadprivate_" + std::to_string(Tables++);
  while (findName(*S, Name, S->getCurScope()));
  return Name;
}

bool Engine::isThreadLocal(const std::string &Name) const {
  const auto *Variable = llvm::dyn_cast_or_null<VarDecl>(findName(*S, Name, S->getCurScope()));
  return Variable && Variable->getTLSKind() != VarDecl::TLS_None;
}

/// Adds a table of the variables, of which addMemoryPass() sees to the rest. Not among a class's
/// members, where no table can be.
void Engine::injectThreadPrivate(const std::vector<std::string> &Names, const Token &Anchor) {
  if (S->CurContext->isRecord())
    return;
  std::string Text =
      "static const volatile void *const " + freeName() + "[] __attribute__((__used__)) = {";
  for (const std::string &Name : Names)
    if (!isThreadLocal(Name)) // the address is no constant, and is known to be a thread's
      Text += "__builtin_addressof(" + Name + "), ";
  if (llvm::StringRef(Text).ends_with("{"))
    return;
  std::vector<Token> Tokens;
  append(Tokens, Text + "};", Anchor);
  auto Stream = std::make_unique<Token[]>(Tokens.size());
  std::copy(Tokens.begin(), Tokens.end(), Stream.get());
  PP.EnterTokenStream(std::move(Stream), Tokens.size(), /*DisableMacroExpansion=*/true,
                      /*IsReinject=*/false);
}

void Engine::resume(unsigned Number) {
  if (Reading) {
    Pending.push_back(Number);
    return;
  }
  Annotation &A = Annotations[Number];
  // With -fdelayed-template-parsing, function templates are read here before they are parsed.
  // A C++ class may have functions, whose bodies are read before they are parsed; C's has none, and
  // declaring the runtime while one in a parameter list is parsed confuses Clang.
  bool InStruct = S->CurContext->isRecord() && !PP.getLangOpts().CPlusPlus;
  if (InStruct || (S->CurContext->isFileContext() && !PP.getLangOpts().DelayedTemplateParsing)) {
    A.Placed = true;
    report(PP.getDiagnostics(), A.Begin,
           "'" + A.What.spelling() + "' is only allowed inside a function");
    return;
  }
  if (!Tasks) {
    declareRuntime(*S);
    Tasks = new TasksVariables(*S, Annotations, Out);
    S->addExternalSource(Tasks.get());
    if (Chosen.Memory) {
      Own = new OwnVariables(*S);
      S->addExternalSource(Own.get());
    }
  }
  Reading = true;
  Region R = StatementReader(PP, Annotations, Pending).read(Number);
  Reading = false;
  R.Guarded = mayBeConstantEvaluated(*S, R, A.Hash);
  if (Out && !R.Edits.empty())
    Out->region(R, Annotations);
  enter(R);
}

/// OpenMP's `single`, which one thread runs.
static bool isSingle(const Directive &What) {
  return What.Kind == DirectiveKind::TasksScope && llvm::StringRef(What.OpenMP) == "single";
}

/// What the edit of that number adds to what the parser gets.
std::string Engine::addedText(const Region &R, size_t Number) {
  const Edit &E = R.Edits[Number];
  const Annotation &A = Annotations[E.Annotation];
  const std::string Text = editText(E, A, R.Guarded);
  if (!Own)
    return Text;
  if (const char *Around = A.What.Kind == DirectiveKind::Parallel ? "parallel"
                           : isSingle(A.What)                     ? "single"
                                                                  : nullptr) {
    const std::string Call = std::string("__prophet_") + Around;
    return E.Kind == EditKind::Close ? callText(Call + "_end()", R.Guarded) + Text
                                     : Text + callText(Call + "_begin()", R.Guarded);
  }
  if (!opensTask(E.Kind))
    return Text;
  return Text + Own->calls(privateToTask(R, Number, Annotations), taskCondition(E, A, R.Guarded));
}

/// Gives the parser the region's tokens with those that the edits add.
void Engine::enter(const Region &R) {
  std::vector<Token> Tokens;
  size_t Copied = 0;
  for (size_t Number = 0; Number < R.Edits.size(); ++Number) {
    const Edit &E = R.Edits[Number];
    Tokens.insert(Tokens.end(), R.Tokens.begin() + Copied, R.Tokens.begin() + E.Before);
    Copied = E.Before;
    append(Tokens, addedText(R, Number),
           R.Tokens[E.Kind == EditKind::Close ? E.Before - 1 : E.Before]);
  }
  Tokens.insert(Tokens.end(), R.Tokens.begin() + Copied, R.Tokens.end());
  auto Stream = std::make_unique<Token[]>(Tokens.size());
  std::copy(Tokens.begin(), Tokens.end(), Stream.get());
  PP.EnterTokenStream(std::move(Stream), Tokens.size(), /*DisableMacroExpansion=*/true,
                      /*IsReinject=*/true);
}

/// Lexes an edit's text into tokens that all stand at the anchor.
void Engine::append(std::vector<Token> &Tokens, std::string Added, const Token &Anchor) {
  Texts.push_back(std::move(Added));
  const std::string &Text = Texts.back();
  Lexer Raw(SourceLocation(), PP.getLangOpts(), Text.data(), Text.data(),
            Text.data() + Text.size());
  bool First = true;
  Token Tok;
  for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
    if (Tok.is(tok::raw_identifier))
      PP.LookUpIdentifierInfo(Tok);
    Tok.setLocation(Anchor.getLocation());
    // What another pragma left stands on its own line, but does not say so.
    Tok.setFlagValue(Token::StartOfLine,
                     First && (Anchor.isAtStartOfLine() || Anchor.isAnnotation()));
    Tok.setFlagValue(Token::LeadingSpace, true);
    Tokens.push_back(Tok);
    First = false;
  }
}

void Engine::finish() {
  DiagnosticsEngine &Diags = PP.getDiagnostics();
  if (!Diags.hasErrorOccurred())
    for (const Annotation &A : Annotations)
      if (!A.Placed)
        report(Diags, A.Begin,
               "'" + A.What.spelling() +
                   "' cannot be applied here: no statement follows it that "
                   "could be read; move it directly before its statement");
  if (Out && !Diags.hasErrorOccurred())
    Out->finish(Annotations);
}

} // namespace prophet
