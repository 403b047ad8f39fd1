//===- X86Lanes.h - Gathers, scatters and masks of x86's own ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// <immintrin.h> has intrinsics for which LLVM has none of a processor's own, and keeps
// some of them as x86 names them: nobody else knows what they access.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace prophet {

/// Whether an instruction is a part of what generaliseX86Lanes() has made of one, but its access.
bool isPartOfLanes(const llvm::Instruction &I);

/// Puts the general gathers, scatters, masked loads and masked stores, which do the same, in the
/// place of AVX's, AVX2's and AVX-512's.
void generaliseX86Lanes(llvm::Function &F);

} // namespace prophet
