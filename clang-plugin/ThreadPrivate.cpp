//===- ThreadPrivate.cpp - What OpenMP's threadprivate lists ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/ThreadPrivate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace prophet {

/// By its name, which C++ has mangled, and its form.
static bool isTable(const GlobalVariable &G) {
  return G.hasInitializer() && G.getName().contains("prophet_threadprivate_") &&
         isa<ConstantArray>(G.getInitializer());
}

/// Also of a variable that other modules may define as well: the runtime is told of it by each.
static bool isDefined(const GlobalVariable &G) {
  return !G.isDeclaration() && !G.hasAvailableExternallyLinkage();
}

void tellThreadPrivate(Module &M) {
  // The list of what is used, as they are, is among the variables, too, and changes.
  SmallVector<GlobalVariable *, 8> Tables;
  for (GlobalVariable &G : M.globals())
    if (isTable(G))
      Tables.push_back(&G);
  SetVector<GlobalVariable *> Variables;
  for (GlobalVariable *Table : Tables)
    for (const Use &Listed : Table->getInitializer()->operands()) {
      auto *Variable = dyn_cast<GlobalVariable>(Listed.get()->stripPointerCasts());
      if (Variable && isDefined(*Variable) && !Variable->isThreadLocal())
        Variables.insert(Variable);
    }
  removeFromUsedLists(
      M, [&](const Constant *Used) { return is_contained(Tables, Used->stripPointerCasts()); });
  for (GlobalVariable *Table : Tables) {
    Table->removeDeadConstantUsers();
    if (Table->use_empty()) // or somebody knows its name
      Table->eraseFromParent();
  }
  if (Variables.empty())
    return;
  Type *Long = Type::getInt64Ty(M.getContext());
  SmallVector<Constant *, 16> Words;
  for (GlobalVariable *Variable : Variables) {
    const TypeSize Size = M.getDataLayout().getTypeAllocSize(Variable->getValueType());
    Words.push_back(ConstantExpr::getPtrToInt(Variable, Long));
    Words.push_back(ConstantInt::get(Long, Size.getFixedValue()));
  }
  auto *Type = ArrayType::get(Long, Words.size());
  // Written to where the program is loaded: the linker joins those of files with other ones.
  auto *Ranges = new GlobalVariable(M, Type, /*isConstant=*/false, GlobalValue::PrivateLinkage,
                                    ConstantArray::get(Type, Words), "__prophet_threadprivate");
  Ranges->setSection("prophet_own");
  Ranges->setAlignment(Align(8));
  appendToUsed(M, {Ranges});
}

} // namespace prophet
