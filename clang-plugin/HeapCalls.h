//===- HeapCalls.h - Calls that allocate and free ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace prophet {

struct HeapInterface {
  llvm::FunctionCallee Allocated, Reallocated, Freed;
};

/// Has the runtime know which blocks of the heap `F` is given and gives back, by C's and C++'s
/// functions: what a task allocates and frees again each of OpenMP's threads has elsewhere, though
/// the serial program may have it in one place. \pre filters are in place: they take the calls for
/// none of the program's.
void tellHeapCalls(llvm::Function &F, const HeapInterface &Runtime);

} // namespace prophet
