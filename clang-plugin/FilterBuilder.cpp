//===- FilterBuilder.cpp - Code of which filters are made -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/FilterBuilder.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace prophet {

FilterBuilder::FilterBuilder(Function &F, MemoryInterface &Interface)
    : C(F.getContext()), Word(Type::getInt32Ty(C)), Long(Type::getInt64Ty(C)), Interface(Interface),
      Variables(F, Interface) {}

Value *FilterBuilder::hash(IRBuilder<> &B, Value *Address) {
  Type *Result = Address->getType()->getWithNewBitWidth(32);
  Value *Line = B.CreateTrunc(B.CreateLShr(Address, PROPHET_MEMORY_LINE_SHIFT), Result);
  return B.CreateMul(Line, ConstantInt::get(Result, PROPHET_MEMORY_HASH));
}

void FilterBuilder::callIf(IRBuilder<> &B, Value *Sampled, function_ref<void(IRBuilder<> &)> Call) {
  MDNode *Rarely = MDBuilder(C).createBranchWeights(1, 1 << 20);
  Instruction *Then = SplitBlockAndInsertIfThen(Sampled, &*B.GetInsertPoint(), false, Rarely);
  IRBuilder<> InThen(Then);
  InThen.SetCurrentDebugLocation(B.getCurrentDebugLocation());
  Call(InThen);
  Variables.refresh(InThen);
}

void FilterBuilder::callKeepingRegisters(IRBuilder<> &B, FunctionCallee Callee,
                                         ArrayRef<Value *> Arguments) {
  CallInst *Call = B.CreateCall(Callee, Arguments);
  Call->setCallingConv(Interface.KeepingRegisters);
  Call->setDoesNotThrow();
}

Constant *FilterBuilder::describe(const AccessGroup &Group) {
  SmallVector<uint32_t, 9> Words{static_cast<uint32_t>(Group.Members.size())};
  for (const Access &Member : Group.Members) {
    Words.push_back(static_cast<uint32_t>(Member.Offset));
    Words.push_back(static_cast<uint32_t>(Member.Size) << 8 | Member.Kind);
  }
  return Interface.group(Words);
}

void FilterBuilder::touchIf(IRBuilder<> &B, Value *Hash, const AccessGroup &Group, Value *Address) {
  Constant *Description = describe(Group);
  callIf(B, B.CreateICmpULT(Hash, Variables.threshold(B)), [&](IRBuilder<> &Then) {
    callKeepingRegisters(Then, Interface.Touch, {Address, Description});
  });
}

Value *FilterBuilder::moved(IRBuilder<> &B, Value *Address, int64_t Offset) {
  return Offset ? B.CreateAdd(Address, ConstantInt::getSigned(Long, Offset)) : Address;
}

/// Is the whole span in one line, wherever the program runs?
static bool isInOneLine(const AccessGroup &Group, int64_t Low, int64_t High) {
  for (const Access &Member : Group.Members) {
    int64_t Align = std::min<uint64_t>(Member.Align, PROPHET_MEMORY_LINE);
    int64_t From = Low - Member.Offset, To = High - 1 - Member.Offset;
    if (From >= 0 ? To < Align : From >= -Align && To < 0)
      return true;
  }
  return false;
}

/// The hash of an address, or the largest number where `Unwanted`.
Value *FilterBuilder::hashUnless(IRBuilder<> &B, Value *Unwanted, Value *Address) {
  if (!Unwanted)
    return hash(B, Address);
  BasicBlock *Before = B.GetInsertBlock();
  MDNode *Seldom = MDBuilder(C).createBranchWeights(1, PROPHET_MEMORY_LINE);
  IRBuilder<> Then(
      SplitBlockAndInsertIfThen(B.CreateNot(Unwanted), &*B.GetInsertPoint(), false, Seldom));
  Value *Wanted = hash(Then, Address);
  B.SetInsertPoint(&B.GetInsertPoint()->getParent()->front());
  PHINode *Hash = B.CreatePHI(Word, 2);
  Hash->addIncoming(ConstantInt::getAllOnesValue(Word), Before);
  Hash->addIncoming(Wanted, Then.GetInsertBlock());
  B.SetInsertPoint(Hash->getNextNode());
  return Hash;
}

void FilterBuilder::addFilter(IRBuilder<> &B, const AccessGroup &Group, Value *Address,
                              Value *Again) {
  auto [Low, High] = spanOf(Group);
  int64_t Front = Group.upwards() ? High - 1 : Low, Rear = Group.upwards() ? Low : High - 1;
  const bool InOneLine = isInOneLine(Group, Low, High);
  Value *Least = hash(B, InOneLine ? Address : moved(B, Address, Front));
  if (!InOneLine) {
    for (int64_t Offset = Low + PROPHET_MEMORY_LINE; Offset < High - 1;
         Offset += PROPHET_MEMORY_LINE)
      Least = B.CreateBinaryIntrinsic(Intrinsic::umin, Least, hash(B, moved(B, Address, Offset)));
    Least = B.CreateBinaryIntrinsic(Intrinsic::umin, Least,
                                    hashUnless(B, Again, moved(B, Address, Rear)));
  }
  touchIf(B, Least, Group, Address);
}

} // namespace prophet
