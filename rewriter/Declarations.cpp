//===- Declarations.cpp - The runtime's functions, declared -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Declarations.h"

#include "rewriter/ClangCompat.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Lookup.h"

using namespace clang;

namespace prophet {

/// Where an extern "C" function is declared: the translation unit, in C++ an implicit linkage
/// specification in it.
static DeclContext *externC(ASTContext &Context) {
  TranslationUnitDecl *Unit = Context.getTranslationUnitDecl();
  if (!Context.getLangOpts().CPlusPlus)
    return Unit;
  auto *Linkage = LinkageSpecDecl::Create(Context, Unit, SourceLocation(), SourceLocation(),
                                          LinkageLanguageC, /*HasBraces=*/false);
  Linkage->setImplicit();
  Unit->addDecl(Linkage);
  return Linkage;
}

/// Null where the file has one.
static FunctionDecl *declareFunction(Sema &S, StringRef Name, QualType Result,
                                     ArrayRef<QualType> Types, bool IsVariadic = false) {
  ASTContext &Context = S.Context;
  IdentifierInfo &Id = Context.Idents.get(Name);
  LookupResult Found(S, &Id, SourceLocation(), Sema::LookupOrdinaryName);
  Found.suppressDiagnostics();
  if (S.LookupQualifiedName(Found, Context.getTranslationUnitDecl()))
    return nullptr;

  FunctionProtoType::ExtProtoInfo Info;
  Info.Variadic = IsVariadic;
  if (Context.getLangOpts().CPlusPlus)
    Info.ExceptionSpec.Type =
        Context.getLangOpts().CPlusPlus11 ? EST_BasicNoexcept : EST_DynamicNone;
  auto *F = FunctionDecl::Create(Context, externC(Context), SourceLocation(), SourceLocation(), &Id,
                                 Context.getFunctionType(Result, Types, Info),
                                 /*TInfo=*/nullptr, SC_Extern);
  SmallVector<ParmVarDecl *, 2> Parameters;
  for (QualType Type : Types)
    Parameters.push_back(ParmVarDecl::Create(Context, F, SourceLocation(), SourceLocation(),
                                             /*Id=*/nullptr, Type, /*TInfo=*/nullptr, SC_None,
                                             /*DefArg=*/nullptr));
  F->setParams(Parameters);
  F->setImplicit();
  // Not of the module whose interface is being read: LLVM 14 and 15 would mangle the name as its.
  F->setModuleOwnershipKind(Decl::ModuleOwnershipKind::Unowned);
  F->addAttr(NoThrowAttr::CreateImplicit(Context));

  DeclContext *Saved = S.CurContext;
  S.CurContext = F->getDeclContext();
  S.PushOnScopeChains(F, S.TUScope);
  S.CurContext = Saved;
  return F;
}

void declareRuntime(Sema &S) {
  ASTContext &Context = S.Context;
  QualType Handle = Context.UnsignedIntTy;
  QualType Text = Context.getPointerType(Context.getConstType(Context.CharTy));
  QualType HandlePtr = Context.getPointerType(Handle);
  declareFunction(S, "__prophet_section_begin", Handle, Text);
  declareFunction(S, "__prophet_section_end", Context.VoidTy, HandlePtr);
  declareFunction(S, "__prophet_task_begin", Handle, {});
  declareFunction(S, "__prophet_task_end", Context.VoidTy, HandlePtr);
  declareFunction(S, "__prophet_lock_begin", Handle, Text);
  declareFunction(S, "__prophet_lock_end", Context.VoidTy, HandlePtr);
  declareFunction(S, "__prophet_spawn_begin", Handle, {HandlePtr, Text});
  declareFunction(S, "__prophet_tasks_end", Context.VoidTy, HandlePtr);
  QualType Place = Context.getPointerType(Context.VoidTy.withConst().withVolatile());
  if (FunctionDecl *Own = declareFunction(S, "__prophet_own", Context.VoidTy,
                                          {Place, Context.getSizeType()}, /*IsVariadic=*/true))
    Own->getParamDecl(0)->addAttr(NoEscapeAttr::CreateImplicit(Context));
  declareFunction(S, "__prophet_parallel_begin", Context.VoidTy, {});
  declareFunction(S, "__prophet_parallel_end", Context.VoidTy, {});
  declareFunction(S, "__prophet_single_begin", Context.VoidTy, {});
  declareFunction(S, "__prophet_single_end", Context.VoidTy, {});
  declareFunction(S, "__prophet_pause", Context.VoidTy, {});
  declareFunction(S, "__prophet_resume", Context.VoidTy, {});
}

} // namespace prophet
