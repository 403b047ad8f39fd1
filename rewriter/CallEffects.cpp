//===- CallEffects.cpp - What called functions change ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/CallEffects.h"

#include "clang/Basic/SourceManager.h"

#include "llvm/ADT/StringSwitch.h"

#include <set>

using namespace clang;

namespace prophet {

static bool keepsState(const FunctionDecl *F) {
  if (!F->getIdentifier())
    return false;
  return llvm::StringSwitch<bool>(F->getName())
      .Cases("rand", "srand", "random", "srandom", "drand48", "lrand48", "mrand48", true)
      .Cases("strtok", "localtime", "gmtime", "ctime", "asctime", "strerror", true)
      .Default(false);
}

/// A variable that all calls of `F` share, or null: a global or static one, and in a lambda one of
/// the function around it.
static const VarDecl *sharedVariable(const Access &A, const FunctionDecl *F) {
  bool Written = A.Kind == AccessKind::Write || A.Kind == AccessKind::Update;
  const VarDecl *V = A.Variable;
  bool Own = V && V->hasLocalStorage() && V->getDeclContext() == F;
  return V && Written && !A.Protected && !A.Element && !Own && !V->getTLSKind() ? V : nullptr;
}

std::optional<std::string> unsafeEffect(const CallExpr *Call, const AnnotationList &Annotations,
                                        ASTContext &Context) {
  std::set<const FunctionDecl *> Seen;
  std::vector<const CallExpr *> Left = {Call};
  while (!Left.empty()) {
    const FunctionDecl *F = Left.back()->getDirectCallee(), *Definition = nullptr;
    Left.pop_back();
    if (!F || !Seen.insert(F->getCanonicalDecl()).second)
      continue;
    if (!F->hasBody(Definition)) {
      if (keepsState(F))
        return "'" + F->getNameAsString() + "' keeps state between calls, which all threads share";
      continue;
    }
    if (Context.getSourceManager().isInSystemHeader(Definition->getLocation()))
      continue;
    Accesses Inside = collectAccesses(Definition->getBody(), Annotations, Context);
    for (const Access &A : Inside.All)
      if (const VarDecl *V = sharedVariable(A, Definition))
        return "'" + F->getNameAsString() + "' writes '" + V->getNameAsString() +
               "', which all threads share";
    Left.insert(Left.end(), Inside.UnprotectedCalls.begin(), Inside.UnprotectedCalls.end());
  }
  return std::nullopt;
}

} // namespace prophet
