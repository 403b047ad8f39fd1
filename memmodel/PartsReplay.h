//===- PartsReplay.h - A log's parts on other threads -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deals the tasks of an access log to threads, part after part, and has a Replay say
// what that moves.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/AccessLog.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace prophet::memmodel {

/// Who executes a task of a section, and when: from where the section begins, in tasks of mean
/// length.
struct Turn {
  unsigned thread;
  double begin;
  double length = 1;
};
/// How the tasks of a section are dealt, by its number among the log's parts.
using Dealing = std::function<Turn(std::size_t part, std::uint64_t task)>;

/// One block of tasks for each of `threads` threads; \param chunk or chunks of so many by turns,
/// where that is not 0: OpenMP's static and static,CHUNK. All take equally long.
Turn dealTask(std::uint64_t task, std::uint64_t size, unsigned threads, std::uint64_t chunk);

/// How long things take, for what shared caches lose meanwhile (CacheSizes::reach).
struct TaskTimes {
  /// Of a task in the serial run, by site, in the mean. Empty: no time counts, and caches have
  /// their sizes.
  std::vector<double> taskNs{};
  double beforeNs = 0;  ///< of serial code, up to the first section
  double betweenNs = 0; ///< of that, from a section that the log has to the next one
  /// How many times as long the tasks of a section take, by its number among the log's parts, that
  /// has `moved` this: the site's next section is taken to. Empty: as long as in the serial run.
  std::function<double(std::size_t part, const Traffic &moved)> burden{};
  /// The same as taskNs by part of the log, where that is known, else 0. Empty: of none.
  std::vector<double> partNs{};
  /// Whether a part's tasks are dealt as those of one before it that has as many. Empty: all are.
  std::function<bool(std::size_t part, std::size_t before)> areAlike{};
  /// When the last thread of a section is ready, by its part, from where it begins, in tasks of
  /// mean length. Empty: all are at the same time.
  std::function<double(std::size_t part)> end{};

  /// Of a task of part number `part`, which is one of `site`, in the mean. \pre time counts
  double taskNsOf(std::size_t part, std::uint32_t site) const {
    const double known = partNs.empty() ? 0 : partNs[part];
    return known > 0 ? known : taskNs[site];
  }
};

/// What the parts of a log have moved, one after the other. What some have moved alike is there
/// once.
class PartTraffics {
public:
  std::size_t size() const { return places.size(); }
  const Traffic &operator[](std::size_t part) const { return different[places[part]]; }
  void add(const Traffic &moved) {
    places.push_back(static_cast<std::uint32_t>(different.size()));
    different.push_back(moved);
  }
  /// The same as one before.
  void addAs(std::size_t part) { places.push_back(places[part]); }
  bool areSame(std::size_t a, std::size_t b) const {
    return places[a] == places[b] || (*this)[a] == (*this)[b];
  }

private:
  std::vector<Traffic> different;
  std::vector<std::uint32_t> places; ///< among these, by part
};

/// What the caches of `threads` threads let through, by part of the log. Thread 0 executes what
/// is outside of sections. References of a task are spread evenly over its time. Parts that repeat
/// others which move what those before them have (SteadyParts.h) are taken to move the same.
PartTraffics replayParts(const AccessLog &log, unsigned threads, CacheSizes sizes,
                         const Dealing &deal, const TaskTimes &times = {});

/// Parts' traffic by site, and last outside of sections.
std::vector<Traffic> trafficBySite(const AccessLog &log, std::size_t sites,
                                   const PartTraffics &byPart);

/// Both at once, where no time counts.
std::vector<Traffic> replayProgram(const AccessLog &log, std::size_t sites, unsigned threads,
                                   const CacheSizes &sizes, const Dealing &deal);

} // namespace prophet::memmodel
