//===- AddressStep.cpp - How far addresses move in an iteration -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/AddressStep.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace prophet {
namespace {

constexpr uint64_t Far = 1 << 30;

uint64_t sizeOf(const APInt &Constant) { return std::min(Constant.abs().getLimitedValue(), Far); }

/// What is taken off `Times * From`, so that the remainder of a division by `By` is left.
struct Taken {
  APInt Times;
  const SCEV *From, *By;
};

/// Of a product `-k * B * (A / B)`, with constant k: k, A and B.
std::optional<Taken> takenOff(ScalarEvolution &SE, const SCEVMulExpr &Product) {
  const SCEVUDivExpr *Quotient = nullptr;
  const SCEV *Other = nullptr;
  APInt Times(SE.getTypeSizeInBits(Product.getType()), 1);
  for (const SCEV *Factor : Product.operands()) {
    const auto *Divide = dyn_cast<SCEVUDivExpr>(Factor);
    if (const auto *Constant = dyn_cast<SCEVConstant>(Factor))
      Times = Constant->getAPInt();
    else if (Divide && !Quotient)
      Quotient = Divide;
    else if (!Other)
      Other = Factor;
    else
      return std::nullopt;
  }
  if (!Quotient)
    return std::nullopt;
  const SCEV *By = Quotient->getRHS();
  const auto *Divisor = dyn_cast<SCEVConstant>(By);
  if (Divisor && !Other && !Divisor->getAPInt().isZero() && Times.srem(Divisor->getAPInt()) == 0)
    Times = Times.sdiv(Divisor->getAPInt());
  else if (Divisor || Other != By)
    return std::nullopt;
  return Taken{-Times, Quotient->getLHS(), By};
}

/// Are they the same, but for what does not change in the loop?
bool moveTogether(ScalarEvolution &SE, const SCEV *A, const SCEV *B) {
  const auto *One = dyn_cast<SCEVAddRecExpr>(A), *Other = dyn_cast<SCEVAddRecExpr>(B);
  return A == B ||
         (One && Other && One->getLoop() == Other->getLoop() && One->isAffine() &&
          Other->isAffine() && One->getStepRecurrence(SE) == Other->getStepRecurrence(SE));
}

} // namespace

bool isInside(const Value *V, const Loop *L) {
  const auto *I = dyn_cast<Instruction>(V);
  return I && (!L || L->contains(I));
}

LoopVariables::Place LoopVariables::placeOf(const Value *Pointer, const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Object = Pointer->stripAndAccumulateConstantOffsets(Layout, Offset, true);
  return {Object, Offset.getSExtValue()};
}

/// By how much it counts a variable on, if it does no more than that.
std::optional<uint64_t> LoopVariables::countOf(const StoreInst &Store, const DataLayout &Layout) {
  const Value *Stored = Store.getValueOperand(), *From = nullptr;
  uint64_t Step = 0;
  const APInt *By = nullptr;
  if (Stored->getType()->isPointerTy()) {
    int64_t Bytes = 0;
    std::tie(From, Bytes) = placeOf(Stored, Layout);
    Step = sizeOf(APInt(64, static_cast<uint64_t>(Bytes)));
  } else if (match(Stored, m_Add(m_Value(From), m_APInt(By))) ||
             match(Stored, m_Sub(m_Value(From), m_APInt(By)))) {
    Step = sizeOf(*By);
  }
  const auto *Load = dyn_cast_or_null<LoadInst>(From);
  const bool Counts = Load && placeOf(Load->getPointerOperand(), Layout) ==
                                  placeOf(Store.getPointerOperand(), Layout);
  return Counts ? std::optional(Step) : std::nullopt;
}

std::optional<uint64_t> LoopVariables::step(const Value *V, const Loop *L) {
  const auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || Load->isVolatile())
    return std::nullopt;
  const DataLayout &Layout = Load->getModule()->getDataLayout();
  const Place From = placeOf(Load->getPointerOperand(), Layout);
  if (!L)
    return isa<GlobalVariable>(From.first) || isa<AllocaInst>(From.first) ? std::optional(0)
                                                                          : std::nullopt;
  if (isInside(From.first, L))
    return std::nullopt;
  auto [Entry, IsNew] = Stored.try_emplace(L);
  if (IsNew)
    for (const BasicBlock *Block : L->blocks())
      for (const Instruction &I : *Block)
        if (const auto *Store = dyn_cast<StoreInst>(&I)) {
          const auto Own = countOf(*Store, Layout);
          auto &All = Entry->second.try_emplace(placeOf(Store->getPointerOperand(), Layout), 0)
                          .first->second;
          All = All && Own ? std::optional(std::min(*All + *Own, Far)) : std::nullopt;
        }
  const auto Found = Entry->second.find(From);
  return Found == Entry->second.end() ? 0 : Found->second;
}

std::optional<uint64_t> AddressStep::of(const SCEV *S) {
  if (Looked >= MostBehindAddress)
    return std::nullopt;
  ++Looked;
  if (const auto *Unknown = dyn_cast<SCEVUnknown>(S))
    return ofValue(Unknown->getValue());
  if (SE.isLoopInvariant(S, &L))
    return 0;
  if (const auto *Add = dyn_cast<SCEVAddRecExpr>(S))
    return ofCounter(Add);
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(S))
    return of(Cast->getOperand());
  if (const auto *Divide = dyn_cast<SCEVUDivExpr>(S))
    return isFixed(Divide->getRHS()) ? of(Divide->getLHS()) : std::nullopt;
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(S))
    if (const auto Remainder = ofRemainder(Sum))
      return Remainder;
  if (const auto *Product = dyn_cast<SCEVMulExpr>(S))
    return ofProduct(Product);
  if (const auto *Parts = dyn_cast<SCEVNAryExpr>(S)) // of a least or largest one, too, at most that
    return ofAll(Parts->operands());
  return std::nullopt;
}

std::optional<uint64_t> AddressStep::ofValue(Value *V) {
  if (!isInside(V, &L))
    return 0;
  if (auto *Choice = dyn_cast<SelectInst>(V))
    return isOfCounters(Choice->getCondition())
               ? mostOf({Choice->getTrueValue(), Choice->getFalseValue()})
               : std::nullopt;
  if (auto *Merge = dyn_cast<PHINode>(V))
    return isMergedByCounters(*Merge) ? mostOf(SmallVector<Value *, 4>(Merge->incoming_values()))
                                      : std::nullopt;
  if (auto *Division = dyn_cast<BinaryOperator>(V); Division && Division->isIntDivRem())
    return ofOperand(Division->getOperand(1)) == 0 ? ofOperand(Division->getOperand(0))
                                                   : std::nullopt;
  return Variables.step(V, &L);
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
  if (isa<FreezeInst>(Decides))
    return isOfCounters(Decides->getOperand(0));
  if (isa<ICmpInst>(Decides))
    return ofOperand(Decides->getOperand(0)) && ofOperand(Decides->getOperand(1));
  const bool IsLogical = isa<SelectInst>(Decides) || Decides->isBitwiseLogicOp();
  return IsLogical && all_of(Decides->operands(), [&](Value *Part) { return isOfCounters(Part); });
}

/// What is one of these moves as the one that moves furthest.
std::optional<uint64_t> AddressStep::mostOf(ArrayRef<Value *> Choices) {
  uint64_t Most = 0;
  for (Value *Choice : Choices) {
    const auto Own = ofOperand(Choice);
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
           return Block == End || isJumpOfCounters(*Block->getTerminator());
         });
}

bool AddressStep::isJumpOfCounters(const Instruction &Jump) {
  if (Jump.getNumSuccessors() < 2)
    return true;
  if (const auto *Switch = dyn_cast<SwitchInst>(&Jump))
    return ofOperand(Switch->getCondition()).has_value();
  const auto *Branch = dyn_cast<BranchInst>(&Jump);
  return Branch && isOfCounters(Branch->getCondition());
}

std::optional<uint64_t> AddressStep::ofCounter(const SCEVAddRecExpr *Add) {
  if (Add->getLoop() != &L)
    return std::nullopt;
  const auto *By = dyn_cast<SCEVConstant>(Add->getStepRecurrence(SE));
  return By ? sizeOf(By->getAPInt()) : Far;
}

/// Of a sum with `k * A` and `-k * B * (A / B)`, k times the remainder, which moves as k * A does.
std::optional<uint64_t> AddressStep::ofRemainder(const SCEVAddExpr *Add) {
  for (const SCEV *Part : Add->operands()) {
    const auto *Product = dyn_cast<SCEVMulExpr>(Part);
    const auto Taken = Product ? takenOff(SE, *Product) : std::nullopt;
    if (!Taken || !isFixed(Taken->By))
      continue;
    const SCEV *Before = SE.getMulExpr(SE.getConstant(Taken->Times), Taken->From);
    SmallVector<const SCEV *, 8> Left(Add->operands());
    Left.erase(find(Left, Part));
    if (!takeFrom(Left, Before))
      continue;
    Left.push_back(Before);
    return ofAll(Left);
  }
  return std::nullopt;
}

/// Takes out of the summands `From` those of `What`, but for what does not move. Are all there?
bool AddressStep::takeFrom(SmallVectorImpl<const SCEV *> &From, const SCEV *What) {
  const auto *Sum = dyn_cast<SCEVAddExpr>(What);
  const SmallVector<const SCEV *, 4> Parts =
      Sum ? SmallVector<const SCEV *, 4>(Sum->operands()) : SmallVector<const SCEV *, 4>{What};
  return all_of(Parts, [&](const SCEV *Part) {
    if (SE.isLoopInvariant(Part, &L))
      return true;
    const auto Found = find_if(From, [&](const SCEV *S) { return moveTogether(SE, S, Part); });
    if (Found == From.end())
      return false;
    From.erase(Found);
    return true;
  });
}

/// A constant times what moves; where it is another factor, that is a step of unknown length.
std::optional<uint64_t> AddressStep::ofProduct(const SCEVMulExpr *Product) {
  uint64_t Factor = 1, Most = 0;
  unsigned Others = 0;
  for (const SCEV *Part : Product->operands()) {
    if (const auto *Constant = dyn_cast<SCEVConstant>(Part)) {
      Factor = sizeOf(Constant->getAPInt());
      continue;
    }
    const auto Own = of(Part);
    if (!Own)
      return std::nullopt;
    Most = std::max(Most, *Own);
    ++Others;
  }
  return Most > 0 && Others > 1 ? Far : std::min(Most * Factor, Far);
}

std::optional<uint64_t> AddressStep::ofAll(ArrayRef<const SCEV *> Parts) {
  uint64_t Sum = 0;
  for (const SCEV *Part : Parts) {
    const auto Own = of(Part);
    if (!Own)
      return std::nullopt;
    Sum = std::min(Sum + *Own, Far);
  }
  return Sum;
}

} // namespace prophet
