//===- GrammarCheck.h - What the grammar owes any line ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace prophet {

/// Parses the tokens that `bytes` stand for as a pragma line and aborts with a message unless the
/// outcome is a directive that can be written down, or one problem at a place of the line.
/// \returns whether it is a directive.
bool checkGrammar(std::string_view bytes);

/// The same for a line of OpenMP, where nothing is an error: what there is of a directive can be
/// written down, and warnings are at places of the line.
/// \returns whether it means something for the profile.
bool checkOpenMPGrammar(std::string_view bytes);

/// Bytes below these stand for a word or sign of the grammar, each with its own.
extern const std::uint8_t GrammarWords, OpenMPWords;

} // namespace prophet
