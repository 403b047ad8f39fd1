//===- SynthesisLimits.cpp - What the real runtime cannot run -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/SynthesisLimits.h"

#include "predictor/support/Text.h"
#include "predictor/support/ThreadLimit.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prophet {

/// ", which spins for 5.00 s at most,", where some spin.
static std::string describeSpinning(const NeededTime &needed) {
  if (needed.spinningRuns == 0)
    return "";
  const std::string time = formatSeconds(needed.longest);
  if (needed.runs == 1)
    return fmt::format(", which spins for {} at most,", time);
  return fmt::format(", {} of which spin{} for {} at most,", needed.spinningRuns,
                     needed.spinningRuns == 1 ? "s" : "", time);
}

/// "about 3.1 s" of `seconds`, which are more than `limit`: in print, too.
static std::string describeMoreThan(double limit, double seconds) {
  const double fine = seconds < 10 ? 10 : 1;
  const double about = std::round(fine * seconds) / fine;
  return about > limit ? fmt::format("about {} s", about)
                       : fmt::format("a little more than {:.0f} s", limit);
}

/// ", or for --time-limit 31" of the least whole number of `seconds`, where that is one.
static std::string adviseLimit(double seconds) {
  constexpr double most = 1e6; // --time-limit takes no more
  return seconds > most ? ", or use --method ff"
                        : fmt::format(", or for --time-limit {:.0f}", std::ceil(seconds));
}

std::optional<Error> refuseTime(const NeededTime &needed, const SynthesisRequest &request,
                                bool canBeSmaller) {
  const double seconds = needed.taking + needed.spinning;
  if (seconds <= request.seconds)
    return std::nullopt;
  constexpr double repetitions = 6; // of what spins: an interval is of no fewer
  return Error{fmt::format(
      "{} run{}{} would take {}, and --time-limit is {:.0f}; {}ask for fewer --threads or "
      "--schedule{}",
      needed.runs, needed.runs == 1 ? "" : "s", describeSpinning(needed),
      describeMoreThan(request.seconds, seconds), request.seconds,
      canBeSmaller ? fmt::format("shorten them with --scale {:.1g}, ",
                                 0.2 * request.scale * request.seconds / seconds)
                   : "",
      adviseLimit(std::max(seconds, repetitions * needed.spinning)))};
}

std::optional<Error> refuseThreads(const EmulationOptions &options, double threads) {
  constexpr double tbbStack = 4 << 20;
  const ThreadLimit most =
      threadLimit(options.paradigm == Paradigm::Tbb ? std::optional(tbbStack) : std::nullopt);
  if (threads <= most.threads)
    return std::nullopt;
  const bool nests = threads > options.widestTeam();
  return Error{fmt::format(
      "{}{:.0f} threads at once, and a process can have {:.0f} here ({}); ask for fewer "
      "--threads{}, or use --method ff",
      nests ? "teams inside teams could be " : "a team would be ", threads, most.threads, most.of,
      nests ? ", or for a lower --max-active-levels" : "")};
}

} // namespace prophet
