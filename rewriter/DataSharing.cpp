//===- DataSharing.cpp - What the iterations of a loop share --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/DataSharing.h"

#include "rewriter/Accesses.h"
#include "rewriter/CallEffects.h"
#include "rewriter/ClangCompat.h"
#include "rewriter/Elements.h"
#include "rewriter/Liveness.h"
#include "rewriter/OpenMPWording.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

#include <map>
#include <set>

using namespace clang;

namespace prophet {

const Stmt *loopIn(const Stmt *S) {
  while (S) {
    if (auto *Labelled = dyn_cast<LabelStmt>(S))
      S = Labelled->getSubStmt();
    else if (auto *Attributed = dyn_cast<AttributedStmt>(S))
      S = Attributed->getSubStmt();
    else
      break;
  }
  return isa_and_nonnull<ForStmt, CXXForRangeStmt>(S) ? S : nullptr;
}

const Stmt *bodyOf(const Stmt *Loop) {
  auto *For = dyn_cast<ForStmt>(Loop);
  return For ? For->getBody() : cast<CXXForRangeStmt>(Loop)->getBody();
}

/// The loop directly inside of a loop: behind the blocks that hold nothing else of the user's.
static const Stmt *innerLoop(const Stmt *Loop) {
  const Stmt *Inner = bodyOf(Loop);
  while (auto *Block = dyn_cast<CompoundStmt>(Inner)) {
    if (Block->body_empty())
      return nullptr;
    Inner = Block->body_back();
  }
  return loopIn(Inner);
}

static const VarDecl *loopVariable(const Stmt *Loop) {
  if (auto *Range = dyn_cast<CXXForRangeStmt>(Loop))
    return Range->getLoopVariable();
  const Stmt *Init = cast<ForStmt>(Loop)->getInit();
  if (auto *Declaration = dyn_cast_or_null<DeclStmt>(Init))
    return Declaration->isSingleDecl() ? dyn_cast<VarDecl>(Declaration->getSingleDecl()) : nullptr;
  auto *Assignment = dyn_cast_or_null<BinaryOperator>(Init);
  return Assignment && Assignment->getOpcode() == BO_Assign ? variableIn(Assignment->getLHS())
                                                            : nullptr;
}

std::vector<const VarDecl *> loopVariables(const Stmt *Loop, unsigned Depth) {
  std::vector<const VarDecl *> Variables;
  for (; Loop && Variables.size() < Depth; Loop = innerLoop(Loop))
    Variables.push_back(loopVariable(Loop));
  return Variables;
}

std::vector<std::string> variablesInClauses(const std::string &Clauses) {
  std::vector<std::string> Names;
  for (const std::string &Clause : openmp::splitClauses(Clauses)) {
    std::string_view Word = openmp::clauseWord(Clause);
    if (!isOneOf<std::string_view>(
            Word, {"private", "firstprivate", "lastprivate", "shared", "reduction", "linear"}))
      continue;
    StringRef List = StringRef(Clause).drop_front(Word.size()).trim(" ()");
    List = Word == "reduction" ? List.rsplit(':').second : List;
    if (Word == "reduction" && List.contains(']')) // an array section has a colon of its own
      List = StringRef(Clause).split(':').second;
    SmallVector<StringRef, 4> Items;
    List.split(Items, ',');
    for (StringRef Item : Items)
      Names.push_back(
          Item.trim().take_while([](char C) { return isAsciiIdentifierContinue(C); }).str());
  }
  return Names;
}

std::string textOf(const Stmt *S, const ASTContext &Context) {
  return Lexer::getSourceText(CharSourceRange::getTokenRange(S->getSourceRange()),
                              Context.getSourceManager(), Context.getLangOpts())
      .str();
}

namespace {

bool changes(const Access &A) { return A.Kind != AccessKind::Read; }

class LoopExaminer {
public:
  LoopExaminer(const AnnotatedStatement &Loop, const Directive &What, const std::string &Clauses,
               const AnnotationList &Annotations, ASTContext &Context)
      : Annotations(Annotations), Context(Context), Statement(loopIn(Loop.Statement)),
        Variables(loopVariables(Statement, What.collapsed())),
        Flow(Loop.Function, Statement, Context) {
    for (const std::string &Name : variablesInClauses(Clauses))
      Named.insert(Name);
  }

  LoopSharing examine();

private:
  void examineLoopVariables();
  void examineVariable(const VarDecl *Variable, const std::vector<const Access *> &Uses);
  std::string likelyClause(const VarDecl *Variable, const std::vector<const Access *> &Uses) const;
  void examineCalls(const Accesses &Inside);
  bool isSettled(const VarDecl *Variable) const {
    return Named.count(Variable->getNameAsString()) || llvm::is_contained(Variables, Variable) ||
           Variable->getTLSKind() || Variable->getType().isConstQualified();
  }
  void find(const Expr *Where, std::string Name, std::string Message) {
    Result.Findings.push_back({Where->getExprLoc(), std::move(Name), std::move(Message)});
  }

  const AnnotationList &Annotations;
  ASTContext &Context;
  const Stmt *Statement;
  std::vector<const VarDecl *> Variables;
  LoopFlow Flow;
  std::set<std::string> Named;
  LoopSharing Result;
};

LoopSharing LoopExaminer::examine() {
  const Stmt *Body = bodyOf(Statement);
  Accesses Inside = collectAccesses(Body, Annotations, Context);
  for (const VarDecl *V : Variables)
    if (V)
      Inside.Locals.insert(V);
  examineLoopVariables();

  std::map<unsigned, std::vector<const Access *>> ByVariable; // in order of first use
  std::map<const VarDecl *, unsigned> Order;
  for (const Access &A : Inside.All)
    if (A.Variable && !A.Element && !isSettled(A.Variable))
      ByVariable[Order.try_emplace(A.Variable, Order.size()).first->second].push_back(&A);
  for (const auto &[Position, Uses] : ByVariable)
    examineVariable(Uses.front()->Variable, Uses);

  for (const std::string &Name : Result.Private)
    Named.insert(Name);
  std::vector<SharingFinding> Elements = examineElements(Body, Inside, Variables, Named, Context);
  Result.Findings.insert(Result.Findings.end(), Elements.begin(), Elements.end());
  examineCalls(Inside);
  llvm::sort(Result.Findings, [](const SharingFinding &A, const SharingFinding &B) {
    return std::pair(A.Loc.getRawEncoding(), A.Message) <
           std::pair(B.Loc.getRawEncoding(), B.Message);
  });
  return std::move(Result);
}

/// OpenMP makes loop variables private. Those that are declared outside keep their old values then.
void LoopExaminer::examineLoopVariables() {
  const Stmt *Innermost = Statement; // the loops around it change their variables in their headers
  for (size_t Depth = 1; Depth < Variables.size(); ++Depth)
    Innermost = innerLoop(Innermost);
  Accesses Inside = collectAccesses(bodyOf(Innermost), Annotations, Context);
  for (const VarDecl *V : Variables) {
    if (!V)
      continue;
    bool Outside = !Context.getSourceManager().isBeforeInTranslationUnit(Statement->getBeginLoc(),
                                                                         V->getLocation());
    if (Outside && !Named.count(V->getNameAsString()) && Flow.isReadAfter(V))
      Result.LastPrivate.push_back(V->getNameAsString());
    auto Change = llvm::find_if(
        Inside.All, [&](const Access &A) { return A.Variable == V && !A.Element && changes(A); });
    if (Change != Inside.All.end() && !isa<CXXForRangeStmt>(Statement))
      find(Change->Where, V->getNameAsString(),
           "the loop's body may change its variable '" + V->getNameAsString() +
               "': OpenMP decides before the loop which iterations there are");
  }
}

void LoopExaminer::examineVariable(const VarDecl *Variable,
                                   const std::vector<const Access *> &Uses) {
  auto First = llvm::find_if(Uses, [](const Access *A) { return changes(*A) && !A->Protected; });
  if (First == Uses.end())
    return;
  std::string Name = Variable->getNameAsString();
  if (Flow.isPrivate(Variable)) {
    Result.Private.push_back(Name);
    return;
  }
  bool OnlyPassed = llvm::none_of(Uses, [](const Access *A) {
    return A->Kind == AccessKind::Write || A->Kind == AccessKind::Update;
  });
  if (OnlyPassed)
    return find((*First)->Where, Name,
                "all iterations pass on '" + Name +
                    "', which they share, to what may change it; give each its own, or protect it "
                    "by '#pragma prophet critical'");
  find((*First)->Where, Name,
       "all iterations write '" + Name + "', which they share; " + likelyClause(Variable, Uses));
}

/// What the programmer is likely to want.
std::string LoopExaminer::likelyClause(const VarDecl *Variable,
                                       const std::vector<const Access *> &Uses) const {
  std::string Name = Variable->getNameAsString();
  const Access &First = *Uses.front();
  bool Alike = llvm::all_of(Uses, [&](const Access *A) {
    return A->Kind == AccessKind::Update && A->Operator == First.Operator;
  });
  bool Scalar = Variable->getType().getNonReferenceType()->isScalarType();
  if (Alike && Scalar && !First.Operator.empty())
    return "likely 'reduction(" + First.Operator + " : " + Name + ")' is missing";
  if (First.Kind == AccessKind::Write && !First.Conditional && Scalar)
    return Flow.isReadAfter(Variable) ? "likely 'lastprivate(" + Name + ")' is missing"
                                      : "likely 'private(" + Name + ")' is missing";
  return "give it a clause (private, lastprivate, reduction), or protect it by '#pragma prophet "
         "critical'";
}

void LoopExaminer::examineCalls(const Accesses &Inside) {
  std::set<std::string> Said;
  for (const CallExpr *Call : Inside.UnprotectedCalls)
    if (auto Effect = unsafeEffect(Call, Annotations, Context);
        Effect && Said.insert(*Effect).second)
      find(Call, "",
           *Effect + "; give each iteration its own, or protect the call by '#pragma "
                     "prophet critical'");
}

} // namespace

LoopSharing examineLoop(const AnnotatedStatement &Loop, const Directive &What,
                        const std::string &Clauses, const AnnotationList &Annotations,
                        ASTContext &Context) {
  if (!loopIn(Loop.Statement))
    return {};
  return LoopExaminer(Loop, What, Clauses, Annotations, Context).examine();
}

} // namespace prophet
