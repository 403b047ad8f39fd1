//===- PlanCosts.cpp - What constructs cost, for an executor --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/PlanCosts.h"

#include "predictor/emulator/Locks.h"
#include "predictor/emulator/TaskLoops.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace prophet {

namespace {

/// Executors count iterations with an int.
constexpr auto longest = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
/// No process has more threads.
constexpr double mostWaiting = 1 << 16;

/// From how many iterations on the loops of `site` are dealt out as long ones are: `longest`, if
/// all are alike.
std::uint64_t enoughIterations(const TimedTree &timed, const EmulationOptions &options,
                               std::uint32_t site, unsigned threads) {
  const auto dealing = [&](std::uint64_t iterations) {
    return planLoop(timed.tree, site, options, iterations, threads).dealing;
  };
  const Dealing many = dealing(longest);
  if (dealing(1) == many)
    return 0;
  std::uint64_t few = 1, enough = longest;
  while (few + 1 < enough) {
    const std::uint64_t middle = few + (enough - few) / 2;
    (dealing(middle) == many ? enough : few) = middle;
  }
  return enough;
}

/// How long a chunk is on one thread; 0: as long as the loop.
std::uint64_t chunkAlone(const TimedTree &timed, const EmulationOptions &options,
                         std::uint32_t site) {
  const LoopPlan plan = planLoop(timed.tree, site, options, longest, 1);
  const bool isWhole = chunkCount(plan, longest, 1) <= 1;
  return isWhole ? 0 : std::min(plan.chunk, longest);
}

std::string loopCosts(const TeamCharges::Loop &loop) {
  return fmt::format(" {} {} {}", loop.start, loop.chunk, loop.turn);
}

std::string siteCosts(const TimedTree &timed, const EmulationOptions &options,
                      const Charges &charges, std::uint32_t site, unsigned threads) {
  const TeamCharges &team = charges.team(threads);
  const TeamCharges &alone = charges.alone();
  const auto plan = [&](std::uint64_t iterations, unsigned size) {
    return planLoop(timed.tree, site, options, iterations, size);
  };
  const Dealing aloneDealing = plan(longest, 1).dealing;
  std::string text = fmt::format("costs {} {} {} {} {} {} {}", team.spinning.fork,
                                 team.spinning.join, team.asleep.fork, team.asleep.join,
                                 team.tasks.create, team.tasks.steal, team.tasks.wait);
  text += loopCosts(team.loop(plan(1, threads).dealing));
  text += loopCosts(team.loop(plan(longest, threads).dealing));
  text += fmt::format(" {} {} {} {} {} {} {}\n", enoughIterations(timed, options, site, threads),
                      charges.serialized(plan(0, 1), 0), alone.loop(aloneDealing).chunk,
                      chunkAlone(timed, options, site), alone.tasks.create, alone.tasks.wait,
                      loopPieces(options, longest, 1));
  return text;
}

} // namespace

std::string lockCosts(const TimedTree &timed, const EmulationOptions &options,
                      const Charges &charges) {
  const double threads = std::pow(options.widestTeam(), options.maxActiveLevels);
  const double most = std::min({threads, timed.counts.locks, mostWaiting});
  const auto waiting = static_cast<std::uint32_t>(options.overheads.isNone() ? 0 : most);
  const bool barges = Locks::ruleOf(options) == Locks::Rule::Barging;
  std::string text =
      fmt::format("sleep {:.17g}\nhandoffs {} {} {}", std::min(charges.blockTime, 1e300),
                  charges.lockPair, int{barges}, waiting);
  for (const bool slept : {false, true})
    for (std::uint32_t count = 1; count <= waiting; ++count)
      text += fmt::format(" {}", charges.handoff(slept, count));
  return text + "\n";
}

std::string teamCosts(const TimedTree &timed, const EmulationOptions &options,
                      const Charges &charges) {
  const std::set<unsigned> sizes = options.teamSizes();
  std::string text = fmt::format("teams {} {}\n", sizes.size(), fmt::join(sizes, " "));
  for (const unsigned size : sizes)
    for (std::uint32_t site = 0; site < timed.tree.sites.size(); ++site)
      text += siteCosts(timed, options, charges, site, size);
  return text;
}

} // namespace prophet
