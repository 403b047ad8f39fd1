//===- Accesses.cpp - What a statement reads and writes -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Accesses.h"

#include "rewriter/AnnotatedStatements.h"
#include "rewriter/ClangCompat.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace prophet {

const VarDecl *variableIn(const Expr *E) {
  auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

bool isSameExpression(const Expr *A, const Expr *B, ASTContext &Context) {
  llvm::FoldingSetNodeID IdA, IdB;
  A->IgnoreParenImpCasts()->Profile(IdA, Context, /*Canonical=*/true);
  B->IgnoreParenImpCasts()->Profile(IdB, Context, /*Canonical=*/true);
  return IdA == IdB;
}

namespace {

bool isPointer(const Expr *E) { return E->getType()->isAnyPointerType(); }

/// The variable that a reference is declared for, through which it may be changed; or null. Not
/// that of a range-`for`, which may only be read.
const Expr *referenceTarget(const DeclStmt *Declaration) {
  auto *V = Declaration->isSingleDecl() ? dyn_cast<VarDecl>(Declaration->getSingleDecl()) : nullptr;
  bool Changes = V && V->getInit() && !V->isCXXForRangeDecl() && !V->isImplicit() &&
                 V->getType()->isReferenceType() &&
                 !V->getType()->getPointeeType().isConstQualified();
  return Changes && variableIn(V->getInit()) ? V->getInit() : nullptr;
}

class Collector {
public:
  Collector(const AnnotationList &Annotations, ASTContext &Context)
      : Annotations(Annotations), Context(Context) {}

  void visit(const Stmt *S);
  Accesses Result;

private:
  void visitChildren(const Stmt *S) {
    for (const Stmt *Child : S->children())
      if (Child)
        visit(Child);
  }
  void visitConditionally(const Stmt *S) {
    if (!S)
      return;
    ++Conditions;
    visit(S);
    --Conditions;
  }
  void visitBlock(const CompoundStmt *Block);
  void visitLoop(const Stmt *S);
  void visitIf(const IfStmt *If);
  void visitAssignment(const BinaryOperator *Assignment);
  void visitCall(const CallExpr *Call);
  void visitArguments(const CallExpr *Call, unsigned First);
  void access(const Expr *E, AccessKind Kind, std::string Operator = "");
  void visitInside(const Expr *E);
  std::string updateOperator(const BinaryOperator *Assignment) const;

  const AnnotationList &Annotations;
  ASTContext &Context;
  unsigned Conditions = 0, Locks = 0;
};

void Collector::visit(const Stmt *S) {
  if (auto *Block = dyn_cast<CompoundStmt>(S))
    return visitBlock(Block);
  if (auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls())
      if (auto *Variable = dyn_cast<VarDecl>(D); Variable && !Variable->isStaticLocal())
        Result.Locals.insert(Variable);
    if (const Expr *Target = referenceTarget(Declaration))
      return access(Target, AccessKind::Address);
  }
  if (isa<ForStmt, WhileStmt, CXXForRangeStmt>(S))
    return visitLoop(S);
  if (auto *If = dyn_cast<IfStmt>(S))
    return visitIf(If);
  if (auto *Switch = dyn_cast<SwitchStmt>(S)) {
    visit(Switch->getCond());
    return visitConditionally(Switch->getBody());
  }
  if (auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    for (const ParmVarDecl *P : Lambda->getCallOperator()->parameters())
      Result.Locals.insert(P);
    return visitConditionally(Lambda->getBody());
  }
  if (auto *Operator = dyn_cast<BinaryOperator>(S)) {
    if (Operator->isAssignmentOp())
      return visitAssignment(Operator);
    if (Operator->isLogicalOp()) {
      visit(Operator->getLHS());
      return visitConditionally(Operator->getRHS());
    }
  }
  if (auto *Operator = dyn_cast<ConditionalOperator>(S)) {
    visit(Operator->getCond());
    visitConditionally(Operator->getTrueExpr());
    return visitConditionally(Operator->getFalseExpr());
  }
  if (auto *Operator = dyn_cast<UnaryOperator>(S)) {
    if (Operator->isIncrementDecrementOp())
      return access(Operator->getSubExpr(), AccessKind::Update, "+");
    if (Operator->getOpcode() == UO_AddrOf)
      return access(Operator->getSubExpr(), AccessKind::Address);
  }
  if (auto *Call = dyn_cast<CallExpr>(S))
    return visitCall(Call);
  if (isa<UnaryExprOrTypeTraitExpr>(S)) // nothing is evaluated
    return;
  if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(S))
    return access(cast<Expr>(S), AccessKind::Read);
  visitChildren(S);
}

void Collector::visitBlock(const CompoundStmt *Block) {
  std::optional<unsigned> Number = annotationOf(Block, Annotations.size());
  DirectiveKind Kind = Number ? Annotations[*Number].What.Kind : DirectiveKind::ParallelFor;
  bool Locked = Kind == DirectiveKind::Critical || Kind == DirectiveKind::Atomic;
  Locks += Locked;
  visitChildren(Block);
  Locks -= Locked;
}

void Collector::visitLoop(const Stmt *S) {
  if (auto *For = dyn_cast<ForStmt>(S)) {
    for (const Stmt *Part :
         {For->getInit(), static_cast<const Stmt *>(For->getConditionVariableDeclStmt()),
          static_cast<const Stmt *>(For->getCond())})
      if (Part)
        visit(Part);
    visitConditionally(For->getBody());
    return visitConditionally(For->getInc());
  }
  ++Conditions;
  visitChildren(S);
  --Conditions;
}

/// `if (e > x) x = e;` and its kin find a maximum or a minimum: what a reduction can do.
void Collector::visitIf(const IfStmt *If) {
  auto *Then = dyn_cast_or_null<BinaryOperator>(If->getThen());
  if (auto *Block = dyn_cast_or_null<CompoundStmt>(If->getThen()); Block && Block->size() == 1)
    Then = dyn_cast<BinaryOperator>(Block->body_front());
  auto *Condition = dyn_cast_or_null<BinaryOperator>(If->getCond()->IgnoreParenImpCasts());
  if (!If->getElse() && Then && Then->getOpcode() == BO_Assign && Condition &&
      Condition->isRelationalOp()) {
    bool Less = Condition->getOpcode() == BO_LT || Condition->getOpcode() == BO_LE;
    const Expr *Target = Then->getLHS(), *Value = Then->getRHS();
    bool TargetRight = isSameExpression(Condition->getRHS(), Target, Context);
    const Expr *Other = TargetRight ? Condition->getLHS() : Condition->getRHS();
    if ((TargetRight || isSameExpression(Condition->getLHS(), Target, Context)) &&
        isSameExpression(Other, Value, Context)) {
      visit(Value);
      ++Conditions;
      access(Target, AccessKind::Update, Less == TargetRight ? "min" : "max");
      --Conditions;
      return;
    }
  }
  if (If->getInit())
    visit(If->getInit());
  if (If->getConditionVariableDeclStmt())
    visit(If->getConditionVariableDeclStmt());
  visit(If->getCond());
  visitConditionally(If->getThen());
  visitConditionally(If->getElse());
}

/// The reduction that `x += e`, or `x = x + e`, is a step of.
std::string Collector::updateOperator(const BinaryOperator *Assignment) const {
  StringRef Code = Assignment->getOpcodeStr();
  if (Assignment->getOpcode() == BO_Assign) {
    auto *Value = dyn_cast<BinaryOperator>(Assignment->getRHS()->IgnoreParenImpCasts());
    if (!Value)
      return "";
    Code = Value->getOpcodeStr();
    const Expr *Target = Assignment->getLHS();
    bool Commutes = Code != "-";
    if (!isSameExpression(Value->getLHS(), Target, Context) &&
        !(Commutes && isSameExpression(Value->getRHS(), Target, Context)))
      return "";
  }
  Code.consume_back("=");
  if (Code == "-")
    return "+";
  return isOneOf<StringRef>(Code, {"+", "*", "&", "|", "^", "&&", "||"}) ? Code.str() : "";
}

void Collector::visitAssignment(const BinaryOperator *Assignment) {
  std::string Operator = updateOperator(Assignment);
  const Expr *Target = Assignment->getLHS();
  if (Assignment->getOpcode() != BO_Assign) {
    visit(Assignment->getRHS());
    return access(Target, AccessKind::Update, Operator);
  }
  if (Operator.empty()) {
    visit(Assignment->getRHS());
    return access(Target, AccessKind::Write);
  }
  auto *Value = cast<BinaryOperator>(Assignment->getRHS()->IgnoreParenImpCasts());
  bool Left = isSameExpression(Value->getLHS(), Target, Context);
  visit(Left ? Value->getRHS() : Value->getLHS());
  access(Target, AccessKind::Update, Operator);
}

/// Member functions that hand out elements or sizes and change nothing by themselves.
bool onlyHandsOut(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("at", "begin", "end", "data", "front", "back", "size", "get", true)
      .Cases("rbegin", "rend", "find", "value", "load", true)
      .Default(false);
}

void Collector::visitCall(const CallExpr *Call) {
  if (!Locks)
    Result.UnprotectedCalls.push_back(Call);
  if (auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    if (Operator->isAssignmentOp() && Operator->getNumArgs() == 2) {
      visit(Operator->getArg(1));
      bool Plain = Operator->getOperator() == OO_Equal;
      StringRef Code = getOperatorSpelling(Operator->getOperator());
      Code.consume_back("=");
      return access(Operator->getArg(0), Plain ? AccessKind::Write : AccessKind::Update,
                    Plain ? "" : Code.str());
    }
    if (isOneOf(Operator->getOperator(), {OO_Subscript, OO_Star, OO_Arrow, OO_Call})) {
      visit(Operator->getArg(0));
      return visitArguments(Call, 1);
    }
  }
  if (auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    const CXXMethodDecl *Method = Member->getMethodDecl();
    const Expr *Object = Member->getImplicitObjectArgument();
    bool Changes = Method && !Method->isConst() && !Method->isStatic() &&
                   !(Method->getIdentifier() && onlyHandsOut(Method->getName()));
    if (Object && !isPointer(Object))
      access(Object, Changes ? AccessKind::Address : AccessKind::Read);
    else if (Object)
      visit(Object);
    return visitArguments(Call, 0);
  }
  visit(Call->getCallee());
  visitArguments(Call, 0);
}

/// Arguments by reference or by address; what is passed as const is only read.
void Collector::visitArguments(const CallExpr *Call, unsigned First) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  bool Method = isa<CXXOperatorCallExpr>(Call) && isa_and_nonnull<CXXMethodDecl>(Callee);
  for (unsigned I = First; I < Call->getNumArgs(); ++I) {
    const Expr *Argument = Call->getArg(I);
    unsigned Position = I - (Method ? 1 : 0);
    QualType Type = Callee && Position < Callee->getNumParams()
                        ? Callee->getParamDecl(Position)->getType()
                        : QualType();
    bool ByReference = !Type.isNull() && Type->isLValueReferenceType();
    bool Const = !Type.isNull() && !Type->getPointeeType().isNull() &&
                 Type->getPointeeType().isConstQualified();
    auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenImpCasts());
    if (ByReference && !Const)
      access(Argument, AccessKind::Address);
    else if (Const && Address && Address->getOpcode() == UO_AddrOf)
      access(Address->getSubExpr(), AccessKind::Read);
    else
      visit(Argument);
  }
}

/// What is evaluated to reach the object that `E` names: subscripts and pointers.
void Collector::visitInside(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() ? visit(Member->getBase()) : visitInside(Member->getBase());
  if (auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    visit(Subscript->getIdx());
    const Expr *Base = Subscript->getBase();
    return Base->IgnoreParenImpCasts()->getType()->isArrayType() ? visitInside(Base) : visit(Base);
  }
  if (!isa<DeclRefExpr>(E))
    visitChildren(E);
}

void Collector::access(const Expr *E, AccessKind Kind, std::string Operator) {
  E = E->IgnoreParenImpCasts();
  Access A;
  A.Kind = Kind;
  A.Where = E;
  A.Operator = std::move(Operator);
  visitInside(E);
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow()) {
      if (auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl())) {
        A.Variable = Static;
        break;
      }
      E = Member->getBase();
    } else if (auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      A.Element = true;
      E = Subscript->getBase();
      if (!E->IgnoreParenImpCasts()->getType()->isArrayType())
        break;
    } else {
      A.Variable = variableIn(E);
      A.Element |= !A.Variable;
      break;
    }
  }
  if (A.Variable && Result.Locals.contains(A.Variable))
    return;
  if (!A.Variable &&
      !isa<MemberExpr, ArraySubscriptExpr, UnaryOperator, CXXOperatorCallExpr>(A.Where))
    return; // a function, a temporary, an enumerator
  A.Protected = Locks != 0;
  A.Conditional = Conditions != 0;
  Result.All.push_back(std::move(A));
}

} // namespace

Accesses collectAccesses(const Stmt *S, const AnnotationList &Annotations, ASTContext &Context) {
  Collector C(Annotations, Context);
  C.visit(S);
  return std::move(C.Result);
}

} // namespace prophet
