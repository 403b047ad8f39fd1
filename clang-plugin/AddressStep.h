//===- AddressStep.h - How far addresses move in an iteration ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
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

/// Which loads find the same in every iteration of a loop, such as those of a global pointer.
class FixedLoads {
public:
  /// Does `V` load a variable that the loop, by what can be seen of its stores, leaves alone or
  /// counts on by a constant? Or, without a loop, any variable?
  bool has(const llvm::Value *V, const llvm::Loop *L);

private:
  using Place = std::pair<const llvm::Value *, int64_t>; ///< an object, and bytes from there
  llvm::DenseMap<const llvm::Loop *, llvm::DenseSet<Place>> Stored;

  static bool isCount(const llvm::StoreInst &Store, const llvm::DataLayout &Layout);
  static Place placeOf(const llvm::Value *Pointer, const llvm::DataLayout &Layout);
};

/// How far values move in an iteration of a loop.
class AddressStep {
public:
  AddressStep(llvm::ScalarEvolution &SE, const llvm::DominatorTree &Dominators, FixedLoads &Fixed,
              const llvm::Loop &L)
      : SE(SE), Dominators(Dominators), Fixed(Fixed), L(L) {}

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
  std::optional<uint64_t> ofSelect(llvm::SelectInst &Choice);
  std::optional<uint64_t> ofMerge(llvm::PHINode &Merge);
  std::optional<uint64_t> ofCounter(const llvm::SCEVAddRecExpr *Add);
  std::optional<uint64_t> ofRemainder(const llvm::SCEVAddExpr *Add);
  std::optional<uint64_t> ofParts(const llvm::SCEVNAryExpr *Parts);
  std::optional<uint64_t> ofProduct(const llvm::SCEVMulExpr *Product);
  bool isFixed(const llvm::SCEV *S) { return of(S) == 0; }
  bool isOfCounters(llvm::Value *Condition);
  bool isJumpOfCounters(const llvm::Instruction &Jump);
  bool takeFrom(llvm::SmallVectorImpl<const llvm::SCEV *> &From, const llvm::SCEV *What);
  bool isMergedByCounters(const llvm::PHINode &Merge);

  llvm::ScalarEvolution &SE;
  const llvm::DominatorTree &Dominators;
  FixedLoads &Fixed;
  const llvm::Loop &L;
  unsigned Looked = 0; ///< parts of expressions that were looked at
};

} // namespace prophet
