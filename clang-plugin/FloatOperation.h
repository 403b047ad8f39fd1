//===- FloatOperation.h - What floating-point instructions do ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"

namespace prophet {

/// Under strict floating point (-ffp-model=strict) all of them are intrinsics, which are told apart
/// here and nowhere else.
enum class FloatOperation {
  None,
  Product,
  Fused,     ///< a product and the sum that it is added to
  Reduction, ///< of the lanes of its second operand
  Other      ///< a sum, difference, quotient, remainder or square root
};

FloatOperation floatOperation(const llvm::Instruction &I);

} // namespace prophet
