//===- LinkStub.h - Calls that need no library at the link ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/CodeGenOptions.h"

namespace prophet {

/// Adds a pass at the start of the pipeline, at every optimisation level, that links stub.c into
/// modules which call the runtime; with \p OpenMP also OpenMP's functions for a serial run
/// (runtime/omp) into those that call them. Other modules are not touched.
void addLinkStubPass(clang::CodeGenOptions &Options, bool OpenMP);

} // namespace prophet
