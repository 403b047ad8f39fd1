//===- ThreadPrivate.h - What OpenMP's threadprivate lists ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace prophet {

/// Makes of the tables that the front end has added where OpenMP's `threadprivate` stands
/// (rewriter/Engine.h), which have variables' addresses, ranges for the runtime: `own` of
/// prophet/memory.h's units. Variables that another module defines are that one's to tell.
void tellThreadPrivate(llvm::Module &M);

} // namespace prophet
