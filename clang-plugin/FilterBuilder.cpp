//===- FilterBuilder.cpp - Code of which filters are made -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/FilterBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>
#include <tuple>

using namespace llvm;

namespace prophet {

FilterBuilder::FilterBuilder(Function &F, const FunctionAccesses &Accesses,
                             MemoryInterface &Interface)
    : C(F.getContext()), Word(Type::getInt32Ty(C)), Long(Type::getInt64Ty(C)), Interface(Interface),
      Variables(F, Accesses, Interface) {}

Value *FilterBuilder::hash(IRBuilder<> &B, Value *Address) {
  Type *Result = Address->getType()->getWithNewBitWidth(32);
  Value *Line = B.CreateTrunc(B.CreateLShr(Address, PROPHET_MEMORY_LINE_SHIFT), Result);
  return B.CreateMul(Line, ConstantInt::get(Result, PROPHET_MEMORY_HASH));
}

Value *FilterBuilder::linesAhead(IRBuilder<> &B, Value *Hash, bool Upwards) {
  if (!Upwards) { // by the threshold that the table is for
    Value *Threshold = B.CreateLoad(Word, Interface.Threshold);
    Hash = B.CreateSub(B.CreateAdd(Threshold, Constant::getAllOnesValue(Word)), Hash);
  }
  return B.CreateZExt(freeLines(B, B.CreateAdd(Hash, ConstantInt::get(Word, PROPHET_MEMORY_HASH))),
                      Long);
}

/// At least how many lines from the one of `Hash` on, upwards, are in no sample.
Value *FilterBuilder::freeLines(IRBuilder<> &B, Value *Hash) {
  Value *Index = B.CreateZExt(B.CreateLShr(Hash, 32 - PROPHET_MEMORY_AHEAD_BITS), Long);
  Value *Place = B.CreateInBoundsGEP(Interface.Ahead->getValueType(), Interface.Ahead,
                                     {ConstantInt::get(Long, 0), Index});
  return B.CreateLoad(Type::getInt16Ty(C), Place);
}

void FilterBuilder::callIf(IRBuilder<> &B, Value *Sampled, function_ref<void(IRBuilder<> &)> Call) {
  MDNode *Rarely = MDBuilder(C).createBranchWeights(1, 1 << 20);
  Instruction *Then = SplitBlockAndInsertIfThen(Sampled, &*B.GetInsertPoint(), false, Rarely);
  IRBuilder<> InThen(Then);
  InThen.SetCurrentDebugLocation(B.getCurrentDebugLocation());
  Call(InThen);
  Variables.refresh(InThen);
}

static unsigned ofThread(const AccessGroup &Group) {
  return Group.OfThread ? PROPHET_MEMORY_OF_THREAD : 0;
}

/// What the runtime is told of a group: accesses of a kind that lie side by side are one.
Constant *FilterBuilder::describe(const AccessGroup &Group) {
  SmallVector<Access, 4> Told(Group.Members.begin(), Group.Members.end());
  sort(Told, [](const Access &A, const Access &B) {
    return std::tuple(A.Kind, A.Offset, A.Size) < std::tuple(B.Kind, B.Offset, B.Size);
  });
  SmallVector<Access, 4> Merged;
  for (const Access &Next : Told) {
    Access *Last = Merged.empty() ? nullptr : &Merged.back();
    if (Last && Last->Kind == Next.Kind &&
        Next.Offset <= Last->Offset + static_cast<int64_t>(Last->Size))
      Last->Size = std::max<uint64_t>(Last->Size, Next.Offset - Last->Offset + Next.Size);
    else
      Merged.push_back(Next);
  }
  SmallVector<uint32_t, 9> Words{static_cast<uint32_t>(Merged.size())};
  for (const Access &Member : Merged) {
    Words.push_back(static_cast<uint32_t>(Member.Offset));
    Words.push_back(static_cast<uint32_t>(Member.Size) << 8 | Member.Kind | ofThread(Group));
  }
  return Interface.group(Words);
}

/// Is the whole span in one line, wherever the program runs?
static bool isInOneLine(const AccessGroup &Group) {
  auto [Low, High] = spanOf(Group);
  for (const Access &Member : Group.Members) {
    int64_t Align = std::min<uint64_t>(Member.Align, PROPHET_MEMORY_LINE);
    int64_t From = Low - Member.Offset, To = High - 1 - Member.Offset;
    if (From >= 0 ? To < Align : From >= -Align && To < 0)
      return true;
  }
  return false;
}

/// What the runtime is told of a group that is in one line and of one class.
static std::optional<unsigned> describeLine(const AccessGroup &Group) {
  bool Reads = false, Writes = false;
  const unsigned Class = Group.Members.front().Kind / 2;
  for (const Access &Member : Group.Members) {
    if (Member.Kind / 2 != Class)
      return std::nullopt;
    (Member.Kind % 2 ? Writes : Reads) = true;
  }
  if (!isInOneLine(Group))
    return std::nullopt;
  return (2 * Class + (Reads ? Writes * PROPHET_MEMORY_THEN_WRITE : 1)) | ofThread(Group);
}

void FilterBuilder::touchIf(IRBuilder<> &B, Value *Hash, const AccessGroup &Group, Value *Address) {
  std::optional<unsigned> Line = describeLine(Group);
  FunctionCallee Callee = Line ? Interface.Line : Interface.Touch;
  Constant *Description = Line ? ConstantInt::get(Word, *Line) : describe(Group);
  callIf(B, B.CreateICmpULT(Hash, Variables.threshold(B)),
         [&](IRBuilder<> &Then) { callRuntime(Then, Callee, {Address, Description}); });
}

Value *FilterBuilder::moved(IRBuilder<> &B, Value *Address, int64_t Offset) {
  return Offset ? B.CreateAdd(Address, ConstantInt::getSigned(Long, Offset)) : Address;
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

Value *FilterBuilder::spanHash(IRBuilder<> &B, const AccessGroup &Group, Value *Address,
                               Value *Again) {
  auto [Low, High] = spanOf(Group);
  int64_t Front = Group.upwards() ? High - 1 : Low, Rear = Group.upwards() ? Low : High - 1;
  const bool InOneLine = isInOneLine(Group);
  Value *Least = hash(B, InOneLine ? Address : moved(B, Address, Front));
  if (InOneLine)
    return Least;
  for (int64_t Offset = Low + PROPHET_MEMORY_LINE; Offset < High - 1; Offset += PROPHET_MEMORY_LINE)
    Least = B.CreateBinaryIntrinsic(Intrinsic::umin, Least, hash(B, moved(B, Address, Offset)));
  return B.CreateBinaryIntrinsic(Intrinsic::umin, Least,
                                 hashUnless(B, Again, moved(B, Address, Rear)));
}

void FilterBuilder::addFilter(IRBuilder<> &B, const AccessGroup &Group, Value *Address,
                              Value *Again) {
  auto [Low, High] = spanOf(Group);
  // The most lines that so many bytes can be in.
  const int64_t Lines = (High - Low - 2 + PROPHET_MEMORY_LINE) / PROPHET_MEMORY_LINE + 1;
  if (Lines <= 2) {
    touchIf(B, spanHash(B, Group, Address, Again), Group, Address);
    return;
  }
  MDNode *Seldom = MDBuilder(C).createBranchWeights(1, PROPHET_MEMORY_LINE);
  Value *Free = freeLines(B, hash(B, moved(B, Address, Low)));
  Value *MayBe = B.CreateICmpULT(Free, ConstantInt::get(Free->getType(), Lines));
  IRBuilder<> Then(SplitBlockAndInsertIfThen(MayBe, &*B.GetInsertPoint(), false, Seldom));
  Then.SetCurrentDebugLocation(B.getCurrentDebugLocation());
  touchIf(Then, spanHash(Then, Group, Address, Again), Group, Address);
}

} // namespace prophet
