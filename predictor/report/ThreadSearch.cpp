//===- ThreadSearch.cpp - The fewest threads that gain most -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/ThreadSearch.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace prophet {

namespace {

/// 1, 2, 3, 4, 6, 8, 12, ... and `bound`.
std::vector<unsigned> coarseCounts(unsigned bound) {
  std::vector<unsigned> counts = {1};
  for (unsigned n = 2; n < bound; n *= 2) {
    counts.push_back(n);
    if (n + n / 2 < bound)
      counts.push_back(n + n / 2);
  }
  counts.push_back(bound);
  return counts;
}

/// At most so many numbers between `low` and `high`, evenly; neither of these.
std::vector<unsigned> between(unsigned low, unsigned high, unsigned most) {
  std::set<unsigned> counts;
  for (unsigned i = 1; i <= most; ++i)
    counts.insert(low + static_cast<unsigned>(std::uint64_t(high - low) * i / (most + 1)));
  counts.erase(low);
  return {counts.begin(), counts.end()};
}

} // namespace

std::vector<unsigned> evenCounts(const TreeSummary &summary, const EmulationOptions &options,
                                 unsigned bound) {
  constexpr std::size_t most = 16;
  constexpr unsigned fewChunks = 16; // a thread
  std::vector<std::uint32_t> order(summary.sites.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(
      order, {}, [&](std::uint32_t site) { return std::pair(-summary.sites[site].ticks, site); });
  std::set<unsigned> counts;
  for (const std::uint32_t site : order) {
    const auto chunk = std::max(1.0, static_cast<double>(options.scheduleOf(site).chunk));
    for (const double trips : {summary.sites[site].trips.median, summary.sites[site].trips.max}) {
      const double chunks = std::ceil(trips / chunk);
      const auto add = [&](double threads) {
        if (threads > 1 && threads <= bound && counts.size() < most)
          counts.insert(static_cast<unsigned>(threads));
      };
      add(chunks);
      add(chunks + 1); // by which libomp deals them out in another way
      for (unsigned each = 2; each <= fewChunks; ++each)
        add(std::ceil(chunks / each));
    }
  }
  return {counts.begin(), counts.end()};
}

unsigned ThreadSearch::fewest() const {
  double highest = 0;
  for (const auto &[threads, found] : known)
    highest = std::max(highest, found.speedup);
  const auto isNear = [&](const auto &entry) { return entry.second.speedup * Nearly >= highest; };
  return std::ranges::find_if(known, isNear)->first;
}

/// Those of `counts` that are not known yet.
void ThreadSearch::add(std::vector<unsigned> counts) {
  std::ranges::sort(counts);
  counts.erase(std::ranges::unique(counts).begin(), counts.end());
  std::erase_if(counts, [&](unsigned count) { return known.contains(count); });
  std::vector<Estimate> results = estimate(counts);
  for (std::size_t i = 0; i < counts.size(); ++i)
    known[counts[i]] = std::move(results[i]);
}

void ThreadSearch::tryAll() {
  std::vector<unsigned> all(bound);
  std::iota(all.begin(), all.end(), 1);
  add(std::move(all));
}

/// Tries what lies around the maximum, some times closer.
void ThreadSearch::tryAround() {
  constexpr int rounds = 4;
  constexpr unsigned most = 6; // on either side
  for (int round = 0; round < rounds; ++round) {
    const auto highest =
        std::ranges::max_element(known, {}, [](const auto &entry) { return entry.second.speedup; });
    const unsigned threads = highest->first;
    std::vector<unsigned> counts;
    if (highest != known.begin())
      counts = between(std::prev(highest)->first, threads, most);
    if (std::next(highest) != known.end())
      std::ranges::copy(between(threads, std::next(highest)->first, most),
                        std::back_inserter(counts));
    if (counts.empty())
      return;
    add(std::move(counts));
  }
}

void ThreadSearch::tryFinely(const std::vector<unsigned> &likely) {
  std::vector<unsigned> counts = coarseCounts(bound);
  std::ranges::copy(likely, std::back_inserter(counts));
  add(std::move(counts));
  tryAround();
  const auto first = known.find(fewest());
  if (first != known.begin())
    add(between(std::prev(first)->first, first->first, 16));
  for (unsigned least; (least = fewest()) > 1;) {
    const unsigned fewer = std::prev(known.find(least))->first;
    if (fewer + 1 == least)
      return;
    add({fewer + (least - fewer) / 2});
  }
}

void ThreadSearch::tryDoublings(std::vector<unsigned> asked) {
  const unsigned most = *std::ranges::max_element(asked);
  for (std::uint64_t n = 2 * std::uint64_t(most); n < bound; n *= 2)
    asked.push_back(static_cast<unsigned>(n));
  asked.insert(asked.end(), {1, bound});
  add(std::move(asked));
  for (unsigned least; (least = fewest()) > 1;) {
    const unsigned half = (least + 1) / 2;
    if (known.lower_bound(half)->first < least)
      return;
    add({half});
  }
}

} // namespace prophet
