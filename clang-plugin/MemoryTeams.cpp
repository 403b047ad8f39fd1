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

/// A member that moves, with its variable: the number, from 0, of the iteration that asks next
/// whether its line is in the sample.
struct Moving : TeamMember {
  AllocaInst *Due;
};

/// Adds the filters of one.
class TeamAdder {
public:
  TeamAdder(FilterBuilder &F, const Team &Steady)
      : F(F), Header(Steady.Members.front().Group->Header), Jump(Steady.jump()),
        Following(Steady.Members.front().Group->Following), Left(F.Variables.makeOne()),
        Iteration(F.Variables.makeOne()) {
    Instruction *Before = splitEntry();
    for (const TeamMember &Member : Steady.Members) {
      IRBuilder<> Each(Before);
      F.addFilter(Each, *Member.Group, Member.Start, nullptr);
      if (Member.step() > 0)
        Members.push_back({Member, F.Variables.makeOne()});
    }
    if (Members.empty())
      return;
    watch(Before);
    countBehind(Steady.InIteration);
  }

private:
  /// A member's first byte in an iteration, and its line's hash.
  struct Front {
    Value *Address, *Hash;
  };

  Constant *number(uint64_t Value) { return ConstantInt::get(F.Long, Value); }

  /// The end of a block that runs where the loop is entered, and only there.
  Instruction *splitEntry() {
    auto IsEntry = [&](const BasicBlock *Block) { return Block != Jump->getParent(); };
    BasicBlock *Entry = *find_if(predecessors(Header), IsEntry);
    return SplitEdge(Entry, Header)->getTerminator();
  }

  /// Counts down from `Before`, where the loop begins, and asks at the end of the iterations in
  /// which the count is over. Where it is known which iteration is the last one, the count is over
  /// there, too, and until then nobody looks whether it is.
  void watch(Instruction *Before) {
    IRBuilder<> AtStart(Before);
    for (const Moving &Member : Members)
      setDue(AtStart, Member, frontIn(AtStart, Member, number(0)), number(0));
    countTo(AtStart, nextDue(AtStart), number(0));

    IRBuilder<> B(Jump);
    Value *Now = B.CreateSub(B.CreateLoad(F.Long, Left), number(1));
    B.CreateStore(Now, Left);
    MDNode *Seldom = MDBuilder(F.C).createBranchWeights(1, PROPHET_MEMORY_LINE);
    Instruction *Over =
        SplitBlockAndInsertIfThen(B.CreateICmpSLT(Now, number(0)), Jump, false, Seldom);
    if (Following) {
      goOnAtOnce(Before, cast<BranchInst>(B.GetInsertBlock()->getTerminator()));
      IRBuilder<> End(Over);
      Value *IsDue = End.CreateICmpULE(End.CreateLoad(F.Long, Iteration), Following);
      Over = SplitBlockAndInsertIfThen(IsDue, Over, false);
    }
    askDue(Over);
  }

  /// Asks the members that are due in this iteration, before `Over`, and counts to the next one in
  /// which some are.
  void askDue(Instruction *Over) {
    IRBuilder<> B(Over);
    Value *Here = B.CreateLoad(F.Long, Iteration);
    for (const Moving &Member : Members) {
      IRBuilder<> Each(Over);
      if (Members.size() > 1) {
        Value *IsDue = Each.CreateICmpEQ(Each.CreateLoad(F.Long, Member.Due), Here);
        Each.SetInsertPoint(SplitBlockAndInsertIfThen(IsDue, Over, false));
      }
      ask(Each, Member, Here);
    }
    B.SetInsertPoint(Over);
    countTo(B, nextDue(B), B.CreateAdd(Here, number(1)));
  }

  /// The next iteration in which some member is due.
  Value *nextDue(IRBuilder<> &B) {
    Value *Next = nullptr;
    for (const Moving &Member : Members) {
      Value *Due = B.CreateLoad(F.Long, Member.Due);
      Next = Next ? B.CreateBinaryIntrinsic(Intrinsic::umin, Next, Due) : Due;
    }
    return Next;
  }

  /// From the iteration `From`, which is next, the count is over in the iteration `To`.
  void countTo(IRBuilder<> &B, Value *To, Value *From) {
    B.CreateStore(To, Iteration);
    Value *End = Following ? B.CreateBinaryIntrinsic(Intrinsic::umin, To, Following) : To;
    B.CreateStore(B.CreateSub(End, From), Left);
  }

  /// Makes two loops of one. The inner one goes on from `Counted`, where the count is not over,
  /// without a look at its own end. The outer one has the loop's jump, behind what is asked, and a
  /// block of its own in front of the inner one, with the same PHI nodes, that `Before` leads to.
  void goOnAtOnce(Instruction *Before, BranchInst *Counted) {
    BasicBlock *Begin = Before->getParent(), *End = Jump->getParent();
    BasicBlock *Again = BasicBlock::Create(F.C, "", Header->getParent(), Header);
    for (PHINode &Phi : Header->phis()) {
      PHINode *Outer = PHINode::Create(Phi.getType(), 2, "", Again);
      Outer->addIncoming(Phi.getIncomingValueForBlock(Begin), Begin);
      Outer->addIncoming(Phi.getIncomingValueForBlock(End), End);
      Phi.setIncomingValueForBlock(Begin, Outer);
      Phi.replaceIncomingBlockWith(Begin, Again);
      Phi.replaceIncomingBlockWith(End, Counted->getParent());
    }
    IRBuilder<>(Again).CreateBr(Header);
    Before->replaceSuccessorWith(Header, Again);
    Jump->replaceSuccessorWith(Header, Again);
    Counted->setSuccessor(1, Header);
    Header = Again;
  }

  /// Counts what all iterations did, where the loop is left.
  void countBehind(const Counts &InIteration) {
    const unsigned Exit = Jump->getSuccessor(0) == Header;
    IRBuilder<> B(SplitEdge(Jump->getParent(), Jump->getSuccessor(Exit))->getTerminator());
    Value *Iterations =
        Following ? B.CreateAdd(Following, number(1))
                  : B.CreateSub(B.CreateLoad(F.Long, Iteration), B.CreateLoad(F.Long, Left));
    for (unsigned Kind = 0; Kind < PROPHET_MEMORY_COUNTS; ++Kind)
      if (InIteration[Kind])
        F.Variables.count(B, Kind, B.CreateMul(Iterations, number(InIteration[Kind])));
  }

  /// A member's front in an iteration.
  Front frontIn(IRBuilder<> &B, const Moving &Member, Value *Here) {
    Value *Way = B.CreateMul(Here, ConstantInt::getSigned(F.Long, Member.Group->Step));
    Value *Address = F.moved(B, B.CreateAdd(Member.Start, Way), Member.front());
    return {Address, F.hash(B, Address)};
  }

  /// Until a member's front comes to a line that may be in the sample, as it does when it has left
  /// its own and those behind that are not, nothing is asked.
  void setDue(IRBuilder<> &B, const Moving &Member, const Front &Its, Value *Here) {
    const bool Upwards = Member.Group->upwards();
    Value *Ahead = B.CreateAnd(Upwards ? B.CreateNot(Its.Address) : Its.Address,
                               number(PROPHET_MEMORY_LINE - 1));
    Value *Free =
        B.CreateShl(F.linesAhead(B, Its.Hash, Upwards), number(PROPHET_MEMORY_LINE_SHIFT));
    Value *Iterations = B.CreateUDiv(B.CreateAdd(Ahead, Free), number(Member.step()));
    B.CreateStore(B.CreateAdd(B.CreateAdd(Here, Iterations), number(1)), Member.Due);
  }

  /// Asks about the line that a member has come to.
  void ask(IRBuilder<> &B, const Moving &Member, Value *Here) {
    const Front Its = frontIn(B, Member, Here);
    setDue(B, Member, Its, Here);
    Value *Address = F.moved(B, Its.Address, -Member.front());
    // Where it moves by more than a line its rear is in lines where its front never was.
    Value *Hash =
        Member.step() > PROPHET_MEMORY_LINE ? F.spanHash(B, *Member.Group, Address) : Its.Hash;
    F.touchIf(B, Hash, *Member.Group, Address);
  }

  FilterBuilder &F;
  BasicBlock *Header; ///< what the jump goes back to
  Instruction *Jump;
  Value *Following;
  /// Iterations until the count is over, and in which some member is due.
  AllocaInst *Left, *Iteration;
  SmallVector<Moving, 4> Members;
};

} // namespace

void addTeam(FilterBuilder &Builder, const Team &Steady) { TeamAdder(Builder, Steady); }

} // namespace prophet
