//===- LinkStub.h - Calls that need no library at the link ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/CodeGenOptions.h"
#include "llvm/IR/CallingConv.h"

namespace llvm {
class Module;
}

namespace prophet {

/// What is linked into a module where its pipeline starts.
struct StubParts {
  bool Runtime; ///< stub.c, if it calls the runtime
  bool OpenMP;  ///< OpenMP's functions for a serial run (runtime/omp), those that it calls
};

/// Adds a pass at the start of the pipeline, at every optimisation level, that links them. Modules
/// that call nothing are not touched.
void addLinkStubPass(clang::CodeGenOptions &Options, StubParts Parts);

/// Links memory_stub.c, whose functions that filters call get the convention that those use.
/// \pre hasTarget(M)
void linkMemoryStub(llvm::Module &M, llvm::CallingConv::ID FilterCalls);

/// Is the module for a target that programs can be profiled on? Else that is an error.
bool hasTarget(const llvm::Module &M);

} // namespace prophet
