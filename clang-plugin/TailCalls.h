//===- TailCalls.h - Calls that functions end with --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call behind which nothing happens becomes a jump, and recursion by such calls needs no stack.
// So it has to stay where nothing is added behind a call that was none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"

namespace prophet {

/// The call that may become a jump in whose place `Return` is, or null.
const llvm::CallInst *tailCallBefore(const llvm::ReturnInst &Return);

/// Gives such calls that jump to a return, as several do to one, each a return of its own. The code
/// generator does the same, but finds no return alone where counts are added up before it.
void separateTailCalls(llvm::Function &F);

} // namespace prophet
