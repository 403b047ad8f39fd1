//===- PageLayout.h - The room that tables have -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace prophet {

/// Thread counts side by side in a table; others are in a block below.
inline constexpr std::size_t ColumnsPerBlock = 9;
/// Characters in a line of text.
inline constexpr std::size_t Width = 96;

} // namespace prophet
