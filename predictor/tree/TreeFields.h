//===- TreeFields.h - The format's fields and their types ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/TreeBuilder.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace prophet {

/// The field called `name` of the object that `state` is in, or Field::Unknown.
TreeBuilder::Field findField(TreeBuilder::State state, std::string_view name);
/// The type that the format asks of `field`.
TreeBuilder::Type typeOf(TreeBuilder::Field field);
/// The field's key in the file.
std::string_view nameOf(TreeBuilder::Field field);
/// "a number", "an array", ...
std::string_view nameOf(TreeBuilder::Type type);

/// Broken JSON at byte `position` of `size`: "what is wrong; what to do", from the JSON parser's
/// own words. A parser that looked beyond the last byte has met a file that was cut off.
std::string describeSyntaxError(std::size_t position, std::uint64_t size,
                                std::string_view parserMessage);

} // namespace prophet
