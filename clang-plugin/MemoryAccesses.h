//===- MemoryAccesses.h - What a function reads and writes ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang-plugin/Recurrences.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <utility>
#include <vector>

namespace prophet {

/// An access of known size, relative to its group's address.
struct Access {
  llvm::Instruction *At;
  llvm::Value *Pointer;
  uint64_t Size;
  uint64_t Align;
  unsigned Kind;      ///< as in prophet/memory.h
  int64_t Offset = 0; ///< from the group's first access
};

/// Accesses between two calls that lie close together: one filter does for all.
struct AccessGroup {
  llvm::SmallVector<Access, 4> Members; ///< the one that is executed first in front
  unsigned Segment;                     ///< between which calls: numbered
  /// In a loop without calls, if the address moves steadily there: by how much in an iteration, and
  /// the jumps that enter the loop.
  int64_t Step = 0;
  llvm::SmallVector<llvm::Instruction *, 1> Entries;
  /// The loop's own jump, if it is one block.
  llvm::Instruction *Jump = nullptr;
  llvm::BasicBlock *Header = nullptr; ///< where that block begins
  /// How many iterations follow the first one, in 64 bits, where that is known at the entry.
  llvm::Value *Following = nullptr;
  bool OfThread = false; ///< by the thread's number: markThreadNumbers()

  bool isSteady() const { return !Entries.empty(); }
  bool upwards() const { return Step >= 0; }
};

/// One of each lane of a vector, where the mask allows it.
struct LaneAccess {
  llvm::Instruction *At;
  llvm::Value *Pointer; ///< a vector of addresses; or one address, of lanes side by side
  llvm::Value *Mask;
  uint64_t LaneSize;
  unsigned Lanes, Kind;
  bool Packed = false; ///< those that the mask allows lie side by side, without gaps
  bool OfThread = false;
};

/// Bytes whose number is known when the program runs.
struct RangeAccess {
  llvm::Instruction *At;
  llvm::Value *Pointer;
  llvm::Value *Size;
  unsigned Kind;
  bool OfThread = false;
};

/// What is executed between two calls.
struct Operations {
  llvm::Instruction *At; ///< the first of these instructions
  uint64_t Flops;        ///< floating-point operations: each lane of a vector counts
  uint64_t Instructions; ///< that a processor executes as such: neither addresses nor conversions
};

/// All accesses of a function but for those to small variables of its own, whose addresses nobody
/// else has: they are in registers, or would be.
struct FunctionAccesses {
  std::vector<AccessGroup> Groups;
  std::vector<LaneAccess> Lanes;
  std::vector<RangeAccess> Ranges;
  std::vector<struct Operations> Operations;
  std::vector<Recurrence> Recurrences;
  /// Of a function that neither accesses memory nor computes numbers nothing is counted.
  bool empty() const;
};

/// First byte and the one behind the last, from the group's first access.
std::pair<int64_t, int64_t> spanOf(const AccessGroup &Group);

FunctionAccesses findAccesses(llvm::Function &F);

/// Are accesses to a function's variable counted: may others see it, or is it too large for
/// registers?
bool isCounted(const llvm::AllocaInst &Variable);

/// The name of the function that is called there, if it is one that is known; else none.
llvm::StringRef calledBy(const llvm::Instruction &I);

/// A call that other code of the program may run in.
bool isOutsideCall(const llvm::Instruction &I);

} // namespace prophet
