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

bool Team::isWatched() const {
  return any_of(Members, [](const TeamMember &Member) { return Member.step() > 0; });
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
    if (!Start) {
      Others.push_back(&Group);
      continue;
    }
    auto Known = find_if(Teams, [&](const Team &Other) { return Other.jump() == Group.Jump; });
    if (Known == Teams.end())
      Known = Teams.insert(Teams.end(), Team());
    Known->Members.push_back({&Group, Start});
  }
  return Others;
}

namespace {

/// Adds the filters of one.
class TeamAdder {
public:
  TeamAdder(FilterBuilder &F, const Team &Steady)
      : F(F), Jump(Steady.jump()), Left(F.Variables.makeOne()), Span(F.Variables.makeOne()),
        Asked(F.Variables.makeOne()) {
    const AccessGroup &First = *Steady.Members.front().Group;
    Instruction *Before = splitEntry(First);
    for (const TeamMember &Member : Steady.Members) {
      IRBuilder<> Each(Before);
      F.addFilter(Each, *Member.Group, Member.Start, nullptr);
      if (Member.step() > 0)
        Moving.push_back(Member);
    }
    if (Moving.empty())
      return;
    watch(Before);
    countBehind(First.Header, Steady.InIteration);
  }

private:
  /// A member's first byte in an iteration, and its line's hash.
  struct Front {
    Value *Address, *Hash;
  };
  using Fronts = SmallVector<Front, 4>;

  /// The end of a block that runs where the loop is entered, and only there.
  static Instruction *splitEntry(const AccessGroup &Group) {
    auto IsEntry = [&](const BasicBlock *Block) { return Block != Group.Jump->getParent(); };
    BasicBlock *Entry = *find_if(predecessors(Group.Header), IsEntry);
    return SplitEdge(Entry, Group.Header)->getTerminator();
  }

  /// Counts down from `Before`, where the loop begins, and asks at the end of the iterations in
  /// which the count is over.
  void watch(Instruction *Before) {
    Value *One = ConstantInt::get(F.Long, 1), *None = ConstantInt::get(F.Long, 0);
    IRBuilder<> AtStart(Before);
    Value *Free = freeIterations(AtStart, frontsIn(AtStart, None));
    Value *First = AtStart.CreateAdd(Free, One);
    AtStart.CreateStore(First, Left); // the first iteration counts itself
    AtStart.CreateStore(First, Span);
    AtStart.CreateStore(None, Asked);

    IRBuilder<> B(Jump);
    Value *Now = B.CreateSub(B.CreateLoad(F.Long, Left), One);
    B.CreateStore(Now, Left);
    MDNode *Seldom = MDBuilder(F.C).createBranchWeights(1, PROPHET_MEMORY_LINE);
    IRBuilder<> Over(SplitBlockAndInsertIfThen(B.CreateICmpSLT(Now, None), Jump, false, Seldom));
    Value *Passed = Over.CreateLoad(F.Long, Span);
    Value *Iteration = Over.CreateAdd(Over.CreateLoad(F.Long, Asked), Passed);
    Over.CreateStore(Iteration, Asked);
    Fronts Here = frontsIn(Over, Iteration);
    Free = freeIterations(Over, Here);
    Over.CreateStore(Free, Left);
    Over.CreateStore(Over.CreateAdd(Free, One), Span);
    ask(Over, Here, Passed);
  }

  /// Counts what all iterations did, where the loop is left.
  void countBehind(const BasicBlock *Header, const Counts &InIteration) {
    const unsigned Exit = Jump->getSuccessor(0) == Header;
    IRBuilder<> B(SplitEdge(Jump->getParent(), Jump->getSuccessor(Exit))->getTerminator());
    Value *Last = B.CreateAdd(B.CreateLoad(F.Long, Asked), B.CreateLoad(F.Long, Span));
    Value *Iterations = B.CreateSub(Last, B.CreateLoad(F.Long, Left));
    for (unsigned Kind = 0; Kind < PROPHET_MEMORY_COUNTS; ++Kind)
      if (InIteration[Kind])
        F.Variables.count(B, Kind,
                          B.CreateMul(Iterations, ConstantInt::get(F.Long, InIteration[Kind])));
  }

  /// The members' fronts in an iteration, counted from 0.
  Fronts frontsIn(IRBuilder<> &B, Value *Iteration) {
    Fronts Result;
    for (const TeamMember &Member : Moving) {
      Value *Way = B.CreateMul(Iteration, ConstantInt::getSigned(F.Long, Member.Group->Step));
      Value *Address = F.moved(B, B.CreateAdd(Member.Start, Way), Member.front());
      Result.push_back({Address, F.hash(B, Address)});
    }
    return Result;
  }

  /// Bytes of the line ahead of `Address`, for what moves upwards or downwards.
  Value *ahead(IRBuilder<> &B, Value *Address, bool Upwards) {
    return B.CreateAnd(Upwards ? B.CreateNot(Address) : Address, PROPHET_MEMORY_LINE - 1);
  }

  /// In how many iterations after that of `Here` no member comes to a line that may be sampled.
  Value *freeIterations(IRBuilder<> &B, const Fronts &Here) {
    Value *Least = nullptr;
    for (size_t I = 0; I < Moving.size(); ++I) {
      const bool Upwards = Moving[I].Group->upwards();
      Value *Free = B.CreateShl(F.linesAhead(B, Here[I].Hash, Upwards), PROPHET_MEMORY_LINE_SHIFT);
      Value *Bytes = B.CreateAdd(ahead(B, Here[I].Address, Upwards), Free);
      Value *Own = B.CreateUDiv(Bytes, ConstantInt::get(F.Long, Moving[I].step()));
      Least = Least ? B.CreateBinaryIntrinsic(Intrinsic::umin, Least, Own) : Own;
    }
    return Least;
  }

  /// Asks the members that came to new lines in the last `Passed` iterations.
  void ask(IRBuilder<> &B, const Fronts &Here, Value *Passed) {
    SmallVector<Value *, 4> Hashes;
    Value *Least = nullptr;
    for (size_t I = 0; I < Moving.size(); ++I) {
      Hashes.push_back(hashIfNew(B, Moving[I], Here[I], Passed));
      Least = Least ? B.CreateBinaryIntrinsic(Intrinsic::umin, Least, Hashes[I]) : Hashes[I];
    }
    if (Moving.size() == 1)
      return F.touchIf(B, Least, *Moving[0].Group, F.moved(B, Here[0].Address, -Moving[0].front()));
    MDNode *Rarely = MDBuilder(F.C).createBranchWeights(1, 1 << 20);
    Instruction *Then = SplitBlockAndInsertIfThen(B.CreateICmpULT(Least, F.Variables.threshold(B)),
                                                  &*B.GetInsertPoint(), false, Rarely);
    for (size_t I = 0; I < Moving.size(); ++I) {
      IRBuilder<> Each(Then);
      F.touchIf(Each, Hashes[I], *Moving[I].Group,
                F.moved(Each, Here[I].Address, -Moving[I].front()));
    }
  }

  /// The hash of a member's lines, the largest number where it was asked about them before.
  Value *hashIfNew(IRBuilder<> &B, const TeamMember &Member, const Front &Here, Value *Passed) {
    if (Member.step() > PROPHET_MEMORY_LINE) // its rear is in lines where its front never was
      return F.spanHash(B, *Member.Group, F.moved(B, Here.Address, -Member.front()));
    if (Moving.size() == 1 || Member.step() == PROPHET_MEMORY_LINE)
      return Here.Hash;
    Value *Behind = ahead(B, Here.Address, !Member.Group->upwards());
    Value *Way = B.CreateMul(Passed, ConstantInt::get(F.Long, Member.step()));
    return B.CreateSelect(B.CreateICmpULT(Behind, Way), Here.Hash,
                          ConstantInt::getAllOnesValue(F.Word));
  }

  FilterBuilder &F;
  Instruction *Jump;
  /// Iterations that are free, counted down; that and one more, when the count began; and the
  /// number of the iteration that asked last, from 0.
  AllocaInst *Left, *Span, *Asked;
  SmallVector<TeamMember, 4> Moving;
};

} // namespace

void addTeam(FilterBuilder &Builder, const Team &Steady) { TeamAdder(Builder, Steady); }

} // namespace prophet
