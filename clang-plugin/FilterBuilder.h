//===- FilterBuilder.h - Code of which filters are made ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang-plugin/MemoryVariables.h"

namespace prophet {

/// The pieces of a function's filters.
class FilterBuilder {
public:
  FilterBuilder(llvm::Function &F, const FunctionAccesses &Accesses, MemoryInterface &Interface);

  /// The hashes of addresses, in one or in a vector.
  llvm::Value *hash(llvm::IRBuilder<> &B, llvm::Value *Address);
  /// At least how many lines behind the one of `Hash`, in the direction, are in no sample.
  llvm::Value *linesAhead(llvm::IRBuilder<> &B, llvm::Value *Hash, bool Upwards);
  llvm::Value *moved(llvm::IRBuilder<> &B, llvm::Value *Address, int64_t Offset);
  /// The code that runs where `Sampled`, rarely, and may lower the threshold.
  void callIf(llvm::IRBuilder<> &B, llvm::Value *Sampled,
              llvm::function_ref<void(llvm::IRBuilder<> &)> Call);
  /// Tells the runtime of the group at `Address` if `Hash`, the least of its lines', is sampled.
  void touchIf(llvm::IRBuilder<> &B, llvm::Value *Hash, const AccessGroup &Group,
               llvm::Value *Address);
  /// The least hash of the group's lines; where `Again` is true, the span's rear was asked about
  /// before.
  llvm::Value *spanHash(llvm::IRBuilder<> &B, const AccessGroup &Group, llvm::Value *Address,
                        llvm::Value *Again = nullptr);
  /// The whole filter.
  void addFilter(llvm::IRBuilder<> &B, const AccessGroup &Group, llvm::Value *Address,
                 llvm::Value *Again);

  llvm::LLVMContext &C;
  llvm::Type *Word, *Long;
  MemoryInterface &Interface;
  MemoryVariables Variables;

private:
  llvm::Value *freeLines(llvm::IRBuilder<> &B, llvm::Value *Hash);
  llvm::Value *hashUnless(llvm::IRBuilder<> &B, llvm::Value *Unwanted, llvm::Value *Address);
  llvm::Constant *describe(const AccessGroup &Group);
};

} // namespace prophet
