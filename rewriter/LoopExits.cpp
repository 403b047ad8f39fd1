//===- LoopExits.cpp - Ways out of annotated loops --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/LoopExits.h"

#include "rewriter/ClangCompat.h"
#include "rewriter/Report.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace prophet {
namespace {

/// The name of the variable that an annotation's block begins with; empty for any other block.
StringRef variableOf(const CompoundStmt *Block) {
  auto *First = Block->body_empty() ? nullptr : dyn_cast<DeclStmt>(Block->body_front());
  auto *Variable =
      First && First->isSingleDecl() ? dyn_cast<VarDecl>(First->getSingleDecl()) : nullptr;
  bool Ours = Variable && Variable->hasAttr<CleanupAttr>() && Variable->getIdentifier();
  return Ours ? Variable->getName() : "";
}

bool opensSection(const CompoundStmt *Block) {
  return startsWith(variableOf(Block), "prophet_section_");
}

/// Walks one function body. Nested functions (lambdas, local classes) are bodies of their own.
class BodyWalker {
public:
  BodyWalker(const AnnotationList &Annotations, DiagnosticsEngine &Diags)
      : Annotations(Annotations), Diags(Diags) {}

  void walk(Stmt *S);
  void checkJumps();

private:
  /// What encloses a statement, outermost first: an annotated loop, or null for any other loop and
  /// for a switch.
  using Enclosing = std::vector<const Annotation *>;

  void walkChildren(Stmt *S) {
    for (Stmt *Child : S->children())
      if (Child)
        walk(Child);
  }
  void walkInside(Stmt *S, const Annotation *Loop);
  void walkBlock(CompoundStmt *Block);
  void checkLeave(SourceLocation Loc, const char *What, const Annotation &A);
  void checkReturn(SourceLocation Loc, const char *What);
  const Annotation *openedBy(const CompoundStmt *Block) const;

  struct Jump {
    const LabelDecl *Target;
    SourceLocation Loc;
    Enclosing From;
  };

  const AnnotationList &Annotations;
  DiagnosticsEngine &Diags;
  Enclosing Around;
  const Annotation *NextLoop = nullptr; ///< the annotation of the next `for`
  std::vector<Jump> Jumps;
  llvm::DenseMap<const LabelDecl *, Enclosing> Labels;
};

void BodyWalker::walk(Stmt *S) {
  if (isa<LambdaExpr, BlockExpr>(S))
    return;
  if (auto *Block = dyn_cast<CompoundStmt>(S))
    return walkBlock(Block);
  if (isa<ForStmt, CXXForRangeStmt>(S))
    return walkInside(S, std::exchange(NextLoop, nullptr));
  if (isa<WhileStmt, DoStmt, SwitchStmt>(S))
    return walkInside(S, nullptr);
  if (auto *Break = dyn_cast<BreakStmt>(S)) {
    if (!Around.empty() && Around.back())
      checkLeave(Break->getBreakLoc(), "break", *Around.back());
  } else if (auto *Return = dyn_cast<ReturnStmt>(S)) {
    checkReturn(Return->getReturnLoc(), "return");
  } else if (auto *Return = dyn_cast<CoreturnStmt>(S)) {
    checkReturn(Return->getKeywordLoc(), "co_return");
  } else if (auto *Goto = dyn_cast<GotoStmt>(S)) {
    Jumps.push_back({Goto->getLabel(), Goto->getGotoLoc(), Around});
  } else if (auto *Label = dyn_cast<LabelStmt>(S)) {
    Labels[Label->getDecl()] = Around;
  } else if (auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
    for (AddrLabelExpr *Label : Asm->labels())
      Jumps.push_back({Label->getLabel(), Asm->getAsmLoc(), Around});
  }
  walkChildren(S);
}

void BodyWalker::walkInside(Stmt *S, const Annotation *Loop) {
  Around.push_back(Loop);
  walkChildren(S);
  Around.pop_back();
}

void BodyWalker::walkBlock(CompoundStmt *Block) {
  const Annotation *A = openedBy(Block);
  if (A && Block->size() > 1 && isa<DeclStmt>(Block->body_back()))
    report(Diags, Block->body_back()->getBeginLoc(),
           "a declaration cannot be the statement of '" + A->What.spelling() +
               "'; annotate a block that also uses what is declared");
  if (A && opensSection(Block))
    NextLoop = A;
  walkChildren(Block);
  NextLoop = nullptr;
}

/// The annotation whose section, task or lock the block is, or null.
const Annotation *BodyWalker::openedBy(const CompoundStmt *Block) const {
  StringRef Name = variableOf(Block);
  unsigned Number = 0;
  if (!Name.consume_front("prophet_") || Name.rsplit('_').second.getAsInteger(10, Number) ||
      Number >= Annotations.size())
    return nullptr;
  return &Annotations[Number];
}

void BodyWalker::checkLeave(SourceLocation Loc, const char *What, const Annotation &A) {
  if (A.What.find(ClauseKind::Cancel))
    return;
  report(Diags, Loc,
         "'" + std::string(What) + "' leaves a loop marked '" + A.What.spelling() +
             "', which then cannot run in parallel" +
             (A.What.OpenMP.empty() ? "; the clause 'cancel' allows it" : ""));
  Diags.Report(A.Begin, Diags.getCustomDiagID(DiagnosticsEngine::Note, "the loop is marked here"));
}

void BodyWalker::checkReturn(SourceLocation Loc, const char *What) {
  for (auto It = Around.rbegin(); It != Around.rend(); ++It)
    if (*It && !(*It)->What.find(ClauseKind::Cancel))
      return checkLeave(Loc, What, **It);
}

void BodyWalker::checkJumps() {
  for (const Jump &J : Jumps) {
    const Enclosing &To = Labels[J.Target];
    for (const Annotation *A : J.From)
      if (A && !llvm::is_contained(To, A))
        checkLeave(J.Loc, "goto", *A);
  }
}

class BodyFinder : public RecursiveASTVisitor<BodyFinder> {
public:
  BodyFinder(const AnnotationList &Annotations, DiagnosticsEngine &Diags)
      : Annotations(Annotations), Diags(Diags) {}

  bool VisitFunctionDecl(FunctionDecl *F) {
    return check(F->doesThisDeclarationHaveABody() ? F->getBody() : nullptr);
  }
  bool VisitLambdaExpr(LambdaExpr *L) { return check(L->getBody()); }
  bool VisitBlockExpr(BlockExpr *B) { return check(B->getBody()); }

private:
  bool check(Stmt *Body) {
    BodyWalker Walker(Annotations, Diags);
    if (Body)
      Walker.walk(Body);
    Walker.checkJumps();
    return true;
  }

  const AnnotationList &Annotations;
  DiagnosticsEngine &Diags;
};

} // namespace

void checkLoopExits(Decl &D, const AnnotationList &Annotations, DiagnosticsEngine &Diags) {
  auto *Function = dyn_cast<FunctionDecl>(&D);
  if (Function && Function->isTemplateInstantiation()) // the template itself is checked
    return;
  BodyFinder(Annotations, Diags).TraverseDecl(&D);
}

} // namespace prophet
