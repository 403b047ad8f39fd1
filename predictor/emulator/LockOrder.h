//===- LockOrder.h - Locks that are taken inside locks ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/support/Result.h"

#include <optional>

namespace prophet {

/// Why the threads of `tree` could wait for each other, or one for itself, for ever under
/// `options`; nothing where none can. Cost: linear in the tree, times its regions where some order
/// of locks goes in a circle.
std::optional<Error> checkLocks(const Tree &tree, const EmulationOptions &options);

} // namespace prophet
