//===- AccessClass.cpp - How accesses find their addresses ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/AccessClass.h"

#include "clang-plugin/AddressStep.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <optional>

using namespace llvm;

namespace prophet {
namespace {

/// The vectoriser makes up to as many vectors of an access in one iteration.
const uint64_t MostInterleaved = 8;

/// Steady are steps of up to a line, or of some whole ones, which come to different lines each
/// time.
bool isSteadyStep(const APInt &Step) {
  const APInt Bytes = Step.abs();
  return Bytes.ule(PROPHET_MEMORY_LINE) ||
         (Bytes.ule(4 * PROPHET_MEMORY_LINE) && Bytes.urem(PROPHET_MEMORY_LINE) == 0);
}

/// The instructions that a value is computed of inside a loop (or, without one, the function),
/// through memory: those of the addresses of loads among them, too.
class Slice {
public:
  Slice(Value *Of, const Loop *L, LoopVariables &Variables) : L(L), Variables(Variables) {
    add(Of);
  }

  bool hasLoad() const { return !Loads.empty(); }
  bool reaches(const Value *V) const { return Values.contains(V); }
  const SmallPtrSetImpl<const Value *> &values() const { return Values; }

  /// Is what one of the loads finds part of the address of its next execution?
  bool isChase() {
    for (const Instruction *Load : Loads)
      for (Value *Operand : Load->operands())
        if (isInside(Operand, L) && Slice(Operand, L, Variables).reaches(Load))
          return true;
    return false;
  }

private:
  void add(Value *Of) {
    SmallVector<Value *, 16> Work{Of};
    while (!Work.empty() && Values.size() < MostBehindAddress) {
      Value *V = Work.pop_back_val();
      if (!Values.insert(V).second || !isInside(V, L) || Variables.step(V, L))
        continue;
      auto *I = cast<Instruction>(V);
      if (I->mayReadFromMemory() && !isa<CallBase>(I))
        Loads.push_back(I);
      if (!isa<CallBase>(I) || isa<IntrinsicInst>(I))
        append_range(Work, I->operands());
    }
  }

  const Loop *L;
  LoopVariables &Variables;
  SmallPtrSet<const Value *, 16> Values;
  SmallVector<const Instruction *, 4> Loads;
};

/// A copy of `F` with its variables in registers; null where they are already.
Function *promotedCopy(Function &F, ValueToValueMapTy &Copies) {
  auto IsPromotable = [](const Instruction &I) {
    const auto *Variable = dyn_cast<AllocaInst>(&I);
    return Variable && isAllocaPromotable(Variable);
  };
  bool Jumps = any_of(F, [](const BasicBlock &Block) { return Block.hasAddressTaken(); });
  if (Jumps || none_of(F.getEntryBlock(), IsPromotable))
    return nullptr;
  Function *Copy = CloneFunction(&F, Copies);
  SmallVector<AllocaInst *, 16> Variables;
  for (Instruction &I : Copy->getEntryBlock())
    if (IsPromotable(I))
      Variables.push_back(cast<AllocaInst>(&I));
  DominatorTree Dominators(*Copy);
  PromoteMemToReg(Variables, Dominators);
  return Copy;
}

} // namespace

struct AccessClasses::Analysis {
  ValueToValueMapTy Copies;
  Function *Copy;
  Function &Examined;
  DominatorTree Dominators{Examined};
  LoopInfo Loops{Dominators};
  AssumptionCache Assumptions{Examined};
  TargetLibraryInfoImpl Libraries{Triple(Examined.getParent()->getTargetTriple())};
  TargetLibraryInfo Library{Libraries};
  ScalarEvolution SE{Examined, Library, Assumptions, Dominators, Loops};
  LoopVariables Variables;
  SmallPtrSet<const Argument *, 4> Chased;
  DenseMap<const Loop *, bool> WithCalls;
  DenseMap<const Loop *, Value *> Counts; ///< following()

  explicit Analysis(Function &F) : Copy(promotedCopy(F, Copies)), Examined(Copy ? *Copy : F) {
    findChasedArguments(F);
  }

  ~Analysis() {
    if (Copy)
      Copy->eraseFromParent();
  }

  bool hasCalls(const Loop *L) {
    auto [Entry, IsNew] = WithCalls.try_emplace(L, false);
    if (IsNew)
      Entry->second = any_of(L->blocks(),
                             [](const BasicBlock *Block) { return any_of(*Block, isOutsideCall); });
    return Entry->second;
  }

  /// `AccessGroup::Following` of a loop that is entered by one jump; null where it is not known
  /// cheaply.
  Value *following(Loop *L, Instruction *Entry) {
    auto [Known, IsNew] = Counts.try_emplace(L, nullptr);
    if (IsNew)
      Known->second = expandFollowing(L, Entry);
    return Known->second;
  }

  Value *expandFollowing(Loop *L, Instruction *Entry) {
    const unsigned Budget = 8; // instructions, about
    const DataLayout &Layout = Examined.getParent()->getDataLayout();
    // Another loop, right behind which this one begins, is not to compute it in each iteration.
    if (Loops.getLoopFor(Entry->getParent()) != L->getParentLoop())
      return nullptr;
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    if (isa<SCEVCouldNotCompute>(Count) || SE.getTypeSizeInBits(Count->getType()) > 64)
      return nullptr;
    const TargetTransformInfo Costs(Layout);
    SCEVExpander Expander(SE, Layout, "prophet.following");
    if (!Expander.isSafeToExpandAt(Count, Entry) ||
        Expander.isHighCostExpansion(Count, L, Budget, &Costs, Entry))
      return nullptr;
    Value *Expanded = Expander.expandCodeFor(Count, Count->getType(), Entry);
    return IRBuilder<>(Entry).CreateZExt(Expanded, Type::getInt64Ty(Examined.getContext()));
  }

  /// Arguments for which the function calls itself with what it loads from where they lead.
  void findChasedArguments(Function &F) {
    for (BasicBlock &Block : Examined)
      for (Instruction &I : Block) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!Call || Call->getCalledFunction() != &F)
          continue;
        for (Argument &A : Examined.args()) {
          Slice Passed(Call->getArgOperand(A.getArgNo()), nullptr, Variables);
          if (Passed.hasLoad() && Passed.reaches(&A))
            Chased.insert(&A);
        }
      }
  }

  prophet_memory_class of(Instruction &Access, Value *Pointer, uint64_t Width) {
    for (Loop *L = Loops.getLoopFor(Access.getParent()); L; L = L->getParentLoop()) {
      std::optional<uint64_t> Bytes = 0;
      if (SE.isSCEVable(Pointer->getType()))
        Bytes = AddressStep(SE, Dominators, Variables, *L).of(SE.getSCEV(Pointer));
      else if (isInside(Pointer, L))
        Bytes = std::nullopt;
      if (Bytes && *Bytes == 0)
        continue;
      if (Bytes)
        return *Bytes <= std::max<uint64_t>(PROPHET_MEMORY_LINE, MostInterleaved * Width)
                   ? PROPHET_MEMORY_STREAM
                   : PROPHET_MEMORY_STRIDE;
      Slice Behind(Pointer, L, Variables);
      if (Behind.isChase())
        return PROPHET_MEMORY_CHASE;
      bool Lanes = Pointer->getType()->isVectorTy();
      return Lanes && !Behind.hasLoad() ? PROPHET_MEMORY_STRIDE : PROPHET_MEMORY_INDIRECT;
    }
    Slice Behind(Pointer, nullptr, Variables);
    if (any_of(Chased, [&](const Argument *A) { return Behind.reaches(A); }))
      return PROPHET_MEMORY_CHASE;
    return Behind.hasLoad() ? PROPHET_MEMORY_INDIRECT : PROPHET_MEMORY_STREAM;
  }
};

AccessClasses::AccessClasses(Function &F) : Known(std::make_unique<Analysis>(F)) {}
AccessClasses::~AccessClasses() = default;

/// Where `Pointer`, an operand of `Access`, is in the function that is examined, and for whom.
static std::pair<Instruction *, Value *> examined(ValueToValueMapTy &Copies, Instruction &Access,
                                                  Value *Pointer) {
  auto *Copy = dyn_cast_or_null<Instruction>(Copies.lookup(&Access));
  for (unsigned Operand = 0; Copy && Operand < Access.getNumOperands(); ++Operand)
    if (Access.getOperand(Operand) == Pointer)
      return {Copy, Copy->getOperand(Operand)};
  return {nullptr, nullptr}; // a variable's, which is none in memory there
}

prophet_memory_class AccessClasses::of(Instruction &Access, Value *Pointer, uint64_t Width) {
  if (!Known->Copy)
    return Known->of(Access, Pointer, Width);
  auto [I, Operand] = examined(Known->Copies, Access, Pointer);
  return I ? Known->of(*I, Operand, Width) : PROPHET_MEMORY_STREAM;
}

std::optional<int64_t> AccessClasses::distance(Instruction &First, Value *From, Instruction &Second,
                                               Value *To) {
  if (From == To)
    return 0;
  if (Known->Copy) {
    From = examined(Known->Copies, First, From).second;
    To = examined(Known->Copies, Second, To).second;
  }
  if (!From || !To)
    return std::nullopt;
  ScalarEvolution &SE = Known->SE;
  const auto *Apart = dyn_cast<SCEVConstant>(SE.getMinusSCEV(SE.getSCEV(To), SE.getSCEV(From)));
  if (!Apart)
    return std::nullopt;
  return Apart->getAPInt().getSExtValue();
}

void AccessClasses::findSteady(AccessGroup &Group) {
  if (Known->Copy)
    return;
  const Access &First = Group.Members.front();
  Loop *L = Known->Loops.getLoopFor(First.At->getParent());
  if (!L || Known->hasCalls(L))
    return;
  ScalarEvolution &SE = Known->SE;
  const SCEV *Address = SE.getSCEV(First.Pointer);
  if (!SE.isLoopInvariant(Address, L)) {
    const auto *Add = dyn_cast<SCEVAddRecExpr>(Address);
    if (!Add || Add->getLoop() != L)
      return;
    const auto *By = dyn_cast<SCEVConstant>(Add->getStepRecurrence(SE));
    if (!By || !isSteadyStep(By->getAPInt()))
      return;
    Group.Step = By->getAPInt().getSExtValue();
  }
  for (BasicBlock *Before : predecessors(L->getHeader()))
    if (!L->contains(Before))
      Group.Entries.push_back(Before->getTerminator());
  const auto *Branch = dyn_cast<BranchInst>(L->getHeader()->getTerminator());
  if (L->getNumBlocks() == 1 && Branch && Branch->isConditional()) {
    Group.Header = L->getHeader();
    Group.Jump = Group.Header->getTerminator();
    if (Group.Entries.size() == 1 && isa<BranchInst>(Group.Entries.front()))
      Group.Following = Known->following(L, Group.Entries.front());
  }
}

} // namespace prophet
