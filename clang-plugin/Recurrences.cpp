//===- Recurrences.cpp - What an iteration needs of the one before --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/Recurrences.h"

#include "clang-plugin/FloatOperation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace prophet {
namespace {

/// A product that one operation alone adds to something, which both may be done at once.
bool isFused(const Instruction &Product) {
  if (!Product.hasAllowContract() || !Product.hasOneUse())
    return false;
  const auto *Sum = cast<Instruction>(Product.user_back());
  return (Sum->getOpcode() == Instruction::FAdd || Sum->getOpcode() == Instruction::FSub) &&
         Sum->hasAllowContract();
}

/// Whether its result is ready a floating-point operation's latency behind its operands.
bool isSlow(const Instruction &I) {
  switch (floatOperation(I)) {
  case FloatOperation::None:
  case FloatOperation::Reduction:
    return false;
  case FloatOperation::Product:
    return !isFused(I);
  case FloatOperation::Fused:
  case FloatOperation::Other:
    break;
  }
  return true;
}

/// How many operations lie between the beginning of an iteration, where `From` is known, and a
/// value.
class Chain {
public:
  Chain(const Loop &Body, const PHINode &From) : Body(Body), From(From) {}

  /// Nothing where `To` can do without it.
  std::optional<uint64_t> lengthTo(const Value *To, unsigned Depth = 0) {
    constexpr unsigned Deepest = 1000; // a loop's body that is larger has more to do than wait
    if (To == &From)
      return 0;
    const auto *I = dyn_cast<Instruction>(To);
    if (!I || !Body.contains(I) || Depth > Deepest)
      return std::nullopt;
    if (const auto Found = Known.find(I); Found != Known.end())
      return Found->second;
    const auto Length = lengthThrough(*I, Depth + 1);
    return Known[I] = Length;
  }

private:
  const Loop &Body;
  const PHINode &From;
  DenseMap<const Instruction *, std::optional<uint64_t>> Known;

  std::optional<uint64_t> lengthThrough(const Instruction &I, unsigned Depth) {
    if (const auto *Merged = dyn_cast<PHINode>(&I))
      return Merged->getParent() == Body.getHeader() ? std::nullopt
                                                     : shortest(Merged->incoming_values(), Depth);
    if (const auto *Chosen = dyn_cast<SelectInst>(&I)) {
      const Use *Values = Chosen->op_begin() + 1; // behind the condition
      return shortest(make_range(Values, Chosen->op_end()), Depth);
    }
    const bool Slow = isSlow(I);
    if (!Slow && I.getOpcode() != Instruction::FNeg && floatOperation(I) != FloatOperation::Product)
      return std::nullopt;
    std::optional<uint64_t> Longest;
    for (const Use &Operand : I.operands())
      if (const auto Length = lengthTo(Operand, Depth))
        Longest = std::max(Longest.value_or(0), *Length + (Slow ? 1 : 0));
    return Longest;
  }

  template <typename Range> std::optional<uint64_t> shortest(const Range &Values, unsigned Depth) {
    std::optional<uint64_t> Shortest;
    for (const Use &Each : Values) {
      const auto Length = lengthTo(Each, Depth);
      if (!Length)
        return std::nullopt;
      Shortest = std::min(Shortest.value_or(*Length), *Length);
    }
    return Shortest;
  }
};

uint64_t longestChain(const Loop &Body) {
  uint64_t Longest = 0;
  const BasicBlock *Latch = Body.getLoopLatch();
  if (!Latch)
    return 0;
  for (const PHINode &Carried : Body.getHeader()->phis())
    if (Carried.getType()->isFPOrFPVectorTy()) {
      const Value *Next = Carried.getIncomingValueForBlock(Latch);
      Longest = std::max(Longest, Chain(Body, Carried).lengthTo(Next).value_or(0));
    }
  return Longest;
}

} // namespace

std::vector<Recurrence> findRecurrences(Function &F) {
  std::vector<Recurrence> Found;
  DominatorTree Dominators{F};
  LoopInfo Loops{Dominators};
  for (const Loop *Each : Loops.getLoopsInPreorder())
    if (Each->isInnermost())
      if (const uint64_t Length = longestChain(*Each))
        if (auto *Jump = dyn_cast<BranchInst>(Each->getLoopLatch()->getTerminator()))
          Found.push_back({Jump, Length});
  return Found;
}

} // namespace prophet
