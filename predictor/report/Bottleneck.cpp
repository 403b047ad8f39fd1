//===- Bottleneck.cpp - Why more threads are no use -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Bottleneck.h"

#include "predictor/emulator/Seeds.h"
#include "predictor/report/Causes.h"
#include "predictor/support/ForEach.h"
#include "predictor/support/Progress.h"
#include "predictor/tree/TreeChange.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace prophet {

Estimate typicalEstimate(const Emulator &emulator, const EmulationOptions &options) {
  return emulator.chance(options) == Chance::Placement
             ? drawSeeds(emulator, options, false).estimate
             : emulator.runWithoutGains(options);
}

namespace {

/// More than this is a gain, less than that is slower.
constexpr double Gain = 1.005, Slower = 0.98;
/// Work that cannot be divided is the reason where it takes so many times as long as all that could
/// be gained without something else.
constexpr double FarMore = 4;
/// Cores that are none too few, of which emulating more takes long.
constexpr unsigned ManyCores = 4096;

/// What is left out of a run. Few threads have to do with the cores that there are.
struct Without {
  bool overhead = false, memory = false, cores = false, locks = false;
  bool serial = false; ///< its time is taken off the estimate

  bool needsEmulation(bool isMany) const {
    return overhead || memory || locks || (cores && isMany);
  }
};

/// How long the program takes without something.
struct Trial {
  const char *cause;
  Without without;
  double fewTicks = 0, manyTicks = 0;
  double idleTicks = 0; ///< of the time on many threads: what each of them waits at regions' ends

  /// How many times as fast many threads are.
  double gain() const { return manyTicks > 0 ? fewTicks / manyTicks : 1; }
};

/// How many sections can be inside each other, each with a team.
double countLevels(const Tree &tree, unsigned most) {
  std::vector<unsigned> levels(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    for (const Child &child : tree.childrenOf(id))
      levels[id] = std::max(levels[id], levels[child.node]);
    levels[id] += tree.nodes[id].kind == NodeKind::Section;
  }
  return std::min(levels[tree.root], most);
}

/// What is outside of all regions of `estimate`, elapsed.
double outsideTicks(const Estimate &estimate) {
  return estimate.waterfall.outside.sum() / estimate.waterfall.width;
}

/// The locks that are waited for, that with the longest wait first.
std::vector<std::uint32_t> locksByWait(const Tree &tree, const Waterfall &waterfall) {
  std::vector<std::uint32_t> locks;
  for (std::uint32_t lock = 0; lock < tree.locks.size(); ++lock)
    if (waterfall.waitFor(lock) > 0)
      locks.push_back(lock);
  std::ranges::sort(locks, {},
                    [&](std::uint32_t lock) { return std::pair(-waterfall.waitFor(lock), lock); });
  return locks;
}

/// A tree with an emulator of its own.
class ChangedProgram {
public:
  explicit ChangedProgram(Tree changed) : tree(std::move(changed)), emulator(tree) {}
  const Tree tree;
  const Emulator emulator;
};

/// The program whose computation under `locks` needs no lock; none where its tree is too large.
std::unique_ptr<ChangedProgram> withoutLocks(const Tree &tree,
                                             const std::vector<std::uint32_t> &locks) {
  TreeChange change;
  for (std::size_t i = 0; i < std::min(locks.size(), TreeChange::most); ++i)
    change.locks[locks[i]].removed = true;
  auto changed = changeTree(tree, change);
  return changed ? std::make_unique<ChangedProgram>(std::move(*changed)) : nullptr;
}

class Finder {
public:
  explicit Finder(const StalledProgram &given)
      : program(given), locks(locksByWait(given.tree, given.onMany.waterfall)) {
    if (!locks.empty())
      unlocked = withoutLocks(program.tree, locks);
  }

  Bottleneck find() {
    addTrials();
    if (trials.empty())
      return left();
    run(trials);
    const auto isHelpful = [&](const Trial &trial) { return helps(trial); };
    const Trial *best = fastest(isHelpful);
    if (best && program.hurts)
      return named(*best);
    run({&all, 1});
    if (best)
      return outweighs(*best) ? named(*best) : left();
    return helps(all) ? jointly() : left();
  }

private:
  const StalledProgram &program;
  const std::vector<std::uint32_t> locks;
  std::unique_ptr<ChangedProgram> unlocked;
  std::vector<Trial> trials; ///< each without one thing
  Trial all{"", {}};         ///< without all of them

  void addTrials();
  void run(std::span<Trial> open) const;
  EmulationOptions optionsFor(const Without &without, bool isMany) const;
  Estimate estimate(const Without &without, bool isMany) const;
  Bottleneck named(const Trial &trial) const;
  std::uint32_t worstLock() const;
  Bottleneck jointly() const;
  Bottleneck mostGrown() const;
  Bottleneck left() const;

  bool helps(const Trial &trial) const { return trial.gain() >= (program.hurts ? Slower : Gain); }

  /// Of those that are `wanted` that which makes many threads fastest.
  template <typename Wanted> const Trial *fastest(const Wanted &wanted) const {
    const Trial *best = nullptr;
    for (const Trial &trial : trials)
      if (wanted(trial) && (!best || trial.manyTicks < best->manyTicks))
        best = &trial;
    return best;
  }

  /// Whether what is gained without it is not little beside what could be gained if all that is
  /// left could be divided.
  bool outweighs(const Trial &trial) const {
    return FarMore * (program.onMany.ticks - trial.manyTicks) >= all.idleTicks;
  }
};

/// One for each thing that takes time.
void Finder::addTrials() {
  const TimeParts &parts = program.onMany.waterfall.program;
  const auto add = [&](bool isThere, const char *cause, bool Without::*part) {
    if (!isThere)
      return;
    trials.push_back({cause, {}});
    trials.back().without.*part = all.without.*part = true;
  };
  add(outsideTicks(program.onMany) > 0, "serial", &Without::serial);
  add(unlocked != nullptr, "lock", &Without::locks);
  add(parts.overhead > 0, "overhead", &Without::overhead);
  add(parts.memory != 0, "memory", &Without::memory);
  add(parts.cores > 0, "cores", &Without::cores);
}

EmulationOptions Finder::optionsFor(const Without &without, bool isMany) const {
  EmulationOptions options = program.options;
  options.threads = isMany ? program.many : program.few;
  if (without.overhead)
    options.overheads = options.overheads.scaled(0);
  if (without.memory) {
    options.useBurden = false;
    options.burdenModel.reset();
    options.burdens.clear();
    options.whileComputing.clear();
  }
  if (without.cores && isMany) {
    const double teams = countLevels(program.tree, options.maxActiveLevels);
    const double wanted = std::pow(options.widestTeam(), std::max(teams, 1.0));
    const unsigned fewest = std::max(options.usableCores(), options.threads);
    options.cores = std::max(fewest, static_cast<unsigned>(std::min<double>(wanted, ManyCores)));
  }
  return options;
}

Estimate Finder::estimate(const Without &without, bool isMany) const {
  if (!without.needsEmulation(isMany))
    return isMany ? program.onMany : program.onFew;
  return typicalEstimate(without.locks ? unlocked->emulator : program.emulator,
                         optionsFor(without, isMany));
}

void Finder::run(std::span<Trial> open) const {
  Countdown countdown("estimates of what holds more threads back", 2 * open.size());
  forEach(2 * open.size(), program.jobs, [&](std::size_t i) {
    Trial &trial = open[i / 2];
    const bool isMany = i % 2 == 1;
    const Estimate result = estimate(trial.without, isMany);
    (isMany ? trial.manyTicks : trial.fewTicks) =
        result.ticks - (trial.without.serial ? outsideTicks(result) : 0);
    if (isMany)
      trial.idleTicks = result.waterfall.program.imbalance / result.waterfall.width;
    countdown.finishedOne();
  });
}

Bottleneck Finder::named(const Trial &trial) const {
  if (!trial.without.locks)
    return {trial.cause, std::nullopt};
  return {trial.cause, worstLock()};
}

/// Without which many threads are fastest; the one that is waited for longest, where others make
/// no difference to that.
std::uint32_t Finder::worstLock() const {
  const std::size_t count = std::min<std::size_t>(locks.size(), program.locksTried);
  if (count < 2)
    return locks.front();
  std::vector<double> ticks(count, program.onMany.ticks);
  forEach(count, program.jobs, [&](std::size_t i) {
    if (const auto changed = withoutLocks(program.tree, {locks[i]}))
      ticks[i] = typicalEstimate(changed->emulator, optionsFor({}, true)).ticks;
  });
  std::size_t worst = 0;
  for (std::size_t i = 1; i < count; ++i)
    if (ticks[i] * Gain < ticks[worst])
      worst = i;
  return locks[worst];
}

/// Several things hold it back, each as much as the others do: the one that gains most alone.
Bottleneck Finder::jointly() const {
  const auto isFaster = [&](const Trial &trial) {
    return trial.manyTicks * Gain <= program.onMany.ticks;
  };
  const Trial *best = fastest(isFaster);
  return best ? named(*best) : mostGrown();
}

/// What takes more of the elapsed time on many threads.
Bottleneck Finder::mostGrown() const {
  static constexpr std::pair<const char *, double TimeParts::*> Parts[] = {
      {"lock", &TimeParts::lock},
      {"overhead", &TimeParts::overhead},
      {"memory", &TimeParts::memory},
      {"cores", &TimeParts::cores}};
  const Waterfall &before = program.onFew.waterfall, &after = program.onMany.waterfall;
  const unsigned cores = program.options.cores;
  const TimeParts fewer = causesOf(before, cores ? cores : program.few);
  const TimeParts more = causesOf(after, cores ? cores : program.many);
  Bottleneck result = left();
  double most = 0;
  const auto consider = [&](const char *name, double now, double then, bool isInRegions) {
    const double growth = now / after.width - then / before.width;
    if (growth <= most)
      return;
    most = growth;
    result = {name, std::nullopt, isInRegions};
  };
  consider("serial", after.outside.serial, before.outside.serial, false);
  consider("serial", after.withoutThread(), before.withoutThread(), true);
  for (const auto &[name, part] : Parts)
    consider(name, more.*part, fewer.*part, false);
  if (result.cause == "lock" && !locks.empty())
    result.lock = locks.front();
  return result;
}

/// What is left where nothing else is the reason: work that cannot be divided, or in nested teams
/// threads that no section is for.
Bottleneck Finder::left() const {
  TimeParts idle;
  for (const TimeParts &site : program.onMany.waterfall.sites)
    idle += site;
  if (idle.imbalance <= 0 && idle.serial <= 0)
    return {};
  const bool isSerial = idle.imbalance < idle.serial;
  return {isSerial ? "serial" : "imbalance", std::nullopt, isSerial};
}

} // namespace

Bottleneck findBottleneck(const StalledProgram &program) { return Finder(program).find(); }

} // namespace prophet
