//===- MemoryTeams.cpp - Filters of accesses that move together -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/MemoryTeams.h"

#include "clang-plugin/FirstIteration.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace prophet {

int64_t TeamMember::front() const {
  auto [Low, High] = spanOf(*Group);
  return Group->upwards() ? High - 1 : Low;
}

static Value *startOf(FilterBuilder &Builder, const AccessGroup &Group) {
  if (!Builder.Variables.inRegisters() || !Group.Jump || Group.Entries.size() != 1)
    return nullptr;
  Instruction *Entry = Group.Entries.front();
  if (!isa<BranchInst>(Entry) && !isa<SwitchInst>(Entry)) // others may be what a value comes from
    return nullptr;
  Value *Start = inFirstIteration(Group.Members.front().Pointer, Group.Header, Entry);
  return Start ? IRBuilder<>(Entry).CreatePtrToInt(Start, Builder.Long) : nullptr;
}

std::vector<const AccessGroup *> findTeams(FilterBuilder &Builder, const FunctionAccesses &Accesses,
                                           std::vector<Team> &Teams) {
  std::vector<const AccessGroup *> Others;
  for (const AccessGroup &Group : Accesses.Groups) {
    Value *Start = startOf(Builder, Group);
    auto IsPart = [](int64_t Step) { return Step && PROPHET_MEMORY_LINE % Step == 0; };
    auto Known = find_if(Teams, [&](const Team &Other) {
      const AccessGroup &Lead = *Other.front().Group;
      return Lead.Jump == Group.Jump && Lead.upwards() == Group.upwards() && IsPart(Lead.Step) &&
             IsPart(Group.Step);
    });
    if (!Start)
      Others.push_back(&Group);
    else if (Known == Teams.end())
      Teams.push_back({{&Group, Start}});
    else if (TeamMember New = {&Group, Start}; New.step() > Known->front().step())
      Known->insert(Known->begin(), New);
    else
      Known->push_back(New);
  }
  return Others;
}

namespace {

/// Adds the filters of one.
class TeamAdder {
public:
  TeamAdder(FilterBuilder &F, const Team &Steady) : F(F), Steady(Steady) {}

  void run() {
    const AccessGroup &Lead = *Steady.front().Group;
    const bool Upwards = Lead.upwards();
    SmallVector<Value *, 4> Distances = distancesOf();
    AllocaInst *Left = F.Variables.makeOne(), *End = F.Variables.makeOne();
    Instruction *Before = splitEntry(Lead);
    for (const TeamMember &Member : Steady) {
      IRBuilder<> Each(Before);
      F.addFilter(Each, *Member.Group, Member.Start, nullptr);
    }
    IRBuilder<> AtStart(Before);
    Value *Start = F.moved(AtStart, Steady.front().Start, Steady.front().front());
    Value *Step = ConstantInt::get(F.Long, Steady.front().step());
    goOn(AtStart, Start, Upwards, Left, End);
    AtStart.CreateStore(AtStart.CreateAdd(AtStart.CreateLoad(F.Long, Left), Step), Left);

    IRBuilder<> B(Lead.Jump);
    Value *Now = B.CreateSub(B.CreateLoad(F.Long, Left), Step);
    B.CreateStore(Now, Left);
    MDNode *Seldom = MDBuilder(F.C).createBranchWeights(1, PROPHET_MEMORY_LINE);
    IRBuilder<> New(SplitBlockAndInsertIfThen(B.CreateICmpSLT(Now, ConstantInt::get(F.Long, 0)),
                                              Lead.Jump, false, Seldom));
    Value *Front = moveBy(New, New.CreateLoad(F.Long, End), Now, !Upwards);
    goOn(New, Front, Upwards, Left, End);
    askTeam(New, Front, Distances);
    if (Steady.size() > 1)
      askBehind(Left, End, Distances);
  }

private:
  /// Bytes of the line ahead of `Front`, for a group that moves upwards or downwards.
  Value *ahead(IRBuilder<> &B, Value *Front, bool Upwards) {
    return B.CreateAnd(Upwards ? B.CreateNot(Front) : Front, PROPHET_MEMORY_LINE - 1);
  }

  Value *moveBy(IRBuilder<> &B, Value *From, Value *Distance, bool Upwards) {
    return Upwards ? B.CreateAdd(From, Distance) : B.CreateSub(From, Distance);
  }

  /// Where the groups are from where the first one's front is: each one's front.
  SmallVector<Value *, 4> distancesOf() {
    IRBuilder<> B(Steady.front().Group->Entries.front());
    SmallVector<Value *, 4> Distances;
    Value *Lead = F.moved(B, Steady.front().Start, Steady.front().front());
    for (const TeamMember &Member : Steady)
      Distances.push_back(B.CreateSub(F.moved(B, Member.Start, Member.front()), Lead));
    return Distances;
  }

  /// The end of a block that runs where the loop is entered, and only there.
  static Instruction *splitEntry(const AccessGroup &Group) {
    auto IsEntry = [&](const BasicBlock *Block) { return Block != Group.Jump->getParent(); };
    BasicBlock *Entry = *find_if(predecessors(Group.Header), IsEntry);
    return SplitEdge(Entry, Group.Header)->getTerminator();
  }

  /// Sets what is left of the line that `Front` has come to, and where that ends.
  void goOn(IRBuilder<> &B, Value *Front, bool Upwards, AllocaInst *Left, AllocaInst *End) {
    Value *Ahead = ahead(B, Front, Upwards);
    B.CreateStore(Ahead, Left);
    B.CreateStore(moveBy(B, Front, Ahead, Upwards), End);
  }

  /// The hash of a member's front, or the largest number where it has not come to a new line while
  /// the first one of the team went through one.
  Value *frontHash(IRBuilder<> &B, const TeamMember &Member, Value *Front) {
    Value *Hash = F.hash(B, Front);
    if (Member.step() == Steady.front().step())
      return Hash;
    Value *Behind = ahead(B, Front, !Member.Group->upwards());
    int64_t Moved = PROPHET_MEMORY_LINE / Steady.front().step() * Member.step();
    return B.CreateSelect(B.CreateICmpULT(Behind, ConstantInt::get(F.Long, Moved)), Hash,
                          ConstantInt::getAllOnesValue(F.Word));
  }

  /// The members that have come to a sampled line.
  void askTeam(IRBuilder<> &B, Value *Front, ArrayRef<Value *> Distances) {
    SmallVector<Value *, 4> Fronts, Hashes;
    Value *Least = nullptr;
    for (size_t I = 0; I < Steady.size(); ++I) {
      Fronts.push_back(B.CreateAdd(Front, Distances[I]));
      Hashes.push_back(frontHash(B, Steady[I], Fronts[I]));
      Least = I ? B.CreateBinaryIntrinsic(Intrinsic::umin, Least, Hashes[I]) : Hashes[I];
    }
    if (Steady.size() == 1)
      return F.touchIf(B, Least, *Steady.front().Group, F.moved(B, Front, -Steady.front().front()));
    MDNode *Rarely = MDBuilder(F.C).createBranchWeights(1, 1 << 20);
    Instruction *Then = SplitBlockAndInsertIfThen(B.CreateICmpULT(Least, F.Variables.threshold(B)),
                                                  &*B.GetInsertPoint(), false, Rarely);
    for (size_t I = 0; I < Steady.size(); ++I) {
      IRBuilder<> Each(Then);
      F.touchIf(Each, Hashes[I], *Steady[I].Group, F.moved(Each, Fronts[I], -Steady[I].front()));
    }
  }

  /// Behind the loop, for lines that others have come to after the last time the first one did.
  void askBehind(AllocaInst *Left, AllocaInst *End, ArrayRef<Value *> Distances) {
    const AccessGroup &Lead = *Steady.front().Group;
    bool ExitIsFirst = Lead.Jump->getSuccessor(0) != Lead.Header;
    Instruction *Behind =
        SplitEdge(Lead.Jump->getParent(), Lead.Jump->getSuccessor(ExitIsFirst ? 0 : 1))
            ->getTerminator();
    IRBuilder<> B(Behind);
    Value *Front =
        moveBy(B, B.CreateLoad(F.Long, End), B.CreateLoad(F.Long, Left), !Lead.upwards());
    for (size_t I = 1; I < Steady.size(); ++I) {
      IRBuilder<> Each(Behind);
      Value *Own = Each.CreateAdd(Front, Distances[I]);
      F.touchIf(Each, frontHash(Each, Steady[I], Own), *Steady[I].Group,
                F.moved(Each, Own, -Steady[I].front()));
    }
  }

  FilterBuilder &F;
  const Team &Steady;
};

} // namespace

void addTeam(FilterBuilder &Builder, const Team &Steady) { TeamAdder(Builder, Steady).run(); }

} // namespace prophet
