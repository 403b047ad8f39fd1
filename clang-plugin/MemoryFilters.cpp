//===- MemoryFilters.cpp - Code that asks whether a line is sampled -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/MemoryFilters.h"

#include "clang-plugin/MemoryTeams.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace prophet {

namespace {

class FilterAdder : FilterBuilder {
public:
  FilterAdder(Function &F, const FunctionAccesses &Accesses, MemoryInterface &Interface)
      : FilterBuilder(F, Accesses, Interface), F(F), Accesses(Accesses) {}

  void run() {
    Variables.make(Accesses);
    std::vector<Team> Teams;
    std::vector<const AccessGroup *> Others = findTeams(*this, Accesses, Teams);
    for (Team &Steady : Teams)
      if (Steady.isWatched())
        Watched[Steady.jump()->getParent()] = &Steady;
    countGroups();
    for (const Operations &Some : Accesses.Operations) {
      Counts Number{};
      Number[PROPHET_MEMORY_FLOPS] = Some.Flops;
      Number[PROPHET_MEMORY_INSTRUCTIONS] = Some.Instructions;
      count(*Some.At, Number);
    }
    for (const Recurrence &Each : Accesses.Recurrences) {
      Counts Number{};
      Number[PROPHET_MEMORY_CHAINED] = Each.Length;
      count(*Each.At, Number);
    }
    for (const AccessGroup *Group : Others)
      add(*Group);
    for (const Team &Steady : Teams)
      addTeam(*this, Steady);
    for (const LaneAccess &Lanes : Accesses.Lanes)
      add(Lanes);
    for (const RangeAccess &Range : Accesses.Ranges)
      add(Range);
    Variables.promote();
  }

private:
  /// One addition for each segment and kind.
  void countGroups() {
    for (size_t At = 0; At < Accesses.Groups.size();) {
      const AccessGroup &First = Accesses.Groups[At];
      Counts Number{};
      for (; At < Accesses.Groups.size() && Accesses.Groups[At].Segment == First.Segment; ++At)
        for (const Access &Member : Accesses.Groups[At].Members)
          if (Member.Size <= PROPHET_MEMORY_LINE)
            ++Number[Member.Kind];
          else
            countLines(Member);
      count(*First.Members.front().At, Number);
    }
  }

  /// An access that is longer than a line is one to each of its lines.
  void countLines(const Access &Large) {
    IRBuilder<> B(Large.At);
    Value *First = B.CreatePtrToInt(Large.Pointer, Long);
    Value *Last = moved(B, First, static_cast<int64_t>(Large.Size) - 1);
    Value *Behind = B.CreateSub(B.CreateLShr(Last, PROPHET_MEMORY_LINE_SHIFT),
                                B.CreateLShr(First, PROPHET_MEMORY_LINE_SHIFT));
    Variables.count(B, Large.Kind, B.CreateAdd(Behind, ConstantInt::get(Long, 1)));
  }

  /// Counts what happens each time that `At` runs, there or behind the loop.
  void count(Instruction &At, const Counts &Number) {
    Team *Steady = Watched.lookup(At.getParent());
    IRBuilder<> B(&At);
    for (unsigned Kind = 0; Kind < PROPHET_MEMORY_COUNTS; ++Kind)
      if (Number[Kind] && Steady)
        Steady->InIteration[Kind] += Number[Kind];
      else if (Number[Kind])
        Variables.count(B, Kind, ConstantInt::get(Long, Number[Kind]));
  }

  void add(const AccessGroup &Group) {
    IRBuilder<> B(Group.Members.front().At);
    Value *Address = B.CreatePtrToInt(Group.Members.front().Pointer, Long);
    if (Variables.inRegisters() && Group.isSteady() && std::abs(Group.Step) <= PROPHET_MEMORY_LINE)
      addSteady(B, Group, Address);
    else
      addFilter(B, Group, Address, nullptr);
  }

  /// The variable of a loop that is no line at its beginning, and then the end of those reached
  /// and of those behind them that are in no sample.
  AllocaInst *makeReached(const AccessGroup &Group) {
    AllocaInst *Reached = Variables.makeOne();
    for (Instruction *Jump : Group.Entries)
      IRBuilder<>(Jump).CreateStore(noneReached(Group), Reached);
    return Reached;
  }

  Constant *noneReached(const AccessGroup &Group) {
    return Group.upwards() ? Constant::getNullValue(Long) : Constant::getAllOnesValue(Long);
  }

  /// Code that runs where the group comes to a line that it was not in before and that may be in
  /// the sample; with whether it is the first in the loop.
  void whenNew(IRBuilder<> &B, const AccessGroup &Group, Value *Address,
               function_ref<void(IRBuilder<> &, Value *)> Add) {
    AllocaInst *Reached = makeReached(Group);
    auto [Low, High] = spanOf(Group);
    Value *Edge = moved(B, Address, Group.upwards() ? High : Low);
    Value *Before = B.CreateLoad(Long, Reached);
    Value *IsNew = Group.upwards() ? B.CreateICmpUGT(Edge, Before) : B.CreateICmpULT(Edge, Before);
    MDNode *Seldom = MDBuilder(C).createBranchWeights(1, PROPHET_MEMORY_LINE);
    IRBuilder<> New(SplitBlockAndInsertIfThen(IsNew, &*B.GetInsertPoint(), false, Seldom));
    Value *Line = New.CreateAnd(Group.upwards() ? moved(New, Edge, PROPHET_MEMORY_LINE - 1) : Edge,
                                ConstantInt::getSigned(Long, -PROPHET_MEMORY_LINE));
    Value *Front = Group.upwards() ? moved(New, Edge, -1) : Edge;
    Value *Free = New.CreateShl(linesAhead(New, hash(New, Front), Group.upwards()),
                                PROPHET_MEMORY_LINE_SHIFT);
    New.CreateStore(Group.upwards() ? New.CreateAdd(Line, Free) : New.CreateSub(Line, Free),
                    Reached);
    Add(New, New.CreateICmpEQ(Before, noneReached(Group)));
  }

  void addSteady(IRBuilder<> &B, const AccessGroup &Group, Value *Address) {
    whenNew(B, Group, Address, [&](IRBuilder<> &New, Value *First) {
      addFilter(New, Group, Address, New.CreateNot(First));
    });
  }

  /// The addresses of lanes, which lie side by side where there is one address.
  Value *laneAddresses(IRBuilder<> &B, const LaneAccess &Lanes) {
    if (Lanes.Pointer->getType()->isVectorTy())
      return B.CreatePtrToInt(Lanes.Pointer, FixedVectorType::get(Long, Lanes.Lanes));
    SmallVector<Constant *, 16> Offsets;
    for (unsigned Lane = 0; Lane < Lanes.Lanes; ++Lane)
      Offsets.push_back(ConstantInt::get(Long, Lane * Lanes.LaneSize));
    Value *Address = B.CreatePtrToInt(Lanes.Pointer, Long);
    return B.CreateAdd(B.CreateVectorSplat(Lanes.Lanes, Address), ConstantVector::get(Offsets));
  }

  /// A mask as a number whose lowest bit is the first lane's.
  Value *maskBits(IRBuilder<> &B, Value *Mask, unsigned Lanes) {
    Value *Bits = B.CreateBitCast(Mask, Type::getIntNTy(C, Lanes));
    if (F.getParent()->getDataLayout().isBigEndian())
      Bits = B.CreateUnaryIntrinsic(Intrinsic::bitreverse, Bits);
    return B.CreateZExt(Bits, Long);
  }

  /// The mask of so many first lanes.
  Value *firstLanes(IRBuilder<> &B, Value *Number, unsigned Lanes) {
    SmallVector<Constant *, 16> Numbers;
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Numbers.push_back(ConstantInt::get(Long, Lane));
    return B.CreateICmpULT(ConstantVector::get(Numbers), B.CreateVectorSplat(Lanes, Number));
  }

  void add(const LaneAccess &Lanes) {
    IRBuilder<> B(Lanes.At);
    auto *Vector = FixedVectorType::get(Long, Lanes.Lanes);
    Value *Bits = maskBits(B, Lanes.Mask, Lanes.Lanes);
    Value *Number = B.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits);
    Variables.count(B, Lanes.Kind, Number);
    Value *Mask = Lanes.Mask;
    if (Lanes.Packed) {
      Mask = firstLanes(B, Number, Lanes.Lanes);
      Bits = maskBits(B, Mask, Lanes.Lanes);
    }
    Value *Addresses = laneAddresses(B, Lanes);
    Value *Below = B.CreateICmpULT(hash(B, Addresses),
                                   B.CreateVectorSplat(Lanes.Lanes, Variables.threshold(B)));
    // Addresses of lanes that are masked out may be poison, which an `and` would spread.
    Value *Sampled = B.CreateOrReduce(B.CreateLogicalAnd(Mask, Below));
    IRBuilder<> Entry(&*F.getEntryBlock().begin());
    AllocaInst *Room = Entry.CreateAlloca(Vector);
    const unsigned Kind = Lanes.Kind | (Lanes.OfThread ? PROPHET_MEMORY_OF_THREAD : 0);
    uint32_t Words[] = {1, 0, static_cast<uint32_t>(Lanes.LaneSize) << 8 | Kind};
    Value *Words0 = Interface.group(Words);
    callIf(B, Sampled, [&](IRBuilder<> &Then) {
      Then.CreateStore(Addresses, Room);
      callRuntime(Then, Interface.Lanes, {Room, Bits, Words0});
    });
  }

  void add(const RangeAccess &Range) {
    IRBuilder<> B(Range.At);
    Value *Address = B.CreatePtrToInt(Range.Pointer, Long);
    Value *Size = B.CreateZExtOrTrunc(Range.Size, Long);
    const unsigned Kind = Range.Kind | (Range.OfThread ? PROPHET_MEMORY_OF_THREAD : 0);
    callIf(B, B.CreateICmpNE(Variables.threshold(B), ConstantInt::get(Word, 0)),
           [&](IRBuilder<> &Then) {
             Then.CreateCall(Interface.Range, {Address, Size, ConstantInt::get(Word, Kind)})
                 ->setDoesNotThrow();
           });
  }

  Function &F;
  const FunctionAccesses &Accesses;
  DenseMap<const BasicBlock *, Team *> Watched; ///< by the block of their loop
};

} // namespace

void addFilters(Function &F, const FunctionAccesses &Accesses, MemoryInterface &Interface) {
  FilterAdder(F, Accesses, Interface).run();
}

} // namespace prophet
