//===- ReplayTimes.h - How long a replay's tasks take -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/verbs/ReplayedBurdens.h"

namespace prophet {

/// Of the serial run in `tree`, for a replay of the profile's log. A site's tasks take equally
/// long, and so do the times between sections; sections of which the log has no line are part of
/// these.
/// \param known what tree and profile have in common; the tasks of other sites take no time
/// \param tasksOf by site of the profile, of a section in the mean
/// \pre the profile has a log
memmodel::TaskTimes replayTimes(const Tree &tree, const memmodel::MemoryProfile &profile,
                                const std::vector<ReplayedBurdens::Known> &known,
                                const std::vector<double> &tasksOf);

} // namespace prophet
