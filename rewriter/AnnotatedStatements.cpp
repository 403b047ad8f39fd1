//===- AnnotatedStatements.cpp - Annotations in the AST -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/AnnotatedStatements.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace prophet {

void forEachStatement(const Stmt *S, llvm::function_ref<bool(const Stmt *)> Visit) {
  if (!S || !Visit(S))
    return;
  if (auto *Lambda = dyn_cast<LambdaExpr>(S))
    return forEachStatement(Lambda->getBody(), Visit);
  if (auto *Block = dyn_cast<BlockExpr>(S))
    return forEachStatement(Block->getBody(), Visit);
  for (const Stmt *Child : S->children())
    forEachStatement(Child, Visit);
}

namespace {

/// Walks the bodies that a declaration holds. An instantiated template is its pattern again.
class BodyFinder : public RecursiveASTVisitor<BodyFinder> {
public:
  BodyFinder(const AnnotationList &Annotations, AnnotatedStatements &Found)
      : Annotations(Annotations), Found(Found) {}

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() && !F->isTemplateInstantiation())
      walkBody(F, F->getBody());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) { return walkBody(L->getCallOperator(), L->getBody()); }
  bool VisitBlockExpr(BlockExpr *B) { return walkBody(B->getBlockDecl(), B->getBody()); }

private:
  bool walkBody(const Decl *Function, const Stmt *Body) {
    Current = Function;
    Around.clear();
    walk(Body);
    return true;
  }

  void walk(const Stmt *S) {
    if (!S || isa<LambdaExpr, BlockExpr>(S)) // bodies of their own
      return;
    auto *Block = dyn_cast<CompoundStmt>(S);
    std::optional<unsigned> Number = Block ? annotationOf(Block, Annotations.size()) : std::nullopt;
    // A loop's body is in a block of the loop's annotation, too.
    bool New = Number && !llvm::is_contained(Around, *Number);
    if (New) {
      Found[*Number] = {Block, Block->body_back(), Current, Around};
      Around.push_back(*Number);
    }
    for (const Stmt *Child : S->children())
      walk(Child);
    if (New)
      Around.pop_back();
  }

  const AnnotationList &Annotations;
  AnnotatedStatements &Found;
  const Decl *Current = nullptr;
  std::vector<unsigned> Around;
};

} // namespace

AnnotatedStatements findAnnotatedStatements(ASTContext &Context,
                                            const AnnotationList &Annotations) {
  AnnotatedStatements Found;
  BodyFinder Finder(Annotations, Found);
  const SourceManager &SM = Context.getSourceManager();
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (!SM.isInSystemHeader(D->getLocation()))
      Finder.TraverseDecl(D);
  return Found;
}

} // namespace prophet
