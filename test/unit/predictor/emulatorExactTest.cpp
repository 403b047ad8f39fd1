//===- emulatorExactTest.cpp - Random trees of any shape, exactly ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both engines against the plain emulator of emulatorReference.h, to 1e-9.
// PROPHET_TEST_PROGRAMS says how many trees, PROPHET_TEST_SEED which.
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"
#include "emulatorReference.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>

using namespace prophet;
using namespace prophet::test;

namespace {

/// Makes the emulator take the event engine where it would use a closed form.
class Ignore : public EventListener {
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &) override {}
  void regionEnds(double) override {}
};

/// Collects what differs from the reference.
class Comparison {
public:
  explicit Comparison(double exact) : exact(exact) {}
  std::string differences;

  void compare(const std::string &what, double found, double expected) {
    if (std::abs(found - expected) <= exact)
      return;
    differences += what + ": " + std::to_string(found) + ", the reference has " +
                   std::to_string(expected) + "\n";
  }

private:
  double exact;
};

/// Whether waits count whole: where inner teams have more threads than there are cores, they are
/// weighted by what a core is worth, and nobody is idle for want of threads.
bool areWhole(const Waterfall &found) {
  return std::ranges::all_of(found.regions, [](const TimeParts &region) {
    return region.serial > 1e-9 * region.sum() ||
           region.imbalance + region.lock + region.cores == 0;
  });
}

/// The waits of all regions, by the loops in which they are.
void compareWaits(Comparison &compared, const Waterfall &found, const ReferenceTimes &expected) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> locks = expected.locks;
  for (const LockTime &time : found.locks)
    compared.compare("wait for lock " + std::to_string(time.lock) + " at site " +
                         std::to_string(time.site),
                     time.ticks, std::exchange(locks[{time.site, time.lock}], 0));
  for (const auto &[where, ticks] : locks)
    compared.compare("wait for lock " + std::to_string(where.second) + " at site " +
                         std::to_string(where.first),
                     0, ticks);
  for (std::uint32_t site = 0; site < found.sites.size(); ++site) {
    const std::string name = " at site " + std::to_string(site);
    compared.compare("imbalance" + name, found.sites[site].imbalance, expected.imbalance[site]);
    compared.compare("want of cores" + name, found.sites[site].cores, expected.cores[site]);
  }
}

void compareTimes(Comparison &compared, const Estimate &found, const ReferenceTimes &expected) {
  compared.compare("elapsed", found.ticks, expected.ticks);
  for (std::uint32_t site = 0; site < found.sites.size(); ++site)
    compared.compare("site " + std::to_string(site), found.sites[site].ticks, expected.sites[site]);
}

/// Whether the order of requests at one moment decides, which nothing prescribes for inner teams.
bool isOpen(const Program &program, const ReferenceTimes &times) {
  return times.contested && program.options.maxActiveLevels > 1;
}

/// Of how many programs with inner teams and waits for locks the waits were compared.
std::uint64_t nestedWaits = 0;

/// What the emulator and the reference, which has `expected`, differ in.
std::string differences(const Program &program, const ReferenceTimes &expected) {
  Comparison compared(1e-9 * expected.ticks);
  const Emulator emulator(program.tree);
  Ignore ignore;
  const Estimate found = emulator.runWithoutGains(program.options);
  compareTimes(compared, found, expected);
  if (program.options.maxActiveLevels == 1 || areWhole(found.waterfall)) {
    compareWaits(compared, found.waterfall, expected);
    nestedWaits += expected.innerTeams > 0 && !expected.locks.empty();
  }
  compared.differences.insert(0,
                              compared.differences.empty() ? "" : "in closed form where it can\n");
  const std::size_t before = compared.differences.size();
  compareTimes(compared, emulator.run(program.options, &ignore), expected);
  if (compared.differences.size() > before)
    compared.differences.insert(before, "by events\n");
  return compared.differences;
}

std::string differences(const Program &program) {
  const ReferenceTimes expected = reference(program.tree, program.options);
  return isOpen(program, expected) ? std::string() : differences(program, expected);
}

/// In how many of the programs something happened.
struct Happened {
  std::uint64_t inner = 0, flows = 0, locks = 0, innerLocks = 0, cores = 0, open = 0;

  void add(const ReferenceTimes &times) {
    inner += times.innerTeams > 0;
    flows += times.flows > 0;
    locks += !times.locks.empty();
    innerLocks += times.innerTeams > 0 && !times.locks.empty();
    cores += std::any_of(times.cores.begin(), times.cores.end(), [](double t) { return t > 0; });
  }
};

/// Draws what locks cost, in ticks: more the more threads wait, where they spin on one word.
void drawLockCosts(Program &program, std::mt19937_64 &random) {
  EmulationOptions &options = program.options;
  const double tick = 1e9 / program.tree.timebaseHz;
  const auto handoff = [&] {
    const auto ticks = static_cast<double>(1 + random() % (random() % 2 ? 10 : 1'000'000));
    return TeamCost({{2, ticks * tick}}, {random() % 3 ? Growth::Linear : Growth::Constant, 1});
  };
  options.overheads.lockPair = static_cast<double>(random() % 10) * tick;
  options.overheads.active.lockHandoff = handoff();
  options.overheads.passive.lockHandoff = handoff();
  options.givenBlockTime = random() % 3 ? std::numeric_limits<double>::infinity() : 0;
}

/// Compares `programs` of them, drawn from `seed`, where `change` has its way with each.
template <typename Change>
void compareRandomTrees(std::uint64_t seed, std::uint64_t programs, const Change &change) {
  std::mt19937_64 random(seed);
  Happened happened;
  nestedWaits = 0;
  for (std::uint64_t number = 0; number < programs; ++number) {
    Program program = drawProgram(random);
    change(program, random);
    const ReferenceTimes expected = reference(program.tree, program.options);
    if (isOpen(program, expected)) {
      ++happened.open;
      continue;
    }
    happened.add(expected);
    if (differences(program, expected).empty())
      continue;
    const Program small = shrink(program, [](const Program &p) { return !differences(p).empty(); });
    FAIL() << "program " << number << " of seed " << seed << ":\n"
           << print(small) << "\n"
           << differences(small);
  }
  EXPECT_LT(happened.open * 7, programs) << "too few are compared";
  EXPECT_GT(nestedWaits * 20, programs) << "too few waits are, of inner teams";
  std::cout << programs << " programs; with inner teams " << happened.inner << ", flows "
            << happened.flows << ", waits for locks " << happened.locks << ", both "
            << happened.innerLocks << ", too few cores " << happened.cores << "; not compared "
            << happened.open << "; waits of inner teams compared " << nestedWaits << "\n";
}

TEST(Exact, RandomTreesTakeWhatTheReferenceSays) {
  compareRandomTrees(seedOfPrograms(20261121), programsToDraw(5000),
                     [](Program &, std::mt19937_64 &) {});
}

TEST(Exact, RandomTreesWithLocksThatCostTakeWhatTheReferenceSays) {
  compareRandomTrees(seedOfPrograms(20261123), programsToDraw(5000), drawLockCosts);
}

TEST(Exact, GainsAreThoseOfOneSiteParallelAlone) {
  std::mt19937_64 random(seedOfPrograms(20261122));
  for (std::uint64_t number = 0; number < programsToDraw(100); ++number) {
    Program program = drawProgram(random);
    const Estimate found = Emulator(program.tree).run(program.options);
    for (const SiteEstimate &site : found.sites) {
      program.options.onlySite = site.site;
      const ReferenceTimes expected = reference(program.tree, program.options);
      if (site.serialTicks > 0 && !isOpen(program, expected)) {
        EXPECT_NEAR(site.gain, found.serialTicks / expected.ticks, 1e-9 * site.gain)
            << "site " << site.site << " of program " << number << "\n"
            << print(program);
      }
    }
  }
}

TEST(Exact, AProgramThatFailsIsMadeSmall) {
  // Wanted: an inner section with a lock in it, on two threads at least.
  const auto fails = [](const Program &program) {
    if (program.options.threads == 1)
      return false;
    const ReferenceTimes times = reference(program.tree, program.options);
    return times.innerTeams > 0 && !times.locks.empty();
  };
  std::mt19937_64 random(1);
  Program drawn = drawProgram(random);
  while (drawn.tree.nodes.size() < 40 || drawn.tree.nodes.size() > 80 || !fails(drawn))
    drawn = drawProgram(random);
  const Program small = shrink(drawn, fails);
  EXPECT_TRUE(fails(small));
  EXPECT_EQ(small.options.threads, 2u);
  EXPECT_EQ(small.options.maxActiveLevels, 2u);
  EXPECT_LE(small.tree.nodes.size(), 14u) << print(small);
  EXPECT_NE(print(small).find("--threads 2 --cores"), std::string::npos);
}

} // namespace
