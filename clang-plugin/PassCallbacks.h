//===- PassCallbacks.h - A say in the pass pipeline -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/CodeGenOptions.h"

#include <functional>
#include <string>

namespace llvm {
class PassBuilder;
}

namespace prophet {

/// Has `Callback` called with the builder of the pipeline that `Options` ask for.
void addPassCallback(clang::CodeGenOptions &Options,
                     std::function<void(llvm::PassBuilder &)> Callback);

/// The plugin's own file, links resolved; "" where that has gone.
std::string pluginFile();

} // namespace prophet
