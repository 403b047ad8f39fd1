//===- ThreadNumbers.h - Addresses by a thread's number ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang-plugin/MemoryAccesses.h"

namespace prophet {

/// Marks the accesses of `F` whose addresses are computed of what omp_get_thread_num() returns
/// there, or are one of an array's pointers that such an address leads to: `sums[thread][i]`,
/// `parts[thread][i]`. The serial program has all of them in the first thread's part.
void markThreadNumbers(const llvm::Function &F, FunctionAccesses &Accesses);

} // namespace prophet
