//===- TreeReaderCheck.h - What the reader owes any input ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string_view>

namespace prophet {

/// Reads `text` as a program tree and aborts with a message unless the outcome is one error line
/// with a cure, or a tree whose sums and views can be computed.
/// \returns whether it was accepted.
bool checkReader(std::string_view text);

} // namespace prophet
