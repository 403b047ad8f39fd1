//===- OwnVariables.cpp - Telling what clauses make private ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OwnVariables.h"

#include "clang/AST/Decl.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Lookup.h"

using namespace clang;

namespace prophet {

static bool opensTask(EditKind Kind) {
  return Kind == EditKind::OpenTask || Kind == EditKind::OpenPart || Kind == EditKind::OpenSpawned;
}

std::vector<PrivateItem> privateToTask(const Region &R, size_t Edit,
                                       const AnnotationList &Annotations) {
  std::vector<PrivateItem> Items;
  std::optional<unsigned> Last;
  unsigned Closed = 0;
  for (size_t I = Edit + 1; I-- > 0;) {
    const EditKind Kind = R.Edits[I].Kind;
    if (Kind == EditKind::Call)
      continue;
    if (Kind == EditKind::Close) {
      ++Closed;
    } else if (Closed > 0) {
      --Closed;
    } else {
      if (I != Edit && opensTask(Kind)) // its variables are shared by the tasks inside
        break;
      const unsigned Number = R.Edits[I].Annotation; // a loop's is that of its section, too
      if (Last != Number)
        for (PrivateItem &Item : privateItems(Annotations[Number].What))
          Items.push_back(std::move(Item));
      Last = Number;
    }
  }
  return Items;
}

namespace {

/// The calls of one scope.
class OwnCalls {
public:
  OwnCalls(Sema &S) : S(S) {}

  /// Of one item; empty where there is nothing to tell.
  std::string of(const PrivateItem &Item);

private:
  const VarDecl *find(const std::string &Name);
  std::string wholeVariable(const PrivateItem &Item, const VarDecl &Variable);
  std::string section(const PrivateItem &Item, const VarDecl &Variable);
  std::optional<std::string> expanded(const std::string &Text, unsigned Depth = 0);

  Sema &S;
};

std::string addressOf(const std::string &Object) { return "__builtin_addressof(" + Object + ")"; }

/// From `Begin` to `End` and as many bytes more: compilers may warn of conversions and of
/// arithmetic with pointers, so that the bytes of neither are computed in C.
std::string call(const std::string &Begin, const std::string &End, const std::string &Bytes) {
  return "__prophet_own(" + Begin + ", " + End + ", " + Bytes + ");";
}

const VarDecl *OwnCalls::find(const std::string &Name) {
  IdentifierInfo &Id = S.Context.Idents.get(Name);
  if (!S.getCurScope() || S.PP.getMacroInfo(&Id))
    return nullptr;
  LookupResult Found(S, &Id, SourceLocation(), Sema::LookupOrdinaryName);
  Found.suppressDiagnostics();
  S.LookupName(Found, S.getCurScope());
  const auto *Variable = Found.isSingleResult() ? dyn_cast<VarDecl>(Found.getFoundDecl()) : nullptr;
  // Of a register variable C allows no address.
  return Variable && !Variable->isInvalidDecl() && Variable->getStorageClass() != SC_Register
             ? Variable
             : nullptr;
}

std::string OwnCalls::of(const PrivateItem &Item) {
  const VarDecl *Variable = find(Item.Name);
  if (!Variable)
    return "";
  return Item.Brackets.empty() ? wholeVariable(Item, *Variable) : section(Item, *Variable);
}

std::string OwnCalls::wholeVariable(const PrivateItem &Item, const VarDecl &Variable) {
  const QualType Type = Variable.getType().getNonReferenceType();
  const std::string Place = addressOf(Item.Name), Bytes = "sizeof(" + Item.Name + ")";
  const std::string Call = call(Place, Place, Bytes);
  if (Type->isDependentType()) // compilers leave out what is never so
    return "if (" + Bytes + " > 64) " + Call;
  if (Type->isIncompleteType() || Type->isSizelessType() ||
      S.Context.getBaseElementType(Type).isConstQualified())
    return "";
  const bool IsLarge =
      Type->isVariableArrayType() || S.Context.getTypeSizeInChars(Type).getQuantity() > 64;
  return IsLarge ? Call : "";
}

/// OpenMP's sections are whole in memory: what follows the first bracket with a length are all of
/// their elements.
std::string OwnCalls::section(const PrivateItem &Item, const VarDecl &Variable) {
  QualType Type = Variable.getType().getNonReferenceType();
  std::string Array = Item.Name;
  for (const PrivateItem::Bracket &Bracket : Item.Brackets) {
    const ArrayType *Dimension = S.Context.getAsArrayType(Type);
    const bool IsKnown = Dimension || Type->isPointerType();
    const std::optional<std::string> First = expanded(Bracket.First.empty() ? "0" : Bracket.First);
    if (!IsKnown || !First)
      return "";
    Type = Dimension ? Dimension->getElementType() : Type->getPointeeType();
    const std::string Element = Array + "[" + *First + "]";
    if (!Bracket.Length) {
      Array = Element;
      continue;
    }
    const std::optional<std::string> Length = expanded(*Bracket.Length);
    if (!Length || (Length->empty() && !Dimension) || Type->isVoidType() ||
        Type->isIncompleteType() || S.Context.getBaseElementType(Type).isConstQualified())
      return "";
    const std::string Begin = addressOf(Element), Whole = addressOf(Array) + " + 1";
    return call(Begin, Length->empty() ? Whole : Begin + " + (" + *Length + ")", "0");
  }
  return ""; // an element
}

/// `#pragma prophet` is read as it is written, and macros of added tokens are not expanded. None
/// where one takes arguments.
std::optional<std::string> OwnCalls::expanded(const std::string &Text, unsigned Depth) {
  Lexer Raw(SourceLocation(), S.getLangOpts(), Text.data(), Text.data(), Text.data() + Text.size());
  std::string Result;
  Token Tok;
  for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
    const std::string Spelled(Raw.getBufferLocation() - Tok.getLength(), Tok.getLength());
    const MacroInfo *Macro =
        Tok.is(tok::raw_identifier) ? S.PP.getMacroInfo(&S.Context.Idents.get(Spelled)) : nullptr;
    if (!Macro) {
      Result += " " + Spelled;
      continue;
    }
    std::string Behind;
    for (const Token &Part : Macro->tokens())
      Behind += " " + S.PP.getSpelling(Part);
    const std::optional<std::string> Whole =
        Macro->isFunctionLike() || Depth > 20 ? std::nullopt : expanded(Behind, Depth + 1);
    if (!Whole)
      return std::nullopt;
    Result += *Whole;
  }
  return Result;
}

} // namespace

std::string ownCalls(Sema &S, const std::vector<PrivateItem> &Items, const std::string &Condition) {
  std::string Calls;
  OwnCalls Own(S);
  for (const PrivateItem &Item : Items)
    if (const std::string Call = Own.of(Item); !Call.empty())
      Calls += " " + Call;
  return Calls.empty() || Condition.empty() ? Calls : " if (" + Condition + ") {" + Calls + " }";
}

} // namespace prophet
