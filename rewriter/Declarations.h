//===- Declarations.h - The runtime's functions, declared -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Sema/Sema.h"

namespace prophet {

/// Declares the functions of prophet/profile.h implicitly, so that an annotated
/// file needs no header. A function that the file has declared by itself is left alone.
void declareRuntime(clang::Sema &S);

} // namespace prophet
