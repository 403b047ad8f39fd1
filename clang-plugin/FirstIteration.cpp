//===- FirstIteration.cpp - What a loop begins with -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/FirstIteration.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace prophet {
namespace {

class Copier {
public:
  Copier(const BasicBlock *Loop, Instruction *Entry) : Loop(Loop), Entry(Entry) {}

  Value *copy(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() != Loop)
      return V;
    if (const auto *Phi = dyn_cast<PHINode>(I))
      return Phi->getIncomingValueForBlock(Entry->getParent());
    if (Value *Known = Copies.lookup(I))
      return Known;
    if (!isArithmetic(*I) || Copies.size() == Most)
      return nullptr;
    SmallVector<Value *, 4> Operands;
    for (Value *Operand : I->operands()) {
      Operands.push_back(copy(Operand));
      if (!Operands.back())
        return nullptr;
    }
    Instruction *New = I->clone();
    for (unsigned Index = 0; Index < Operands.size(); ++Index)
      New->setOperand(Index, Operands[Index]);
    New->insertBefore(Entry);
    return Copies[I] = New;
  }

private:
  /// An address is computed by so many instructions at most.
  static constexpr size_t Most = 16;

  /// May it be done where the loop is not entered?
  static bool isArithmetic(const Instruction &I) {
    return isa<GetElementPtrInst>(I) || isa<CastInst>(I) ||
           (isa<BinaryOperator>(I) && !I.isIntDivRem());
  }

  const BasicBlock *Loop;
  Instruction *Entry;
  DenseMap<const Instruction *, Value *> Copies;
};

} // namespace

Value *inFirstIteration(Value *V, const BasicBlock *Loop, Instruction *Entry) {
  return Copier(Loop, Entry).copy(V);
}

} // namespace prophet
