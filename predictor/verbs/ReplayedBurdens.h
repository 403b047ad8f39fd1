//===- ReplayedBurdens.h - Burden factors by a memory profile ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program's sections move on t threads: its memory profile's log, its tasks
// dealt as the schedule deals them, replayed on the caches of the machine. How long
// tasks take says the tree, which knows of no burden and no cost of a schedule.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Machine.h"
#include "memmodel/MemoryProfile.h"
#include "memmodel/StreamRuns.h"
#include "predictor/verbs/InnerUses.h"
#include "predictor/verbs/ReplayTimes.h"
#include "predictor/verbs/TaskLengths.h"
#include "predictor/verbs/TrafficBurdens.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace prophet {

class DealtSection;

/// Thread-safe; each replay is made once, when it is first asked for.
class ReplayedBurdens final : public TrafficBurdens {
public:
  /// Up to so many threads are replayed; more move as much as these.
  static constexpr unsigned MostReplayed = 64;

  /// \pre !unfitForProfiles(machine, source)
  /// \param exact numbers of threads, ascending, that are replayed; what others move lies between
  /// their neighbours' among these and a few more
  /// \param inner sites that have a log of their own, which counts where they are outermost
  ReplayedBurdens(memmodel::Machine machine, std::string source, std::shared_ptr<const Tree> tree,
                  std::shared_ptr<const memmodel::MemoryProfile> profile,
                  std::vector<KnownSite> known, const std::vector<unsigned> &exact,
                  std::vector<InnerUse> inner = {});

  std::vector<std::shared_ptr<const BurdenModel>> otherCaches() const override;
  std::shared_ptr<const BurdenModel> otherPlaces() const override;
  bool knowsAlone(std::uint32_t site) const override;

private:
  using Traffics = std::vector<memmodel::Traffic>;
  struct Replayed {
    std::once_flag once;
    Traffics bySite;               ///< of the profile
    memmodel::PartTraffics byPart; ///< of its log, if it has one, on one thread
  };

  const memmodel::Machine machine;
  const std::shared_ptr<const memmodel::MemoryProfile> profile;
  const std::vector<KnownSite> known;
  const std::vector<InnerUse> inner;
  std::set<unsigned> counts;                        ///< of threads that are replayed
  std::vector<std::optional<std::uint32_t>> siteOf; ///< by site of the profile: in the tree
  /// By site of the profile: what its tasks go through in order, and how many tasks a section has,
  /// in the mean.
  std::vector<memmodel::TaskStreams> streamsOf;
  std::vector<double> tasksOf;
  memmodel::TaskTimes times; ///< of the serial run
  /// By part of the log; null, or none at all: all tasks of a section count as equal.
  std::vector<std::shared_ptr<const TaskLengths>> lengths;
  mutable std::mutex mutex;
  mutable std::map<std::string, Replayed> replayed; ///< by what a replay depends on
  struct InnerModel {
    std::once_flag once;
    std::unique_ptr<const ReplayedBurdens> made;
  };
  mutable std::vector<InnerModel> innerModels; ///< by number in `inner`: of that site alone
  bool isOther = false; ///< of another one's otherCaches() or otherPlaces(), and has none
  mutable std::once_flag cachesMade, placesMade;
  mutable std::vector<std::shared_ptr<const BurdenModel>> withOtherCaches;
  mutable std::shared_ptr<const BurdenModel> inOtherPlaces;

  /// \param serial the code between the sections that the profile's log has
  /// \param areOutermost they are those at the outermost level of the tree
  ReplayedBurdens(memmodel::Machine machine, std::string source, std::shared_ptr<const Tree> tree,
                  std::shared_ptr<const memmodel::MemoryProfile> profile,
                  std::vector<KnownSite> known, const SerialTimes &serial, bool areOutermost,
                  const std::vector<unsigned> &exact, std::vector<InnerUse> inner);

  /// The same of another machine.
  std::shared_ptr<const BurdenModel> on(memmodel::Machine other) const;
  std::vector<std::string> doubts(const EmulationOptions &options,
                                  const std::vector<std::uint32_t> &sites) const override;
  bool hasLog() const { return profile->log && profile->log->complete; }
  SectionLoads loads(const EmulationOptions &options) const override;
  const ReplayedBurdens &innerModel(std::size_t number) const;
  /// Adds to the load of so many sections of a site, of so many tasks each, what they cost under
  /// `options`: dealing out chunks, and where streams end.
  /// \param site of the profile, that the tree has
  void addSchedule(std::uint32_t site, const EmulationOptions &options, const DealtSection &dealt,
                   double tasks, double sections, memmodel::SectionLoad &load) const;
  /// Where streams end.
  void addEnds(std::uint32_t site, const EmulationOptions &options, const DealtSection &dealt,
               double tasks, double sections, memmodel::SectionLoad &load) const;
  /// What ends of a site's streams take longer, all together, whose lines its threads have in own
  /// caches, or take from each other's.
  /// \param tasks of each of its `sections` \param tasksInARow of a thread's, one behind the other
  double coreEndsNs(const memmodel::TaskStreams &streams, double tasks, double sections,
                    double tasksInARow, const memmodel::Traffic &moved) const;
  /// Without a log: by stack distances, which are of the serial run.
  Traffics serialTraffics() const;
  /// What of a site's serial time is no waiting for memory, at least.
  double leastNsOf(std::uint32_t site) const;
  /// Of a site of the profile, or such a share of what it does, that moves `serial` in the serial
  /// run, which takes `serialNs`, and `moved` on so many threads.
  memmodel::SectionLoad loadOf(std::uint32_t site, double share, double serialNs,
                               const memmodel::Traffic &serial, const memmodel::Traffic &moved,
                               unsigned threads) const;
  /// How many times as long the tasks of a part of the log take that moves `serial` in the serial
  /// run and `moved` on so many threads, with what it takes to deal them out.
  double slownessOf(std::size_t number, const memmodel::Traffic &serial,
                    const memmodel::Traffic &moved, const EmulationOptions &options,
                    const DealtSection &dealt) const;
  /// Of options.threads cores, one thread each, by part of the log. \pre hasLog()
  memmodel::PartTraffics deal(const EmulationOptions &options) const;
  /// What a replay depends on beside the machine and the profile.
  std::string keyOf(const EmulationOptions &options) const;
  /// The same for `threads`, made once, and by site.
  const Replayed &replay(EmulationOptions options, unsigned threads) const;
  Traffics trafficsOn(const EmulationOptions &options, unsigned threads) const;
};

} // namespace prophet
