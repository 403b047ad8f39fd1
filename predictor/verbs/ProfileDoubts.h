//===- ProfileDoubts.h - How far a memory profile is to be trusted -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/MemoryProfile.h"

#include <string>
#include <string_view>

namespace prophet {

/// A warning where the profile's stack distances are of few of the lines that the program uses;
/// else "".
std::string doubtOfSample(const memmodel::MemoryProfile &profile);

/// A warning where a profile's log has few lines, though stack distances are of more; else "".
/// \param rate the share of lines that stack distances are of
/// \param site whose log it is, where that site runs inside others; "": the program's
std::string doubtOfLog(const memmodel::MemoryProfile &profile, double rate, std::string_view site);

} // namespace prophet
