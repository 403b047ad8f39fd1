//===- MemoryPass.cpp - Filters before accesses to memory -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/MemoryPass.h"

#include "clang-plugin/HeapCalls.h"
#include "clang-plugin/LinkStub.h"
#include "clang-plugin/MemoryFilters.h"
#include "clang-plugin/PassCallbacks.h"
#include "clang-plugin/TailCalls.h"
#include "clang-plugin/TaskVariables.h"
#include "clang-plugin/ThreadPrivate.h"
#include "clang-plugin/X86Lanes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace prophet {
namespace {

using FunctionSet = SmallPtrSet<const Function *, 8>;

/// What chooses definitions of ifuncs, and what that calls: it may run before there are
/// thread-local variables.
FunctionSet findResolvers(const Module &M) {
  FunctionSet Found;
  SmallVector<const Function *, 8> Work;
  for (const GlobalIFunc &Chosen : M.ifuncs())
    Work.push_back(Chosen.getResolverFunction());
  while (!Work.empty()) {
    const Function *F = Work.pop_back_val();
    if (!F || !Found.insert(F).second)
      continue;
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        Work.push_back(dyn_cast<Function>(Call->getCalledOperand()->stripPointerCastsAndAliases()));
  }
  return Found;
}

/// Functions that have no frame to work in, or that somebody wants left alone.
bool isLeftOut(const Function &F) {
  return F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
         F.hasFnAttribute(Attribute::Naked) ||
         F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) ||
         F.getName().starts_with("__prophet_");
}

/// -ffat-lto-objects optimises what was instrumented for the linker once more, for those without
/// it.
bool isInstrumented(const Module &M) {
  const GlobalVariable *Table = M.getNamedGlobal("__prophet_memory_table_v6");
  return Table && !Table->isDeclaration();
}

/// Functions count in memory that they had nothing to do with, as link-time optimisation is to see.
void forgetEffects(Module &M) {
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    F.removeFnAttr(Attribute::Memory);
    F.removeFnAttr(Attribute::Speculatable);
    for (Instruction &I : instructions(F))
      if (isOutsideCall(I))
        cast<CallBase>(I).removeFnAttr(Attribute::Memory);
  }
}

/// Of functions that are left out nothing is told.
void leaveOut(Module &M) {
  for (Function &F : M)
    tellPrivateVariables(F, nullptr);
}

struct MemoryPass : PassInfoMixin<MemoryPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (isInstrumented(M))
      return PreservedAnalyses::all();
    tellThreadPrivate(M);
    std::vector<Function *> Functions; // examining one may add a copy for a while
    const FunctionSet Resolvers = findResolvers(M);
    for (Function &F : M)
      if (!isLeftOut(F) && !Resolvers.contains(&F))
        Functions.push_back(&F);
    if (Functions.empty() || !hasTarget(M)) {
      leaveOut(M);
      return PreservedAnalyses::none();
    }
    MemoryInterface Interface(M);
    const TaskInterface Tasks{Interface.Own, Interface.Region};
    for (Function *F : Functions) {
      separateTailCalls(*F);
      generaliseX86Lanes(*F);
      FunctionAccesses Accesses = findAccesses(*F);
      if (!Accesses.empty())
        addFilters(*F, Accesses, Interface);
      tellTaskVariables(*F, Interface.Own);
      tellPrivateVariables(*F, &Tasks);
      tellHeapCalls(*F, {Interface.Allocated, Interface.Reallocated, Interface.Freed});
    }
    leaveOut(M);
    forgetEffects(M);
    linkMemoryStub(M, Interface.KeepingRegisters);
    return PreservedAnalyses::none();
  }
};

} // namespace

void addMemoryPass(clang::CodeGenOptions &Options) {
  addPassCallback(Options, [](PassBuilder &Builder) {
    Builder.registerOptimizerLastEPCallback(
        [](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(MemoryPass()); });
  });
}

} // namespace prophet
