//===- AddressStep.h - How far addresses move in an iteration ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace prophet {

/// More than this many instructions behind one address are not looked at.
constexpr unsigned MostBehindAddress = 256;

/// Is `V` computed in the loop, or, without one, in the function?
bool isInside(const llvm::Value *V, const llvm::Loop *L);

/// Variables in memory, by what loops store to them as far as can be seen.
class LoopVariables {
public:
  /// How far what the load `V` finds moves in an iteration: 0 of a variable that the loop leaves
  /// alone, such as a global pointer, as far as it counts one on by constants. Nothing where it
  /// stores anything else, or `V` is no such load. Without a loop all variables stay as they are.
  std::optional<uint64_t> step(const llvm::Value *V, const llvm::Loop *L);

private:
  using Place = std::pair<const llvm::Value *, int64_t>; ///< an object, and bytes from there
  /// By loop and place that it stores to; nothing: other things than counts.
  llvm::DenseMap<const llvm::Loop *, llvm::DenseMap<Place, std::optional<uint64_t>>> Stored;

  static Place placeOf(const llvm::Value *Pointer, const llvm::DataLayout &Layout);
  static std::optional<uint64_t> countOf(const llvm::StoreInst &Store, const llvm::DataLayout &);
};

/// How far values move in an iteration of a loop.
class AddressStep {
public:
  AddressStep(llvm::ScalarEvolution &SE, const llvm::DominatorTree &Dominators,
              LoopVariables &Variables, const llvm::Loop &L)
      : SE(SE), Dominators(Dominators), Variables(Variables), L(L) {}

  /// Bytes, or units of what is not an address, as a number without sign; the length of a stride
  /// that is known only at run time counts as 2^30. Nothing where the value is no function of the
  /// loop's counters.
  ///
  /// Where an index is kept inside of an array, by a choice between values that move, or by the
  /// remainder of a division, its jumps from one end to the other do not count.
  std::optional<uint64_t> of(const llvm::SCEV *S);

private:
  std::optional<uint64_t> ofValue(llvm::Value *V);
  std::optional<uint64_t> ofOperand(llvm::Value *V);
  std::optional<uint64_t> mostOf(llvm::ArrayRef<llvm::Value *> Choices);
  std::optional<uint64_t> ofCounter(const llvm::SCEVAddRecExpr *Add);
  std::optional<uint64_t> ofRemainder(const llvm::SCEVAddExpr *Add);
  std::optional<uint64_t> ofAll(llvm::ArrayRef<const llvm::SCEV *> Parts);
  std::optional<uint64_t> ofProduct(const llvm::SCEVMulExpr *Product);
  bool isFixed(const llvm::SCEV *S) { return of(S) == 0; }
  bool isOfCounters(llvm::Value *Condition);
  bool isJumpOfCounters(const llvm::Instruction &Jump);
  bool takeFrom(llvm::SmallVectorImpl<const llvm::SCEV *> &From, const llvm::SCEV *What);
  bool isMergedByCounters(const llvm::PHINode &Merge);

  llvm::ScalarEvolution &SE;
  const llvm::DominatorTree &Dominators;
  LoopVariables &Variables;
  const llvm::Loop &L;
  unsigned Looked = 0; ///< parts of expressions that were looked at
};

} // namespace prophet
