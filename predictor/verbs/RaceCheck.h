//===- RaceCheck.h - Is the parallel program right? ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `prophet apply --check`: runs the OpenMP program under ThreadSanitizer, to which
// libarcher explains OpenMP's own synchronisation, and holds its output against
// the serial program's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/verbs/OpenMPVersion.h"

#include <string>
#include <string_view>
#include <vector>

namespace prophet {

/// Two accesses that nothing orders.
struct Race {
  std::string place, other; ///< "app.c:12:9"
  std::string what, before; ///< "write of 8 bytes", "read of 8 bytes"
  std::string variable;     ///< a global's name; empty where it is not known
};

/// The races in ThreadSanitizer's report, each pair of places once.
std::vector<Race> parseRaces(std::string_view report);

/// The first difference of two outputs: "line 3: serial 'sum 4', parallel 'sum 3'"; empty where
/// there is none. Lines in which two serial runs differ (times, say) do not count, and numbers may
/// differ by a millionth: a reduction adds in another order.
std::string outputDifference(std::string_view serial, std::string_view serialAgain,
                             std::string_view parallel);

/// Whether the OpenMP program raced nowhere and wrote what the serial one writes; what is wrong is
/// said on standard error. An error where a program cannot be built or run.
Result<bool> checkParallelProgram(const Compilation &compilation, const OpenMPVersion &version,
                                  const std::vector<std::string> &arguments, unsigned threads,
                                  const TemporaryDirectory &directory);

} // namespace prophet
