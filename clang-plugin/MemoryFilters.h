//===- MemoryFilters.h - Code that asks whether a line is sampled -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang-plugin/MemoryAccesses.h"
#include "prophet/memory.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <array>

namespace prophet {

/// Accesses by kind, and floating-point operations.
using Counts = std::array<uint64_t, PROPHET_MEMORY_COUNTS>;

/// The module's side of prophet/memory.h: what memory_stub.c defines, and constants.
class MemoryInterface {
public:
  explicit MemoryInterface(llvm::Module &M);

  /// GROUP of prophet/memory.h. Equal ones are one.
  llvm::Constant *group(llvm::ArrayRef<uint32_t> Words);

  /// Does it use functions of the runtime: has it annotations?
  bool isAnnotated(const llvm::Function &F) const { return Annotated.contains(&F); }

  llvm::GlobalVariable *Threshold, *Ahead, *Counted;
  llvm::FunctionCallee Touch, Line, Lanes, Range, Own, Region, Allocated, Reallocated, Freed;
  llvm::CallingConv::ID KeepingRegisters;

private:
  llvm::Module &M;
  llvm::StringMap<llvm::Constant *> Groups;
  llvm::DenseSet<const llvm::Function *> Annotated; ///< before filters are added
};

/// Adds a call of one of the runtime's functions, as that is declared.
void callRuntime(llvm::IRBuilder<> &B, llvm::FunctionCallee Callee,
                 llvm::ArrayRef<llvm::Value *> Arguments);

/// Adds the filters for `Accesses`, which are all of `F`'s, and counts them.
void addFilters(llvm::Function &F, const FunctionAccesses &Accesses, MemoryInterface &Interface);

} // namespace prophet
