//===- WaysOut.cpp - Ways out of annotated statements -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/WaysOut.h"

#include "rewriter/AddedBlock.h"
#include "rewriter/Report.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace prophet {
namespace {

/// The call that a statement makes for an annotation that stands alone, or null. Guarded, it is
/// `(void)(__builtin_is_constant_evaluated() || ((void)CALL, false))`.
const CallExpr *standingAlone(const Stmt *S) {
  if (const auto *Void = dyn_cast<CStyleCastExpr>(S))
    if (const auto *Or = dyn_cast<BinaryOperator>(Void->getSubExpr()->IgnoreParenImpCasts()))
      if (const auto *Comma = dyn_cast<BinaryOperator>(Or->getRHS()->IgnoreParenImpCasts()))
        S = Comma->getLHS()->IgnoreParenCasts();
  const auto *Call = dyn_cast<CallExpr>(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier())
    return nullptr;
  StringRef Name = Callee->getName();
  bool Ours =
      Name == "__prophet_tasks_end" || Name == "__prophet_pause" || Name == "__prophet_resume";
  return Ours ? Call : nullptr;
}

/// Walks one function body. Nested functions (lambdas, local classes) are bodies of their own.
class BodyWalker {
public:
  BodyWalker(const AnnotationList &Annotations, DiagnosticsEngine &Diags)
      : Annotations(Annotations), Diags(Diags) {}

  void walk(Stmt *S);
  void checkJumps();

private:
  enum class Target { None, Break, BreakAndContinue };
  /// What encloses a statement: what jumps can mean by it, and the annotation that it is the
  /// parallel loop, block or task of, or null.
  struct Frame {
    Target Of;
    const Annotation *Marked;
  };
  using Enclosing = std::vector<Frame>; ///< outermost first

  void walkChildren(Stmt *S);
  void walkInside(Stmt *S, Frame F);
  void walkBlock(CompoundStmt *Block);
  void walkLoop(Stmt *Loop);
  void checkStatement(const CompoundStmt *Block, const Annotation &A);
  void checkJump(SourceLocation Loc, const char *What, Target Needed);
  void checkReturn(SourceLocation Loc, const char *What);
  bool checkLeave(SourceLocation Loc, const char *What, const Annotation &A);
  void checkStandsAlone(const Stmt *S);

  struct Jump {
    const LabelDecl *To;
    SourceLocation Loc;
    Enclosing From;
  };

  const AnnotationList &Annotations;
  DiagnosticsEngine &Diags;
  Enclosing Around;
  bool InBlock = true;                  ///< the statement is one of several, not a whole body
  const Annotation *NextLoop = nullptr; ///< the annotation of the next `for`
  unsigned NextLoops = 0;               ///< how many loops inside each other it is for
  std::vector<Jump> Jumps;
  llvm::DenseMap<const LabelDecl *, Enclosing> Labels;
};

void BodyWalker::walk(Stmt *S) {
  if (isa<LambdaExpr, BlockExpr>(S))
    return;
  if (auto *Block = dyn_cast<CompoundStmt>(S))
    return walkBlock(Block);
  if (isa<ForStmt, CXXForRangeStmt>(S))
    return walkLoop(S);
  if (isa<WhileStmt, DoStmt>(S))
    return walkInside(S, {Target::BreakAndContinue, nullptr});
  if (isa<SwitchStmt>(S))
    return walkInside(S, {Target::Break, nullptr});
  if (auto *Break = dyn_cast<BreakStmt>(S)) {
    checkJump(Break->getBreakLoc(), "break", Target::Break);
  } else if (auto *Continue = dyn_cast<ContinueStmt>(S)) {
    checkJump(Continue->getContinueLoc(), "continue", Target::BreakAndContinue);
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

void BodyWalker::walkChildren(Stmt *S) {
  bool Block = isa<CompoundStmt>(S) || (InBlock && isa<LabelStmt, SwitchCase, AttributedStmt>(S));
  for (Stmt *Child : S->children()) {
    if (!Child)
      continue;
    if (!Block && !isa<Expr>(S) && standingAlone(Child))
      checkStandsAlone(Child);
    bool Saved = std::exchange(InBlock, Block);
    walk(Child);
    InBlock = Saved;
  }
}

void BodyWalker::walkInside(Stmt *S, Frame F) {
  Around.push_back(F);
  walkChildren(S);
  Around.pop_back();
}

void BodyWalker::walkLoop(Stmt *Loop) {
  const Annotation *Marked = NextLoops ? NextLoop : nullptr;
  NextLoops -= Marked != nullptr;
  walkInside(Loop, {Target::BreakAndContinue, Marked});
}

void BodyWalker::walkBlock(CompoundStmt *Block) {
  std::optional<unsigned> Number = annotationOf(Block, Annotations.size());
  if (!Number)
    return walkChildren(Block);
  const Annotation *A = &Annotations[*Number];
  checkStatement(Block, *A);
  NextLoops = 0;
  switch (A->What.Kind) {
  case DirectiveKind::ParallelFor:
  case DirectiveKind::Taskloop: // the section's block, or an iteration's
    if (!Around.empty() && Around.back().Marked == A)
      return walkChildren(Block);
    NextLoop = A;
    NextLoops = A->What.collapsed();
    walkChildren(Block);
    NextLoops = 0;
    return;
  case DirectiveKind::ParallelSections:
  case DirectiveKind::ParallelTasks:
  case DirectiveKind::Task:
    if (Around.empty() || Around.back().Marked != A)
      return walkInside(Block, {Target::None, A});
    return walkChildren(Block);
  default:
    return walkChildren(Block);
  }
}

/// The block's last statement is the one that was annotated.
void BodyWalker::checkStatement(const CompoundStmt *Block, const Annotation &A) {
  if (Block->size() < 2)
    return;
  const Stmt *Last = Block->body_back();
  if (standingAlone(Last))
    checkStandsAlone(Last);
  else if (isa<DeclStmt>(Last))
    report(Diags, Last->getBeginLoc(),
           "a declaration cannot be the statement of '" + A.What.spelling() +
               "'; annotate a block that also uses what is declared");
  else if (A.What.Kind == DirectiveKind::Atomic && A.What.OpenMP.empty() && !isa<Expr>(Last))
    report(Diags, Last->getBeginLoc(),
           "'" + A.What.spelling() +
               "' must be followed by an expression statement; any other can be 'critical'");
}

/// Reports whether `A` may not be left.
bool BodyWalker::checkLeave(SourceLocation Loc, const char *What, const Annotation &A) {
  if (A.What.find(ClauseKind::Cancel))
    return false;
  bool Task = A.What.Kind == DirectiveKind::Task;
  bool Loop = A.What.Kind == DirectiveKind::ParallelFor || A.What.Kind == DirectiveKind::Taskloop;
  std::string Left = Loop ? "loop" : Task ? "statement" : "block";
  report(Diags, Loc,
         "'" + std::string(What) + "' leaves a " + Left + " marked '" + A.What.spelling() +
             "', which then cannot run " +
             (Task                    ? "as a task"
              : A.What.OpenMP.empty() ? "in parallel; the clause 'cancel' allows it"
                                      : "in parallel"));
  std::string Note = "the " + Left + " is marked here";
  Diags.Report(A.Begin, Diags.getCustomDiagID(DiagnosticsEngine::Note, "%0")) << Note;
  return true;
}

/// A `break` or `continue`: leaves everything up to what it is for.
void BodyWalker::checkJump(SourceLocation Loc, const char *What, Target Needed) {
  for (auto It = Around.rbegin(); It != Around.rend(); ++It) {
    bool Reached = It->Of >= Needed;
    bool Leaves = It->Marked && !(Reached && Needed == Target::BreakAndContinue);
    if ((Leaves && checkLeave(Loc, What, *It->Marked)) || Reached)
      return;
  }
}

void BodyWalker::checkReturn(SourceLocation Loc, const char *What) {
  for (auto It = Around.rbegin(); It != Around.rend(); ++It)
    if (It->Marked && checkLeave(Loc, What, *It->Marked))
      return;
}

void BodyWalker::checkJumps() {
  for (const Jump &J : Jumps) {
    const Enclosing &To = Labels[J.To];
    const Annotation *Reported = nullptr; // a nest of loops has one annotation
    for (const Frame &F : J.From) {
      bool Stays = llvm::any_of(To, [&](const Frame &T) { return T.Marked == F.Marked; });
      if (F.Marked && F.Marked != Reported && !Stays && checkLeave(J.Loc, "goto", *F.Marked))
        Reported = F.Marked;
    }
  }
}

/// An annotation that stands alone would be all that an `if` or a loop does.
void BodyWalker::checkStandsAlone(const Stmt *S) {
  auto A = llvm::find_if(Annotations, [&](const Annotation &Candidate) {
    return Candidate.Following.isValid() && Candidate.Following == S->getBeginLoc();
  });
  if (A != Annotations.end())
    report(Diags, A->Begin,
           "'" + A->What.spelling() +
               "' must stand directly in a block; put it and the statement around it in braces");
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

/// Most declarations of most files hold no annotation, and need no look at all that they hold. The
/// annotations are in the order in which they were read.
bool holdsAnnotation(const Decl &D, const AnnotationList &Annotations, const SourceManager &SM) {
  SourceRange Range = D.getSourceRange();
  // Without braces, `extern "C"` and `export` end where the first declaration in them does, which
  // may be of a return type.
  if (Range.isInvalid() || isa<LinkageSpecDecl, ExportDecl>(D))
    return true;
  auto Before = [&](SourceLocation A, SourceLocation B) {
    return SM.isBeforeInTranslationUnit(SM.getExpansionLoc(A), SM.getExpansionLoc(B));
  };
  auto First = llvm::partition_point(
      Annotations, [&](const Annotation &A) { return Before(A.Hash, Range.getBegin()); });
  return First != Annotations.end() &&
         !Before(SM.getExpansionRange(Range.getEnd()).getEnd(), First->Hash);
}

} // namespace

void checkWaysOut(Decl &D, const AnnotationList &Annotations, DiagnosticsEngine &Diags) {
  auto *Function = dyn_cast<FunctionDecl>(&D);
  if (Function && Function->isTemplateInstantiation()) // the template itself is checked
    return;
  if (!holdsAnnotation(D, Annotations, Diags.getSourceManager()))
    return;
  BodyFinder(Annotations, Diags).TraverseDecl(&D);
}

} // namespace prophet
