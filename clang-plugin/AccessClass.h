//===- AccessClass.h - How accesses find their addresses --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang-plugin/MemoryAccesses.h"
#include "prophet/memory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

#include <memory>
#include <optional>

namespace prophet {

/// The classes of prophet/memory.h, found once for a function by scalar evolution and, where that
/// knows nothing, by what the address is computed of. Where variables are still in memory, as at
/// -O0, a copy of the function is examined in which they are not.
class AccessClasses {
public:
  explicit AccessClasses(llvm::Function &F);
  ~AccessClasses();

  /// The class of what `Access` does at its operand `Pointer`, an address or a vector of them.
  /// `Width`: the bytes of a vector, several of which may follow each other in an iteration.
  prophet_memory_class of(llvm::Instruction &Access, llvm::Value *Pointer, uint64_t Width);

  /// Bytes from the first access's address to the second's, where that is a constant.
  std::optional<int64_t> distance(llvm::Instruction &First, llvm::Value *From,
                                  llvm::Instruction &Second, llvm::Value *To);

  /// Sets `Step` and what is known of the loop where the group moves steadily. Code that computes
  /// `Following` is added where the loop is entered, or before.
  void findSteady(AccessGroup &Group);

private:
  struct Analysis;
  std::unique_ptr<Analysis> Known;
};

} // namespace prophet
