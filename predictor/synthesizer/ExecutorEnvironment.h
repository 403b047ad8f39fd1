//===- ExecutorEnvironment.h - How a runtime is to behave -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/RuntimeProgram.h"
#include "predictor/synthesizer/Synthesizer.h"

namespace prophet {

/// libomp's most (KMP_MAX_DISP_NUM_BUFF): how many loops ahead of another a thread may be.
inline constexpr std::size_t MostDispatchBuffers = 4096;

/// The environment of an executor that makes `run`: of the user's own settings of
/// runtimes none is left. Where time is virtual, threads that wait must not
/// use up the cores; where it is real they wait as they would in the program.
/// \param longestChain loops that a team runs at most without waiting between them
/// \param hasTasks whether tasks are spawned
Environment executorEnvironment(const Synthesis &run, std::size_t longestChain, bool hasTasks);

} // namespace prophet
