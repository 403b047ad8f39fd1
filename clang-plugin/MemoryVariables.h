//===- MemoryVariables.h - What filters keep in registers -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threshold and the function's counters are kept in registers: variables that are then
// promoted. The threshold is read again where it may have changed: behind calls. So a loop without
// calls compares with a register; that it may be out of date there does no harm, since it only
// falls and the runtime looks again. What was counted goes to memory where the function is left
// and, in functions that have annotations themselves, before all calls.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang-plugin/MemoryFilters.h"

#include <array>

namespace prophet {

/// A function's copy of the threshold and its counts. In functions that setjmp may return to a
/// second time, where registers could be those of the first, both are in memory; and in very large
/// ones.
class MemoryVariables {
public:
  MemoryVariables(llvm::Function &F, const FunctionAccesses &Accesses, MemoryInterface &Interface);

  bool inRegisters() const { return InRegisters; }
  /// Adds the variables, and what is done with them where the function begins, calls and ends.
  /// Before any filter is added.
  void make(const FunctionAccesses &Accesses);
  /// One more, of 64 bits, that promote() puts into a register.
  llvm::AllocaInst *makeOne();
  /// After all filters have been added.
  void promote();

  llvm::Value *threshold(llvm::IRBuilder<> &B);
  /// Reads the threshold again, where it is in a register.
  void refresh(llvm::IRBuilder<> &B);
  void count(llvm::IRBuilder<> &B, unsigned Kind, llvm::Value *Count);

private:
  void findExits(llvm::SmallVectorImpl<llvm::Instruction *> &Calls,
                 llvm::SmallVectorImpl<llvm::Instruction *> &Flushes) const;
  void refreshBehind(llvm::Instruction *Call);
  void flush(llvm::Instruction *Before);
  void addToCount(llvm::IRBuilder<> &B, unsigned Kind, llvm::Value *Count);

  llvm::Function &F;
  MemoryInterface &Interface;
  llvm::Type *Word, *Long;
  bool InRegisters;
  llvm::AllocaInst *Threshold = nullptr;
  std::array<llvm::AllocaInst *, PROPHET_MEMORY_COUNTS> Counters = {};
  llvm::SmallVector<llvm::AllocaInst *, 8> Variables;
  llvm::SmallVector<llvm::LoadInst *, 16> Reads;
};

} // namespace prophet
