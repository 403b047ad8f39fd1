//===- MemoryPass.h - Filters before accesses to memory ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/CodeGenOptions.h"

namespace prophet {

/// Adds a pass at the end of the pipeline, at every optimisation level, that puts the filters of
/// prophet/memory.h before all accesses to memory and links memory_stub.c.
void addMemoryPass(clang::CodeGenOptions &Options);

} // namespace prophet
