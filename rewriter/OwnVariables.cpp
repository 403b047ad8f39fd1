//===- OwnVariables.cpp - Telling what clauses make private ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OwnVariables.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Lookup.h"

#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace prophet {

/// What a compiler may keep in registers is left alone: a call with its address would keep it out.
/// Not so a variable that is in memory anyway, for all functions.
static const unsigned LineBytes = 64;
static const unsigned MostMacros = 20; ///< inside each other
static const size_t MostTokens = 1000; ///< of a bound, its macros expanded
static const char *const ObjectName = "prophet_own_", *const KnownName = "prophet_own_known_",
                         *const WordName = "prophet_own_word_";

std::vector<PrivateItem> privateToTask(const Region &R, size_t Number,
                                       const AnnotationList &Annotations) {
  std::vector<PrivateItem> Items;
  std::optional<unsigned> Last;
  unsigned Closed = 0;
  for (size_t I = Number + 1; I-- > 0;) {
    const Edit &Around = R.Edits[I];
    if (Around.Kind == EditKind::Call)
      continue;
    if (Around.Kind == EditKind::Close) {
      ++Closed;
    } else if (Closed > 0) {
      --Closed;
    } else {
      if (I != Number && opensTask(Around.Kind)) // its variables are shared by the tasks inside
        break;
      if (Last != Around.Annotation) // a loop has a section and its tasks
        for (PrivateItem &Item : privateItems(Annotations[Around.Annotation].What))
          Items.push_back(std::move(Item));
      Last = Around.Annotation;
    }
  }
  return Items;
}

std::string OwnVariables::calls(const std::vector<PrivateItem> &Items,
                                const std::string &Condition) {
  std::string Calls;
  for (const PrivateItem &Item : Items)
    Calls += call(Item);
  return Calls.empty() || Condition.empty() ? Calls : " if (" + Condition + ") {" + Calls + " }";
}

/// `__prophet_own(place, bytes of an element, first, count, less)`: the last three are numbers of
/// elements, of any type, so that no compiler warns of conversions. Sections of OpenMP are whole in
/// memory, and what follows the first bracket are all elements there.
std::string OwnVariables::call(const PrivateItem &Item) {
  const std::string Number = std::to_string(All.size()), Object = ObjectName + Number;
  const auto IsLarge = [](const std::string &Test) {
    return "sizeof(" + Test + ") > " + std::to_string(LineBytes);
  };
  const auto Told = [](const std::string &Test, const std::string &Place, const std::string &Rest) {
    return " if (" + Test + ") __prophet_own(" + Place + ", sizeof(" + Rest + ");";
  };
  if (S.PP.getMacroInfo(&S.Context.Idents.get(Item.Name)))
    return "";
  if (Item.Brackets.empty()) {
    All.push_back({Item.Name});
    return Told(IsLarge(Object) + " || " + IsLarge(KnownName + Number),
                "__builtin_addressof(" + Object + ")", Object + "), 0, 1, 0");
  }
  const PrivateItem::Bracket &Section = Item.Brackets.front();
  if (!Section.Length)
    return "";
  All.push_back({Item.Name, {}, true, Section.Length->empty()});
  const std::string Size = "sizeof(" + Object + ") / sizeof(*" + Object + ")";
  const std::optional<std::string> First = bound(Section.First.empty() ? "0" : Section.First);
  const std::optional<std::string> Count = Section.Length->empty() ? Size : bound(*Section.Length);
  if (!First || !Count) {
    All.pop_back();
    return "";
  }
  const std::string Less = Section.Length->empty() ? *First : "0";
  return Told(IsLarge(KnownName + Number), Object,
              "*" + Object + "), " + *First + ", " + *Count + ", " + Less);
}

/// Are the tokens sums and products of 'n', numbers, in parentheses or not?
static bool isExpression(StringRef Tokens) {
  unsigned Depth = 0;
  bool IsBehindOperand = false;
  for (const char Kind : Tokens) {
    const bool Closes = Kind == ')', IsOperand = Kind == 'n';
    if ((Closes || (!IsOperand && Kind != '(')) != IsBehindOperand || (Closes && Depth == 0))
      return false;
    Depth += Kind == '(';
    Depth -= Closes;
    IsBehindOperand = IsOperand || Closes;
  }
  return IsBehindOperand && Depth == 0;
}

/// A bound of the latest item's section, of variables, whole numbers, sums and products, else none:
/// it is computed at each task, and must not do anything else.
std::optional<std::string> OwnVariables::bound(const std::string &Text) {
  std::string Kinds, Result;
  if (!readBound(Text, Kinds, Result, 0) || !isExpression(Kinds))
    return std::nullopt;
  return "(" + Result + ")";
}

/// Macros of added text are not expanded any more, so they are here.
bool OwnVariables::readBound(const std::string &Text, std::string &Kinds, std::string &Result,
                             unsigned Depth) {
  Lexer Raw(SourceLocation(), S.getLangOpts(), Text.data(), Text.data(), Text.data() + Text.size());
  Token Tok;
  for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
    const std::string Spelled(Raw.getBufferLocation() - Tok.getLength(), Tok.getLength());
    const MacroInfo *Macro =
        Tok.is(tok::raw_identifier) ? S.PP.getMacroInfo(&S.Context.Idents.get(Spelled)) : nullptr;
    if (Macro) {
      std::string Behind;
      for (const Token &Part : Macro->tokens())
        Behind += " " + S.PP.getSpelling(Part);
      if (!Macro->isObjectLike() || Macro->isBuiltinMacro() || Depth == MostMacros ||
          !readBound(Behind, Kinds, Result, Depth + 1))
        return false;
    } else if (Tok.is(tok::raw_identifier)) {
      std::vector<std::string> &Words = All.back().Words;
      Result += WordName + std::to_string(All.size() - 1) + "_" + std::to_string(Words.size());
      Words.push_back(Spelled);
      Kinds += 'n';
    } else if (Tok.is(tok::numeric_constant) && llvm::all_of(Spelled, llvm::isDigit)) {
      Result += Spelled;
      Kinds += 'n';
    } else if (Tok.isOneOf(tok::plus, tok::minus, tok::star, tok::l_paren, tok::r_paren)) {
      Result += " " + Spelled + " ";
      Kinds += Spelled;
    } else {
      return false;
    }
    if (Kinds.size() > MostTokens)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// What names mean
//===----------------------------------------------------------------------===//

bool OwnVariables::LookupUnqualified(LookupResult &R, Scope *Place) {
  const IdentifierInfo *Id = R.getLookupName().getAsIdentifierInfo();
  StringRef Name = Id ? Id->getName() : "";
  const bool IsKnown = Name.consume_front(KnownName), IsWord = Name.consume_front(WordName);
  if (!IsKnown && !IsWord && !Name.consume_front(ObjectName))
    return false;
  unsigned Number = 0, Which = 0;
  const auto [First, Second] = Name.split('_');
  if (!Place || First.getAsInteger(10, Number) || Number >= All.size() ||
      (IsWord && (Second.getAsInteger(10, Which) || Which >= All[Number].Words.size())))
    return false;
  const QualType Byte = S.Context.CharTy;
  const auto Bytes = [&](unsigned Count) {
    return S.Context.getConstantArrayType(Byte, llvm::APInt(32, Count), nullptr, NormalArray, 0);
  };
  ValueDecl *Meant = IsWord ? word(All[Number].Words[Which], Place) : object(All[Number], Place);
  if (IsKnown)
    Meant = Meant && isToldAtAnySize(All[Number], Meant)
                ? standIn("__prophet_something", Bytes(LineBytes + 1))
                : nullptr;
  if (!Meant)
    Meant = IsWord ? standIn("__prophet_no_number", S.Context.IntTy)
                   : standIn("__prophet_nothing", Bytes(1));
  R.addDecl(Meant);
  R.resolveKind();
  return true;
}

/// A variable that nobody defines, and no code uses.
VarDecl *OwnVariables::standIn(const char *Name, QualType Type) {
  ASTContext &Context = S.Context;
  TranslationUnitDecl *Unit = Context.getTranslationUnitDecl();
  IdentifierInfo &Id = Context.Idents.get(Name);
  if (auto *Known = Unit->lookup(&Id).find_first<VarDecl>())
    return Known;
  auto *Variable = VarDecl::Create(Context, Unit, SourceLocation(), SourceLocation(), &Id, Type,
                                   Context.getTrivialTypeSourceInfo(Type), SC_Extern);
  Variable->setImplicit();
  Variable->setModuleOwnershipKind(Decl::ModuleOwnershipKind::Unowned);
  Variable->addAttr(WeakAttr::CreateImplicit(Context));
  Unit->addDecl(Variable);
  return Variable;
}

NamedDecl *findName(Sema &S, const std::string &Name, Scope *Place) {
  LookupResult Found(S, &S.Context.Idents.get(Name), SourceLocation(), Sema::LookupOrdinaryName);
  Found.suppressDiagnostics();
  S.LookupName(Found, Place);
  return Found.isSingleResult() ? Found.getFoundDecl()->getUnderlyingDecl() : nullptr;
}

/// May it be named here, without a warning, and without that a lambda or block captures it?
bool OwnVariables::isWithinReach(const VarDecl &Variable) {
  return !Variable.isInvalidDecl() && !Variable.isParameterPack() &&
         !Variable.hasAttr<DeprecatedAttr>() && !Variable.hasAttr<UnavailableAttr>() &&
         !Variable.getType()->isUndeducedType() &&
         (Variable.hasGlobalStorage() || Variable.getDeclContext() == S.CurContext);
}

bool OwnVariables::canBeTold(const VarDecl &Variable, const Asked &What) {
  QualType Type = Variable.getType();
  if (Type->isReferenceType() && Type.getNonReferenceType()->isDependentType())
    return false; // maybe of a function, or of what is not complete
  Type = Type.getNonReferenceType();
  const ArrayType *Array = S.Context.getAsArrayType(Type);
  if (What.IsSection) {
    if (!Array && !Type->isPointerType())
      return false;
    if (What.IsToEnd && (!Array || Type->isIncompleteType()))
      return false;
    Type = Array ? Array->getElementType() : Type->getPointeeType();
  }
  if (S.Context.getBaseElementType(Type).isConstQualified())
    return false;
  if (Type->isDependentType())
    return true;
  if (Type->isFunctionType() || Type->isIncompleteType() || Type->isSizelessType())
    return false;
  return What.IsSection || isToldAtAnySize(What, &Variable) || Type->isVariableArrayType() ||
         S.Context.getTypeSizeInChars(Type).getQuantity() > LineBytes;
}

/// Sections, whose sizes bounds have, and what no register has, if it is known to be there.
bool OwnVariables::isToldAtAnySize(const Asked &What, const ValueDecl *Meant) {
  const auto *Variable = cast<VarDecl>(Meant);
  return What.IsSection ||
         (Variable->hasGlobalStorage() && Variable->getTLSKind() == VarDecl::TLS_None &&
          Variable->hasDefinition() != VarDecl::DeclarationOnly);
}

/// The variable that an item names, if that and its section can be told.
ValueDecl *OwnVariables::object(const Asked &What, Scope *Place) {
  auto *Variable = dyn_cast_or_null<VarDecl>(findName(S, What.Name, Place));
  // Of a register variable C allows no address.
  if (!Variable || Variable->getStorageClass() == SC_Register || !isWithinReach(*Variable) ||
      !canBeTold(*Variable, What))
    return nullptr;
  for (const std::string &Word : What.Words)
    if (!word(Word, Place))
      return nullptr;
  return Variable;
}

/// What a word in a bound names, if that is a whole number.
ValueDecl *OwnVariables::word(const std::string &Name, Scope *Place) {
  auto *Value = dyn_cast_or_null<ValueDecl>(findName(S, Name, Place));
  const auto *Variable = dyn_cast_or_null<VarDecl>(Value);
  const bool IsNumber = isa_and_nonnull<EnumConstantDecl, NonTypeTemplateParmDecl>(Value) ||
                        (Variable && isWithinReach(*Variable));
  if (!IsNumber || Value->getType()->isDependentType())
    return nullptr;
  const QualType Type = Value->getType().getNonReferenceType();
  return Type->isIntegralOrUnscopedEnumerationType() && !Type.isVolatileQualified() ? Value
                                                                                    : nullptr;
}

} // namespace prophet
