//===- LiveThreads.h - How many threads there are at once -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where teams open teams, how many threads they have together depends on the tree:
// of a recursion into two halves each level has twice as many, of one into a call
// and a leaf each level has one team more.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"

namespace prophet {

/// An upper bound of how many threads there are at once in a run of `tree`, all members of teams
/// that wait included; it can be infinite. Worksharing loops without `nowait` in teams of one size
/// can come to it, if their levels are not limited. \pre Paradigm::OpenMP
double mostLiveThreads(const Tree &tree, const EmulationOptions &options);

} // namespace prophet
