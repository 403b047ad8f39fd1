//===- ThreadNumbers.cpp - Addresses by a thread's number -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/ThreadNumbers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace prophet {
namespace {

bool isThreadNumber(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Called = Call ? Call->getCalledFunction() : nullptr;
  return Called && Called->getName() == "omp_get_thread_num" && I.getType()->isIntegerTy();
}

/// Is `I`, of which an operand is computed of a thread's number, so as well? Of what is loaded
/// there only where it points to: other values say nothing of whose memory they lead to.
bool carriesOn(const Instruction &I) {
  if (isa<LoadInst>(I))
    return I.getType()->isPtrOrPtrVectorTy();
  return isa<GetElementPtrInst, BinaryOperator, CastInst, PHINode, SelectInst, FreezeInst,
             InsertElementInst, ExtractElementInst, ShuffleVectorInst>(I) ||
         (isa<IntrinsicInst>(I) && !I.mayReadOrWriteMemory());
}

DenseSet<const Value *> ofThreadNumbers(const Function &F) {
  DenseSet<const Value *> Found;
  SmallVector<const Value *, 16> Work;
  for (const Instruction &I : instructions(F))
    if (isThreadNumber(I) && Found.insert(&I).second)
      Work.push_back(&I);
  while (!Work.empty())
    for (const User *User : Work.pop_back_val()->users())
      if (const auto *I = dyn_cast<Instruction>(User))
        if (carriesOn(*I) && Found.insert(I).second)
          Work.push_back(I);
  return Found;
}

} // namespace

void markThreadNumbers(const Function &F, FunctionAccesses &Accesses) {
  const DenseSet<const Value *> Numbers = ofThreadNumbers(F);
  if (Numbers.empty())
    return;
  for (AccessGroup &Group : Accesses.Groups)
    Group.OfThread = Numbers.contains(Group.Members.front().Pointer);
  for (LaneAccess &Lanes : Accesses.Lanes)
    Lanes.OfThread = Numbers.contains(Lanes.Pointer);
  for (RangeAccess &Range : Accesses.Ranges)
    Range.OfThread = Numbers.contains(Range.Pointer);
}

} // namespace prophet
