//===- MemoryFilters.cpp - Code that asks whether a line is sampled -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/MemoryFilters.h"

#include "clang-plugin/MemoryVariables.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <array>

using namespace llvm;

namespace prophet {

namespace {

class FilterAdder {
public:
  FilterAdder(Function &F, MemoryInterface &Interface)
      : F(F), Interface(Interface), C(F.getContext()), Word(Type::getInt32Ty(C)),
        Long(Type::getInt64Ty(C)), Variables(F, Interface) {}

  void run(const FunctionAccesses &Accesses) {
    Variables.make(Accesses);
    countGroups(Accesses);
    MapVector<std::pair<Instruction *, int64_t>, Team> Teams;
    for (const AccessGroup &Group : Accesses.Groups)
      if (Variables.inRegisters() && Group.Jump && Group.Step &&
          PROPHET_MEMORY_LINE % Group.Step == 0)
        Teams[{Group.Jump, Group.Step}].push_back(&Group);
      else
        add(Group);
    for (const auto &[Place, Groups] : Teams)
      Groups.size() > 1 ? addTeam(Groups) : add(*Groups.front());
    for (const LaneAccess &Lanes : Accesses.Lanes)
      add(Lanes);
    for (const RangeAccess &Range : Accesses.Ranges)
      add(Range);
    Variables.promote();
  }

private:
  /// Groups that move at the same pace through a loop of one block: when one has come to a new
  /// line, each has come to one since that was so last.
  using Team = SmallVector<const AccessGroup *, 4>;

  /// The hashes of addresses, in one or in a vector.
  Value *hash(IRBuilder<> &B, Value *Address) {
    Type *Result = Address->getType()->getWithNewBitWidth(32);
    Value *Line = B.CreateTrunc(B.CreateLShr(Address, PROPHET_MEMORY_LINE_SHIFT), Result);
    return B.CreateMul(Line, ConstantInt::get(Result, PROPHET_MEMORY_HASH));
  }

  /// The code that runs where `Sampled`.
  void callIf(IRBuilder<> &B, Value *Sampled, function_ref<void(IRBuilder<> &)> Call) {
    MDNode *Rarely = MDBuilder(C).createBranchWeights(1, 1 << 20);
    Instruction *Then = SplitBlockAndInsertIfThen(Sampled, &*B.GetInsertPoint(), false, Rarely);
    IRBuilder<> InThen(Then);
    InThen.SetCurrentDebugLocation(B.getCurrentDebugLocation());
    Call(InThen);
    Variables.refresh(InThen);
  }

  void callKeepingRegisters(IRBuilder<> &B, FunctionCallee Callee, ArrayRef<Value *> Arguments) {
    CallInst *Call = B.CreateCall(Callee, Arguments);
    Call->setCallingConv(Interface.KeepingRegisters);
    Call->setDoesNotThrow();
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

  /// One addition for each segment and kind.
  void countGroups(const FunctionAccesses &Accesses) {
    for (size_t At = 0; At < Accesses.Groups.size();) {
      const AccessGroup &First = Accesses.Groups[At];
      std::array<unsigned, PROPHET_MEMORY_KINDS> Number = {};
      for (; At < Accesses.Groups.size() && Accesses.Groups[At].Segment == First.Segment; ++At)
        for (const Access &Member : Accesses.Groups[At].Members)
          ++Number[Member.Kind];
      IRBuilder<> B(First.Members.front().At);
      for (unsigned Kind = 0; Kind < PROPHET_MEMORY_KINDS; ++Kind)
        if (Number[Kind])
          Variables.count(B, Kind, ConstantInt::get(Long, Number[Kind]));
    }
  }

  Constant *describe(const AccessGroup &Group) {
    SmallVector<uint32_t, 9> Words{static_cast<uint32_t>(Group.Members.size())};
    for (const Access &Member : Group.Members) {
      Words.push_back(static_cast<uint32_t>(Member.Offset));
      Words.push_back(static_cast<uint32_t>(Member.Size) << 8 | Member.Kind);
    }
    return Interface.group(Words);
  }

  Value *moved(IRBuilder<> &B, Value *Address, int64_t Offset) {
    return Offset ? B.CreateAdd(Address, ConstantInt::getSigned(Long, Offset)) : Address;
  }

  void add(const AccessGroup &Group) {
    IRBuilder<> B(Group.Members.front().At);
    Value *Address = B.CreatePtrToInt(Group.Members.front().Pointer, Long);
    if (Variables.inRegisters() && Group.isSteady())
      addSteady(B, Group, Address);
    else
      addFilter(B, Group, Address, nullptr);
  }

  /// The hash of an address, or the largest number where `Unwanted`.
  Value *hashUnless(IRBuilder<> &B, Value *Unwanted, Value *Address) {
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

  /// The filter; where `Again` is true the span's rear was asked about before.
  void addFilter(IRBuilder<> &B, const AccessGroup &Group, Value *Address, Value *Again) {
    auto [Low, High] = spanOf(Group);
    int64_t Front = Group.upwards() ? High - 1 : Low, Rear = Group.upwards() ? Low : High - 1;
    Value *Least = hash(B, moved(B, Address, Front));
    if (!isInOneLine(Group, Low, High)) {
      for (int64_t Offset = Low + PROPHET_MEMORY_LINE; Offset < High - 1;
           Offset += PROPHET_MEMORY_LINE)
        Least = B.CreateBinaryIntrinsic(Intrinsic::umin, Least, hash(B, moved(B, Address, Offset)));
      Least = B.CreateBinaryIntrinsic(Intrinsic::umin, Least,
                                      hashUnless(B, Again, moved(B, Address, Rear)));
    }
    Constant *Description = describe(Group);
    callIf(B, B.CreateICmpULT(Least, Variables.threshold(B)), [&](IRBuilder<> &Then) {
      callKeepingRegisters(Then, Interface.Touch, {Address, Description});
    });
  }

  /// The variable of a loop that is no line at its beginning, and then the end of those reached.
  AllocaInst *makeReached(const AccessGroup &Group) {
    AllocaInst *Reached = Variables.makeOne();
    for (Instruction *Jump : Group.Entries)
      IRBuilder<>(Jump).CreateStore(noneReached(Group), Reached);
    return Reached;
  }

  Constant *noneReached(const AccessGroup &Group) {
    return Group.upwards() ? Constant::getNullValue(Long) : Constant::getAllOnesValue(Long);
  }

  /// Code that runs where the group comes to a line that it was not in before; with whether it is
  /// the first in the loop.
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
    New.CreateStore(Line, Reached);
    Add(New, New.CreateICmpEQ(Before, noneReached(Group)));
  }

  void addSteady(IRBuilder<> &B, const AccessGroup &Group, Value *Address) {
    whenNew(B, Group, Address, [&](IRBuilder<> &New, Value *First) {
      addFilter(New, Group, Address, New.CreateNot(First));
    });
  }

  Value *frontHash(IRBuilder<> &B, const AccessGroup &Group, Value *Address) {
    auto [Low, High] = spanOf(Group);
    return hash(B, moved(B, Address, Group.upwards() ? High - 1 : Low));
  }

  /// Behind the accesses, where all addresses are known; and behind the loop for lines that some
  /// have come to after the last time the first one did.
  void addTeam(const Team &Groups) {
    Instruction *Jump = Groups.front()->Jump;
    IRBuilder<> B(Jump);
    SmallVector<Value *, 4> Addresses;
    for (const AccessGroup *Group : Groups)
      Addresses.push_back(B.CreatePtrToInt(Group->Members.front().Pointer, Long));
    whenNew(B, *Groups.front(), Addresses.front(), [&](IRBuilder<> &New, Value *First) {
      Value *Least = frontHash(New, *Groups.front(), Addresses.front());
      for (size_t I = 1; I < Groups.size(); ++I)
        Least = New.CreateBinaryIntrinsic(Intrinsic::umin, Least,
                                          frontHash(New, *Groups[I], Addresses[I]));
      Value *Sampled = New.CreateICmpULT(Least, Variables.threshold(New));
      MDNode *Rarely = MDBuilder(C).createBranchWeights(1, 1 << 20);
      Instruction *Then = SplitBlockAndInsertIfThen(New.CreateOr(Sampled, First),
                                                    &*New.GetInsertPoint(), false, Rarely);
      for (size_t I = 0; I < Groups.size(); ++I) {
        IRBuilder<> Each(Then);
        addFilter(Each, *Groups[I], Addresses[I], nullptr);
      }
    });
    BasicBlock *Loop = Jump->getParent();
    bool ExitIsFirst = Jump->getSuccessor(0) != Groups.front()->Header;
    Instruction *Behind = SplitEdge(Loop, Jump->getSuccessor(ExitIsFirst ? 0 : 1))->getTerminator();
    for (size_t I = 0; I < Groups.size(); ++I) {
      IRBuilder<> Each(Behind);
      Value *Sampled =
          Each.CreateICmpULT(frontHash(Each, *Groups[I], Addresses[I]), Variables.threshold(Each));
      Constant *Description = describe(*Groups[I]);
      callIf(Each, Sampled, [&](IRBuilder<> &Call) {
        callKeepingRegisters(Call, Interface.Touch, {Addresses[I], Description});
      });
    }
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

  void add(const LaneAccess &Lanes) {
    IRBuilder<> B(Lanes.At);
    auto *Vector = FixedVectorType::get(Long, Lanes.Lanes);
    Value *Bits = B.CreateZExt(B.CreateBitCast(Lanes.Mask, Type::getIntNTy(C, Lanes.Lanes)), Long);
    Variables.count(B, Lanes.Kind, B.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits));
    Value *Addresses = laneAddresses(B, Lanes);
    Value *Below = B.CreateICmpULT(hash(B, Addresses),
                                   B.CreateVectorSplat(Lanes.Lanes, Variables.threshold(B)));
    Value *Sampled = B.CreateOrReduce(B.CreateAnd(Below, Lanes.Mask));
    IRBuilder<> Entry(&*F.getEntryBlock().begin());
    AllocaInst *Room = Entry.CreateAlloca(Vector);
    uint32_t Words[] = {1, 0, static_cast<uint32_t>(Lanes.LaneSize) << 8 | Lanes.Kind};
    Value *Words0 = Interface.group(Words);
    callIf(B, Sampled, [&](IRBuilder<> &Then) {
      Then.CreateStore(Addresses, Room);
      callKeepingRegisters(Then, Interface.Lanes, {Room, Bits, Words0});
    });
  }

  void add(const RangeAccess &Range) {
    IRBuilder<> B(Range.At);
    Value *Address = B.CreatePtrToInt(Range.Pointer, Long);
    Value *Size = B.CreateZExtOrTrunc(Range.Size, Long);
    callIf(B, B.CreateICmpNE(Variables.threshold(B), ConstantInt::get(Word, 0)),
           [&](IRBuilder<> &Then) {
             Then.CreateCall(Interface.Range, {Address, Size, ConstantInt::get(Word, Range.Kind)})
                 ->setDoesNotThrow();
           });
  }

  Function &F;
  MemoryInterface &Interface;
  LLVMContext &C;
  Type *Word, *Long;
  MemoryVariables Variables;
};

} // namespace

void addFilters(Function &F, const FunctionAccesses &Accesses, MemoryInterface &Interface) {
  FilterAdder(F, Interface).run(Accesses);
}

} // namespace prophet
