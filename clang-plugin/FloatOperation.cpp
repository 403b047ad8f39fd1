//===- FloatOperation.cpp - What floating-point instructions do -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/FloatOperation.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace prophet {

static FloatOperation ofIntrinsic(Intrinsic::ID Called) {
  switch (Called) {
  case Intrinsic::experimental_constrained_fmul:
    return FloatOperation::Product;
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::experimental_constrained_fma:
  case Intrinsic::experimental_constrained_fmuladd:
    return FloatOperation::Fused;
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
    return FloatOperation::Reduction;
  case Intrinsic::sqrt:
  case Intrinsic::experimental_constrained_fadd:
  case Intrinsic::experimental_constrained_fsub:
  case Intrinsic::experimental_constrained_fdiv:
  case Intrinsic::experimental_constrained_frem:
  case Intrinsic::experimental_constrained_sqrt:
    return FloatOperation::Other;
  default:
    return FloatOperation::None;
  }
}

FloatOperation floatOperation(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FMul:
    return FloatOperation::Product;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FDiv:
  case Instruction::FRem:
    return FloatOperation::Other;
  default:
    break;
  }
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic ? ofIntrinsic(Intrinsic->getIntrinsicID()) : FloatOperation::None;
}

} // namespace prophet
