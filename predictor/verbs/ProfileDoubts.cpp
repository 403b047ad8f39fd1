//===- ProfileDoubts.cpp - How far a memory profile is to be trusted ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ProfileDoubts.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace prophet {

static constexpr std::uint64_t few = 100; ///< lines

std::string doubtOfSample(const memmodel::MemoryProfile &profile) {
  if (profile.rate >= 1 || profile.sampledLines >= few)
    return "";
  return fmt::format("the memory profile knows of {} cache lines, 1 of {:.0f}: what memory does to "
                     "the speedups may be far off; make it on larger input, or with "
                     "PROPHET_MEMORY_RATE=1/{:.0f}",
                     profile.sampledLines, 1 / profile.rate, std::max(1.0, 1 / profile.rate / 8));
}

std::string doubtOfLog(const memmodel::MemoryProfile &profile, double rate, std::string_view site) {
  const auto &log = profile.log;
  if (!log || !log->complete || log->rate >= rate || log->places.empty() ||
      log->places.size() >= few)
    return "";
  const std::string whose = site.empty() ? "" : fmt::format(" of '{}'", printable(site));
  return fmt::format("the memory profile's log{} has {} cache lines, 1 of {:.0f}, of a run that is "
                     "too long for more: what memory does to the speedups may be far off; make it "
                     "of a shorter one",
                     whose, log->places.size(), 1 / log->rate);
}

} // namespace prophet
