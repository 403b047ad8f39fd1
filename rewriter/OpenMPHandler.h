//===- OpenMPHandler.h - Takes over `#pragma omp` ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Lex/Preprocessor.h"

#include <functional>

namespace prophet {

/// Has `Handle` called at each `#pragma omp` in place of the compiler's own handler. An error where
/// OpenMP itself is on, as the compiler would then make parallel code.
void takeOverOpenMP(clang::Preprocessor &PP, std::function<void(clang::PragmaIntroducer)> Handle);

} // namespace prophet
