//===- PlanCosts.h - What constructs cost, for an executor ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In virtual time the runtime's own doing takes no time: what it costs is charged as
// the emulator charges it, by the same table (executor/Plan.h has the format).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Charges.h"

#include <string>

namespace prophet {

/// The lines of what locks cost.
std::string lockCosts(const TimedTree &timed, const EmulationOptions &options,
                      const Charges &charges);
/// The lines of what all sites' constructs cost in all teams.
std::string teamCosts(const TimedTree &timed, const EmulationOptions &options,
                      const Charges &charges);

} // namespace prophet
