//===- TailCalls.cpp - Calls that functions end with ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/TailCalls.h"

#include "clang-plugin/MemoryAccesses.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace prophet {

/// The call marked so that is the last thing to happen before `End`, if `Returned` is its result.
static const CallInst *tailCallBefore(const Instruction &End, const Value *Returned) {
  for (const Instruction *I = End.getPrevNode(); I; I = I->getPrevNode()) {
    if (I->isDebugOrPseudoInst() || I->isLifetimeStartOrEnd())
      continue;
    if (isa<BitCastInst>(I) && I == Returned) {
      Returned = I->getOperand(0);
      continue;
    }
    const auto *Call = dyn_cast<CallInst>(I);
    if (!Call || !isOutsideCall(*Call) || !Call->isTailCall())
      return nullptr;
    return !Returned || Returned == Call || Call->isMustTailCall() ? Call : nullptr;
  }
  return nullptr;
}

const CallInst *tailCallBefore(const ReturnInst &Return) {
  return tailCallBefore(Return, Return.getReturnValue());
}

/// What `Return` returns where its block is reached from the end of another one.
static const Value *returnedFrom(const BasicBlock &Before, const ReturnInst &Return) {
  const auto *Merged = dyn_cast_or_null<PHINode>(Return.getReturnValue());
  return Merged && Merged->getParent() == Return.getParent()
             ? Merged->getIncomingValueForBlock(&Before)
             : Return.getReturnValue();
}

static void separate(ReturnInst &Return) {
  BasicBlock *Block = Return.getParent();
  for (BasicBlock *Before : to_vector(predecessors(Block))) {
    const auto *Jump = dyn_cast<BranchInst>(Before->getTerminator());
    if (Jump && Jump->isUnconditional() && tailCallBefore(*Jump, returnedFrom(*Before, Return)))
      FoldReturnIntoUncondBranch(&Return, Block, Before);
  }
  if (pred_empty(Block) && !Block->isEntryBlock())
    DeleteDeadBlock(Block);
}

void separateTailCalls(Function &F) {
  SmallVector<ReturnInst *, 4> Alone;
  for (BasicBlock &Block : F) {
    auto *Return = dyn_cast<ReturnInst>(Block.getTerminator());
    if (Return && Block.getFirstNonPHIOrDbg() == Return)
      Alone.push_back(Return);
  }
  for (ReturnInst *Return : Alone)
    separate(*Return);
}

} // namespace prophet
