//===- AddressStep.cpp - How far addresses move in an iteration -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/AddressStep.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>

using namespace llvm;

namespace prophet {
namespace {

constexpr uint64_t Far = 1 << 30;

uint64_t sizeOf(const SCEVConstant &Constant) {
  return std::min(Constant.getAPInt().abs().getLimitedValue(), Far);
}

/// What is taken off `Times * From`, so that a remainder is left.
struct Taken {
  APInt Times;
  const SCEV *From;
};

/// Of a product `-k * B * (A / B)`, with constant k: k and A.
std::optional<Taken> takenOff(ScalarEvolution &SE, const SCEVMulExpr &Product) {
  const auto *Found =
      find_if(Product.operands(), [](const SCEV *Factor) { return isa<SCEVUDivExpr>(Factor); });
  if (Found == Product.operands().end())
    return std::nullopt;
  const auto *Quotient = cast<SCEVUDivExpr>(*Found);
  const SCEV *By = Quotient->getRHS();
  APInt Times(SE.getTypeSizeInBits(Product.getType()), 1);
  bool HasDivisor = false;
  for (const SCEV *Factor : Product.operands()) {
    if (Factor == By && !isa<SCEVConstant>(Factor) && !HasDivisor)
      HasDivisor = true;
    else if (const auto *Constant = dyn_cast<SCEVConstant>(Factor))
      Times = Constant->getAPInt();
    else if (Factor != Quotient)
      return std::nullopt;
  }
  if (const auto *Divisor = dyn_cast<SCEVConstant>(By)) {
    if (Times.srem(Divisor->getAPInt()) != 0)
      return std::nullopt;
    Times = Times.sdiv(Divisor->getAPInt());
    HasDivisor = true;
  }
  return HasDivisor ? std::optional(Taken{-Times, Quotient->getLHS()}) : std::nullopt;
}

} // namespace

bool isInside(const Value *V, const Loop *L) {
  const auto *I = dyn_cast<Instruction>(V);
  return I && (!L || L->contains(I));
}

bool isFixedLoad(const Value *V, const Loop *L) {
  const auto *Load = dyn_cast<LoadInst>(V);
  if (!Load)
    return false;
  const Value *From = Load->getPointerOperand()->stripInBoundsConstantOffsets();
  return L ? !isInside(From, L) : isa<GlobalVariable>(From) || isa<AllocaInst>(From);
}

std::optional<uint64_t> AddressStep::of(const SCEV *S) {
  if (const auto *Unknown = dyn_cast<SCEVUnknown>(S))
    return ofValue(Unknown->getValue());
  if (SE.isLoopInvariant(S, &L))
    return 0;
  if (const auto *Add = dyn_cast<SCEVAddRecExpr>(S))
    return ofCounter(Add);
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(S))
    return of(Cast->getOperand());
  if (const auto *Divide = dyn_cast<SCEVUDivExpr>(S))
    return of(Divide->getLHS());
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(S))
    if (const auto Remainder = ofRemainder(Sum))
      return Remainder;
  if (const auto *Parts = dyn_cast<SCEVNAryExpr>(S))
    return ofParts(Parts);
  return std::nullopt;
}

std::optional<uint64_t> AddressStep::ofValue(Value *V) {
  if (!isInside(V, &L) || isFixedLoad(V, &L))
    return 0;
  if (Looked >= MostBehindAddress)
    return std::nullopt;
  ++Looked;
  if (auto *Choice = dyn_cast<SelectInst>(V))
    return ofSelect(*Choice);
  if (auto *Merge = dyn_cast<PHINode>(V))
    return ofMerge(*Merge);
  const bool Divides = isa<BinaryOperator>(V) && cast<BinaryOperator>(V)->isIntDivRem();
  auto *Division = Divides ? cast<BinaryOperator>(V) : nullptr;
  if (Division && !isInside(Division->getOperand(1), &L))
    return ofOperand(Division->getOperand(0));
  return std::nullopt;
}

std::optional<uint64_t> AddressStep::ofOperand(Value *V) {
  return SE.isSCEVable(V->getType()) ? of(SE.getSCEV(V)) : std::nullopt;
}

/// Do no data decide it?
bool AddressStep::isOfCounters(Value *Condition) {
  if (!isInside(Condition, &L))
    return true;
  if (Looked >= MostBehindAddress)
    return false;
  ++Looked;
  auto *Decides = cast<Instruction>(Condition);
  if (isa<ICmpInst>(Decides))
    return ofOperand(Decides->getOperand(0)) && ofOperand(Decides->getOperand(1));
  const bool IsLogical = isa<SelectInst>(Decides) || Decides->isBitwiseLogicOp();
  return IsLogical && all_of(Decides->operands(), [&](Value *Part) { return isOfCounters(Part); });
}

/// It moves as the value that moves further.
std::optional<uint64_t> AddressStep::ofSelect(SelectInst &Choice) {
  if (!isOfCounters(Choice.getCondition()))
    return std::nullopt;
  const auto One = ofOperand(Choice.getTrueValue());
  const auto Other = One ? ofOperand(Choice.getFalseValue()) : std::nullopt;
  return Other ? std::optional(std::max(*One, *Other)) : std::nullopt;
}

/// As `ofSelect`, of a choice that is made by branches.
std::optional<uint64_t> AddressStep::ofMerge(PHINode &Merge) {
  if (!isMergedByCounters(Merge))
    return std::nullopt;
  uint64_t Most = 0;
  for (Value *Incoming : Merge.incoming_values()) {
    const auto Own = ofOperand(Incoming);
    if (!Own)
      return std::nullopt;
    Most = std::max(Most, *Own);
  }
  return Most;
}

/// Do counters decide each branch between the block that all ways come through and `Merge`? A value
/// that one iteration hands to the next is none that is chosen.
bool AddressStep::isMergedByCounters(const PHINode &Merge) {
  const BasicBlock *End = Merge.getParent();
  const auto *Node = Dominators.getNode(End);
  const BasicBlock *Begin = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  if (!Begin || !L.contains(Begin))
    return false;
  SmallPtrSet<const BasicBlock *, 8> Between{End};
  SmallVector<const BasicBlock *, 8> Work{End};
  while (!Work.empty() && Between.size() < MostBehindAddress)
    for (const BasicBlock *Before : predecessors(Work.pop_back_val())) {
      if (Before == End || Dominators.dominates(End, Before))
        return false;
      if (Between.insert(Before).second && Before != Begin)
        Work.push_back(Before);
    }
  return Work.empty() && all_of(Between, [&](const BasicBlock *Block) {
           const Instruction *Jump = Block->getTerminator();
           if (Block == End || Jump->getNumSuccessors() < 2)
             return true;
           const auto *Branch = dyn_cast<BranchInst>(Jump);
           return Branch && isOfCounters(Branch->getCondition());
         });
}

std::optional<uint64_t> AddressStep::ofCounter(const SCEVAddRecExpr *Add) {
  if (Add->getLoop() != &L)
    return std::nullopt;
  const auto *By = dyn_cast<SCEVConstant>(Add->getStepRecurrence(SE));
  return By ? sizeOf(*By) : Far;
}

/// Of a sum that has `-k * B * (A / B)`: with `k * A`, which is in the other summands, that is k
/// times the remainder, which moves as k * A does.
std::optional<uint64_t> AddressStep::ofRemainder(const SCEVAddExpr *Add) {
  for (const SCEV *Part : Add->operands()) {
    const auto *Product = dyn_cast<SCEVMulExpr>(Part);
    const auto Taken = Product ? takenOff(SE, *Product) : std::nullopt;
    if (!Taken)
      continue;
    const SCEV *Before = SE.getMulExpr(SE.getConstant(Taken->Times), Taken->From);
    const auto Base = of(SE.getMinusSCEV(SE.getMinusSCEV(Add, Part), Before));
    const auto Own = Base ? of(Before) : std::nullopt;
    if (Own)
      return std::min(*Base + *Own, Far);
  }
  return std::nullopt;
}

std::optional<uint64_t> AddressStep::ofParts(const SCEVNAryExpr *Parts) {
  uint64_t Factor = 1, Sum = 0;
  for (const SCEV *Part : Parts->operands()) {
    const auto *Constant = dyn_cast<SCEVConstant>(Part);
    if (Constant && isa<SCEVMulExpr>(Parts)) {
      Factor = sizeOf(*Constant);
      continue;
    }
    const auto Own = of(Part);
    if (!Own)
      return std::nullopt;
    Sum = std::min(Sum + *Own, Far);
  }
  return std::min(Sum * Factor, Far);
}

} // namespace prophet
