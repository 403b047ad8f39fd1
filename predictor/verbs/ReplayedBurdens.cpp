//===- ReplayedBurdens.cpp - Burden factors by a memory profile -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ReplayedBurdens.h"

#include "predictor/verbs/DealtSection.h"
#include "predictor/verbs/ProfileDoubts.h"
#include "predictor/verbs/ProfileMatch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace prophet {

using memmodel::AccessClass;
using memmodel::Traffic;

/// \pre `machine` has curves
static memmodel::MemorySystem systemOf(const memmodel::Machine &machine) {
  std::string problem;
  return *memorySystem(machine, problem);
}

ReplayedBurdens::ReplayedBurdens(memmodel::Machine machine, std::string source,
                                 std::shared_ptr<const Tree> tree,
                                 std::shared_ptr<const memmodel::MemoryProfile> profile,
                                 std::vector<KnownSite> known, const std::vector<unsigned> &exact,
                                 std::vector<InnerUse> inner)
    : ReplayedBurdens(std::move(machine), std::move(source), tree, std::move(profile),
                      std::move(known), serialTimes(*tree), true, exact, std::move(inner)) {}

ReplayedBurdens::ReplayedBurdens(memmodel::Machine machine, std::string source,
                                 std::shared_ptr<const Tree> tree,
                                 std::shared_ptr<const memmodel::MemoryProfile> profile,
                                 std::vector<KnownSite> known, const SerialTimes &serial,
                                 bool areOutermost, const std::vector<unsigned> &exact,
                                 std::vector<InnerUse> inner)
    : TrafficBurdens(systemOf(machine), std::move(source), std::move(tree)),
      machine(std::move(machine)), profile(std::move(profile)), known(std::move(known)),
      inner(std::move(inner)), counts(exact.begin(), std::ranges::upper_bound(exact, MostReplayed)),
      siteOf(this->profile->sites.size()), innerModels(this->inner.size()) {
  for (unsigned n = 1; n <= MostReplayed; n *= 2) {
    counts.insert(n);
    counts.insert(std::min(n + n / 2, MostReplayed));
  }
  for (const KnownSite &one : this->known)
    siteOf[one.profile] = one.site;
  streamsOf.resize(siteOf.size());
  tasksOf.resize(siteOf.size());
  if (!hasLog()) {
    const std::vector<OutermostUse> uses = outermostUses(*this->tree);
    for (const KnownSite &one : this->known)
      tasksOf[one.profile] = uses[one.site].meanTasks();
    return;
  }
  const memmodel::AccessLog &log = *this->profile->log;
  streamsOf = memmodel::taskStreams(log, siteOf.size());
  std::vector<double> sections(siteOf.size());
  for (const memmodel::AccessLog::Part &part : log.parts)
    if (part.site != memmodel::AccessLog::Outside && part.size > 0) {
      tasksOf[part.site] += static_cast<double>(part.size);
      ++sections[part.site];
    }
  for (std::size_t site = 0; site < siteOf.size(); ++site)
    tasksOf[site] /= std::max(1.0, sections[site]);
  times = replayTimes(serial, *this->profile, this->known, tasksOf);
  if (areOutermost) {
    PartLengths parts = partLengths(*this->tree, log, siteOf);
    times.partNs = std::move(parts.taskNs);
    lengths = std::move(parts.lengths);
  }
}

std::shared_ptr<const BurdenModel> ReplayedBurdens::on(memmodel::Machine other) const {
  const std::vector<unsigned> exact(counts.begin(), counts.end());
  auto model = std::make_shared<ReplayedBurdens>(std::move(other), source, tree, profile, known,
                                                 exact, inner);
  model->isOther = true;
  return model;
}

std::vector<std::shared_ptr<const BurdenModel>> ReplayedBurdens::otherCaches() const {
  std::call_once(cachesMade, [&] {
    if (isOther)
      return;
    decltype(withOtherCaches) made;
    for (memmodel::Machine &other : memmodel::otherCaches(machine))
      made.push_back(on(std::move(other)));
    withOtherCaches = std::move(made);
  });
  return withOtherCaches;
}

std::shared_ptr<const BurdenModel> ReplayedBurdens::otherPlaces() const {
  std::call_once(placesMade, [&] {
    if (auto other = memmodel::otherPlaces(machine); other && !isOther)
      inOtherPlaces = on(std::move(*other));
  });
  return inOtherPlaces;
}

std::vector<std::string> ReplayedBurdens::doubts(const EmulationOptions &options,
                                                 const std::vector<std::uint32_t> &sites) const {
  if (std::string text = doubtOfSample(*profile); !text.empty())
    return {std::move(text)};
  std::vector<std::string> result;
  const auto add = [&](const memmodel::MemoryProfile &its, std::string_view name) {
    if (std::string text = doubtOfLog(its, profile->rate, name); !text.empty())
      result.push_back(std::move(text));
  };
  const auto counts = [&](const KnownSite &one) { return std::ranges::count(sites, one.site) > 0; };
  if (std::ranges::any_of(known, counts))
    add(*profile, "");
  for (const InnerUse &use : inner)
    if (counts(use.known) && use.isOutermost(options))
      add(*use.profile, tree->sites[use.known.site].name);
  return result;
}

ReplayedBurdens::Traffics ReplayedBurdens::serialTraffics() const {
  const double shared = memmodel::sharedBytes(machine), own = memmodel::privateBytes(machine);
  Traffics result;
  for (const memmodel::SiteUse &use : profile->sites) {
    Traffic &moved = result.emplace_back();
    for (std::size_t c = 0; c < memmodel::accessClasses; ++c) {
      const auto accessClass = static_cast<memmodel::AccessClass>(c);
      moved.misses[c] = use.misses(accessClass, shared);
      const double hits = std::max(0.0, use.misses(accessClass, own) - moved.misses[c]);
      moved.sharedHits += hits;
      moved.sharedAhead += isFetchedAhead(accessClass) ? hits : 0;
      moved.sharedChased += accessClass == AccessClass::Chase ? hits : 0;
    }
    moved.writeBacks = use.writeBacks(shared);
  }
  return result;
}

memmodel::PartTraffics ReplayedBurdens::deal(const EmulationOptions &options) const {
  const memmodel::AccessLog &log = *profile->log;
  DealtSections sections(*tree, options);
  const auto dealt = [&](std::size_t number) -> const DealtSection & {
    const memmodel::AccessLog::Part &part = log.parts[number];
    return sections.dealt(number, siteOf[part.site], part.size,
                          lengths.empty() ? nullptr : lengths[number]);
  };
  const auto turnOf = [&](std::size_t part, std::uint64_t task) {
    return dealt(part).turnOf(task);
  };
  const memmodel::CacheSizes caches = cacheSizes(machine, options.threads);
  memmodel::TaskTimes timed = times;
  if (!lengths.empty()) // of a part that the tree does not know, as of serial code, none
    timed.areAlike = [&](std::size_t part, std::size_t before) {
      const memmodel::AccessLog::Part &its = log.parts[part];
      return lengths[part] == lengths[before] ||
             !isDealtByLengths(*tree, *siteOf[its.site], options, its.size,
                               options.teamSize(*siteOf[its.site]));
    };
  const bool hasClock = caches.reach.size() > 1;
  if (hasClock)
    timed.end = [&](std::size_t part) { return log.parts[part].size > 0 ? dealt(part).end() : 0; };
  if (options.threads > 1 && hasClock)
    timed.burden = [&, serial = &replay(options, 1).byPart](std::size_t part,
                                                            const Traffic &moved) {
      return slownessOf(part, (*serial)[part], moved, options, dealt(part));
    };
  return replayParts(log, options.threads, caches, turnOf, timed);
}

memmodel::SectionLoad ReplayedBurdens::loadOf(std::uint32_t site, double share, double serialNs,
                                              const Traffic &serial, const Traffic &moved,
                                              unsigned threads) const {
  memmodel::SectionLoad load{serialNs, serial, moved, threads,
                             std::min(serialNs, leastNsOf(site) * share)};
  load.accesses = profile->sites[site].accesses() * share;
  load.together = streamsOf[site].together;
  return load;
}

double ReplayedBurdens::slownessOf(std::size_t number, const Traffic &serial, const Traffic &moved,
                                   const EmulationOptions &options,
                                   const DealtSection &dealt) const {
  const memmodel::AccessLog::Part &part = profile->log->parts[number];
  const double all = tasksOf[part.site] * static_cast<double>(profile->sites[part.site].executions);
  if (!siteOf[part.site] || all <= 0)
    return 1;
  const auto tasks = static_cast<double>(part.size);
  const double siteNs = times.taskNs[part.site] * all;
  const double ns = times.taskNsOf(number, part.site) * tasks;
  memmodel::SectionLoad load = loadOf(part.site, ns / siteNs, ns, serial, moved, dealt.threads());
  addSchedule(part.site, options, dealt, tasks, 1, load);
  return load.dealing.allNs(solve(system, load).burden * ns) / ns;
}

double ReplayedBurdens::leastNsOf(std::uint32_t site) const {
  const memmodel::SiteUse &use = profile->sites[site];
  const double chained = use.chained.value_or(0) * machine.memory->additionNs;
  if (const double perNs = machine.memory->accessesPerNs; perNs > 0) {
    // Calibration's loop executes an addition for each three accesses; others have more to do.
    constexpr double instructionsToAccess = 4.0 / 3;
    const double instructions = use.instructions.value_or(0) / instructionsToAccess;
    return std::max(std::max(use.accesses(), instructions) / perNs, chained);
  }
  // Where it was not measured: no core begins more than two accesses in a cycle.
  constexpr double accessesPerCycle = 2, typicalHz = 3e9;
  const double hz = machine.frequencyHz > 0 ? machine.frequencyHz : typicalHz;
  return std::max(use.accesses() * 1e9 / (accessesPerCycle * hz), chained);
}

std::string ReplayedBurdens::keyOf(const EmulationOptions &options) const {
  if (options.threads == 1)
    return "1";
  std::string key = fmt::format("{} {}", options.threads, options.cores);
  const bool hasClock = cacheSizes(machine, options.threads).reach.size() > 1;
  for (const KnownSite &one : known) {
    if (!options.isParallel(one.site)) {
      key += " serial";
      continue;
    }
    const unsigned team = options.teamSize(one.site);
    key += fmt::format(" {} {}", options.scheduleOf(one.site).str(), team);
    if (!hasClock)
      continue;
    const Overheads &costs = options.overheads;
    for (const LoopCosts *of :
         {&costs.staticBlock, &costs.staticChunk, &costs.queue, &costs.steal, &costs.guided})
      key +=
          fmt::format(" {} {} {}", of->chunk.at(team), of->interval.at(team), of->restart.at(team));
  }
  return key;
}

const ReplayedBurdens::Replayed &ReplayedBurdens::replay(EmulationOptions options,
                                                         unsigned threads) const {
  options.threads = threads;
  const std::string key = keyOf(options);
  Replayed *made;
  {
    const std::lock_guard lock(mutex);
    made = &replayed[key];
  }
  std::call_once(made->once, [&] {
    if (hasLog()) {
      memmodel::PartTraffics byPart = deal(options);
      made->bySite = trafficBySite(*profile->log, profile->sites.size(), byPart);
      if (threads == 1)
        made->byPart = std::move(byPart);
    } else {
      made->bySite = serialTraffics();
    }
  });
  return *made;
}

/// Between two traffics, where `weight` is the second one's.
static Traffic between(const Traffic &a, const Traffic &b, double weight) {
  const auto mix = [&](double x, double y) { return x + (y - x) * weight; };
  Traffic result;
  for (std::size_t c = 0; c < memmodel::accessClasses; ++c)
    result.misses[c] = mix(a.misses[c], b.misses[c]);
  for (double Traffic::*const count : memmodel::trafficCounts)
    result.*count = mix(a.*count, b.*count);
  result.places = a.places.scaled(1 - weight);
  result.places += b.places.scaled(weight);
  return result;
}

ReplayedBurdens::Traffics ReplayedBurdens::trafficsOn(const EmulationOptions &options,
                                                      unsigned threads) const {
  threads = std::min(threads, MostReplayed);
  const auto above = counts.lower_bound(threads);
  if (*above == threads)
    return replay(options, threads).bySite;
  const unsigned high = *above, low = *std::prev(above);
  Traffics result = replay(options, low).bySite;
  const Traffics &more = replay(options, high).bySite;
  const double weight = static_cast<double>(threads - low) / (high - low);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = between(result[i], more[i], weight);
  return result;
}

SectionLoads ReplayedBurdens::loads(const EmulationOptions &options) const {
  const Traffics &serial = replay(options, 1).bySite;
  unsigned threads = 1;
  for (const KnownSite &one : known)
    if (options.isParallel(one.site))
      threads = std::max(threads, running(options, one.site));
  const Traffics parallel = trafficsOn(options, threads);
  SectionLoads result(tree->sites.size());
  for (const KnownSite &one : known) {
    memmodel::SectionLoad &load =
        result[one.site].emplace(loadOf(one.profile, 1, one.serialNs, serial[one.profile],
                                        parallel[one.profile], running(options, one.site)));
    load.flops = profile->sites[one.profile].flops;
    const auto sections = static_cast<double>(profile->sites[one.profile].executions);
    const double tasks = tasksOf[one.profile];
    const auto whole = static_cast<std::uint64_t>(std::llround(tasks));
    addSchedule(one.profile, options,
                dealSection(*tree, one.site, options, whole, options.teamSize(one.site)), tasks,
                sections, load);
  }
  for (std::size_t i = 0; i < inner.size(); ++i)
    if (const std::uint32_t site = inner[i].known.site; inner[i].isOutermost(options))
      result[site] = innerModel(i).loads(options)[site];
  return result;
}

bool ReplayedBurdens::knowsAlone(std::uint32_t site) const {
  return std::ranges::any_of(inner, [&](const InnerUse &use) { return use.known.site == site; });
}

const ReplayedBurdens &ReplayedBurdens::innerModel(std::size_t number) const {
  InnerModel &model = innerModels[number];
  std::call_once(model.once, [&] {
    const InnerUse &use = inner[number];
    const std::vector<unsigned> exact(counts.begin(), counts.end());
    model.made.reset(new ReplayedBurdens(machine, source, tree, use.profile, {use.known},
                                         use.around, false, exact, {}));
  });
  return *model.made;
}

double ReplayedBurdens::coreEndsNs(const memmodel::TaskStreams &streams, double tasks,
                                   double sections, double tasksInARow,
                                   const Traffic &moved) const {
  // Of so many ends of streams with such runs as large a part counts as of their lines is there.
  const auto endsNs = [&](double number, double inARow, const std::vector<double> &runs,
                          double there, const memmodel::EndTimes &ends) {
    std::vector<double> alone;
    for (const double run : runs)
      alone.push_back(ends.at(run * inARow));
    return std::min(1.0, there) * number * system.ownEndsTogether.ofAll(alone);
  };
  const auto partOf = [&](double lines, const std::vector<double> &runs) { // alike of all arrays
    const double all = std::accumulate(runs.begin(), runs.end(), 0.0) * tasks * sections;
    return all > 0 ? lines / all : 0;
  };
  // Behind a section's last one there is no other thread, and behind a gap none of its lines.
  const memmodel::PlaceUses &places = moved.places;
  double ns = endsNs(std::max(0.0, tasks * sections / tasksInARow - sections) * streams.seamless,
                     tasksInARow, streams.writtenRuns,
                     places.ownBehindEnds().value_or(partOf(moved.ownWritten, streams.writtenRuns)),
                     system.ownEnds);
  for (const memmodel::MovedCount &of : memmodel::movedCounts) {
    const std::vector<double> &runs =
        of.move == &memmodel::LineMoves::read ? streams.readRuns : streams.writtenRuns;
    // Behind a gap such lines begin anew, too.
    const double goOn = 1 - 1 / places.movedInARow(of.inPlace, of.of, tasksInARow);
    const double inARow = 1 / (1 - goOn * streams.seamless);
    ns += endsNs(tasks * sections / inARow, inARow, runs, partOf(moved.*of.lines, runs),
                 (system.moved.*of.move).ends);
  }
  return ns;
}

void ReplayedBurdens::addSchedule(std::uint32_t site, const EmulationOptions &options,
                                  const DealtSection &dealt, double tasks, double sections,
                                  memmodel::SectionLoad &load) const {
  load.dealing = dealing(options, *siteOf[site], tasks, sections);
  if (streamsOf[site].run > 0 && sections > 0 && load.threads > 1)
    addEnds(site, options, dealt, tasks, sections, load);
}

void ReplayedBurdens::addEnds(std::uint32_t site, const EmulationOptions &options,
                              const DealtSection &dealt, double tasks, double sections,
                              memmodel::SectionLoad &load) const {
  const memmodel::TaskStreams &streams = streamsOf[site];
  const unsigned team = dealt.threads();
  const double ahead = tasks * sections * streams.run; // what one stream goes through in all
  const double misses = load.parallel.misses[static_cast<std::size_t>(AccessClass::Stream)];
  const double run = streams.run * dealt.tasksInARow();
  if (run * (team - 1) >= 1) { // else others' tasks leave no line out, and streams go on
    memmodel::StreamEnds each;
    each.written = streams.written;
    each.counted = streams.seamless;
    const double lines = misses + load.parallel.sharedAhead + load.parallel.transfersAhead;
    if (lines > 0)
      each.accesses = load.accesses / lines;
    const double together = std::max(1.0, (misses + load.parallel.sharedAhead) / ahead);
    for (const double its : streams.longestRuns(dealt.tasksInARow(), run * together)) {
      each.run = its;
      load.ends.push_back(each);
    }
    load.anewNs += coreEndsNs(streams, tasks, sections, dealt.tasksInARow(), load.parallel);
  }
  const double chunk = streams.lines * static_cast<double>(dealt.tasksOfAChunk());
  if (chunk * machine.lineBytes < memmodel::firstCacheBytes(machine))
    return; // the runtime's lines stay there
  load.anewNs += static_cast<double>(dealt.askedInARow()) * sections *
                 options.overheads.steal.restart.at(team) *
                 memmodel::EndsTogether{}.timesOf(misses / ahead);
}

} // namespace prophet
