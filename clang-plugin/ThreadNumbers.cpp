//===- ThreadNumbers.cpp - Addresses by a thread's number -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/ThreadNumbers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace prophet {
namespace {

bool isThreadNumber(const Instruction &I) {
  return calledBy(I) == "omp_get_thread_num" && I.getType()->isIntegerTy();
}

/// What a place is computed by: not a remainder, as of the neighbour's number, nor a mixture of
/// bits, as random numbers are. (Sums of bits that are apart become what `|` does.)
bool isOfPlaces(const Instruction &I) {
  if (isa<BinaryOperator>(I))
    return is_contained(
        {Instruction::Add, Instruction::Sub, Instruction::Mul, Instruction::Shl, Instruction::Or},
        I.getOpcode());
  return isa<GetElementPtrInst, CastInst, PHINode, SelectInst, FreezeInst, InsertElementInst,
             ShuffleVectorInst>(I);
}

/// Is what is loaded one of an array's pointers, by a number that is computed? A structure's
/// pointer may lead to what all threads share.
bool isOfPointers(const LoadInst &Load) {
  const auto *Place = dyn_cast<GetElementPtrInst>(Load.getPointerOperand());
  return Load.getType()->isPointerTy() && Place && Place->getResultElementType()->isPointerTy() &&
         !isa<Constant>(Place->getOperand(Place->getNumOperands() - 1));
}

/// Is `I`, of which an operand is computed of a thread's number, so as well?
bool carriesOn(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load ? isOfPointers(*Load) : isOfPlaces(I);
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
