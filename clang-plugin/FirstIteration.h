//===- FirstIteration.h - What a loop begins with ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instruction.h"

namespace prophet {

/// What `V`, a value of a loop of the one block `Loop`, is in the first iteration: found by code
/// before `Entry`, the one jump that enters the loop. Null where it is not found by arithmetic on
/// what the loop begins with.
llvm::Value *inFirstIteration(llvm::Value *V, const llvm::BasicBlock *Loop,
                              llvm::Instruction *Entry);

} // namespace prophet
