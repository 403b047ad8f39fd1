//===- Recurrences.h - What an iteration needs of the one before -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum that a loop adds to is ready only when the addition before is through, so
// however much a core does at once, an iteration takes at least that addition's
// latency. Of such chains of floating-point operations the longest is found, in
// innermost loops.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

#include <vector>

namespace prophet {

struct Recurrence {
  llvm::Instruction *At; ///< executed once in each iteration, at its end
  uint64_t Length; ///< floating-point operations, one after the other, > 0; where several ways
                   ///< lead through an iteration: of the shortest
};

std::vector<Recurrence> findRecurrences(llvm::Function &F);

} // namespace prophet
