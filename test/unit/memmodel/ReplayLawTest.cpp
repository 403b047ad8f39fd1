//===- ReplayLawTest.cpp - Caches as the plainest ones ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Replay.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <list>
#include <random>
#include <set>

using namespace prophet::memmodel;

namespace {

using Lines = std::vector<Reference>;

/// The same caches, written as plainly as can be.
class PlainCaches {
public:
  PlainCaches(unsigned threads, std::size_t each, std::size_t together, unsigned sharers)
      : own(threads), shared((threads - 1) / sharers + 1), each(each), together(together),
        sharers(sharers) {}
  Traffic traffic;

  void refer(unsigned thread, const Reference &r) {
    const unsigned group = thread / sharers;
    const bool has = find(own[thread], r.line), isShared = find(shared[group], r.line);
    bool others = false, near = false, farCopy = false, farDirty = false;
    unsigned writer = ~0u;
    for (unsigned other = 0; other < own.size(); ++other)
      if (const Entry *found = other == thread ? nullptr : find(own[other], r.line)) {
        others = true;
        near |= other / sharers == group;
        if (found->isDirty)
          writer = other;
      }
    for (unsigned other = 0; other < shared.size(); ++other)
      if (const Entry *found = other == group ? nullptr : find(shared[other], r.line)) {
        farCopy = true;
        farDirty |= found->isDirty;
      }
    Entry *copy = find(shared[group], r.line);
    const bool moves =
        !has && !others && !farCopy && copy && copy->isDirty && !readByTwo.contains(r.line);
    const bool wrote = writer != ~0u, asks = r.isWrite && (others || farCopy);
    if (has)
      traffic.transfers += asks;
    else if (wrote)
      ++traffic.transfers;
    else if (isShared)
      ++(asks && shared.size() > 1 ? traffic.transfers : traffic.sharedHits);
    else if (near || farDirty)
      ++traffic.transfers;
    else
      ++traffic.misses[std::size_t(r.accessClass)];
    if (!has && wrote && !r.isWrite)
      readByTwo.insert(r.line);
    if (r.isWrite)
      readByTwo.erase(r.line);
    if (moves)
      copy->isDirty = false;
    if (!has && wrote && !r.isWrite)
      put(shared[writer / sharers], r.line, true);
    if (!has && !(wrote && (r.isWrite || writer / sharers == group)))
      put(shared[group], r.line, false);
    const auto isIt = [&](const Entry &entry) { return entry.line == r.line; };
    for (unsigned other = 0; other < own.size(); ++other)
      if (other != thread && r.isWrite)
        std::erase_if(own[other], isIt);
      else if (Entry *entry = other == thread ? nullptr : find(own[other], r.line))
        entry->isDirty = false;
    for (unsigned other = 0; other < shared.size() && r.isWrite; ++other)
      if (other != group)
        std::erase_if(shared[other], isIt);
      else if (Entry *entry = find(shared[other], r.line))
        entry->isDirty = false;
    Entry entry{r.line, r.isWrite || moves};
    if (const Entry *old = find(own[thread], r.line))
      entry.isDirty |= old->isDirty;
    std::erase_if(own[thread], isIt);
    own[thread].push_back(entry);
    if (own[thread].size() > each) {
      const Entry evicted = own[thread].front();
      own[thread].pop_front();
      if (evicted.isDirty)
        put(shared[group], evicted.line, true);
    }
  }

private:
  struct Entry {
    std::uint32_t line;
    bool isDirty;
  };
  using Cache = std::list<Entry>; // the newest last
  std::vector<Cache> own, shared;
  std::set<std::uint32_t> readByTwo; ///< since they were written
  std::size_t each, together;
  unsigned sharers;

  static Entry *find(Cache &cache, std::uint32_t line) {
    const auto found =
        std::ranges::find_if(cache, [&](const Entry &entry) { return entry.line == line; });
    return found == cache.end() ? nullptr : &*found;
  }
  void put(Cache &cache, std::uint32_t line, bool isDirty) {
    std::erase_if(cache, [&](const Entry &old) {
      isDirty |= old.line == line && old.isDirty;
      return old.line == line;
    });
    cache.push_back({line, isDirty});
    if (cache.size() > together) {
      traffic.writeBacks += cache.front().isDirty;
      cache.pop_front();
    }
  }
};

TEST(Replay, IsAsThePlainOne) {
  std::mt19937 random(1);
  const auto upTo = [&](unsigned most) { return unsigned(random() % (most + 1)); };
  for (int trial = 0; trial < 600; ++trial) {
    const unsigned threads = 1 + upTo(4), most = 4 + upTo(40), sharers = 1 + upTo(threads - 1);
    const std::size_t each = 1 + upTo(10), together = 1 + upTo(30);
    Replay replay(threads, {double(each), double(together), sharers}, 1);
    PlainCaches plain(threads, each, together, sharers);
    for (int run = 0; run < 4; ++run) {
      plain.traffic = {};
      std::vector<Lines> lines(1 + upTo(8));
      std::vector<Piece> pieces;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        for (unsigned n = upTo(60); n > 0; --n)
          lines[i].push_back({upTo(most), AccessClass(upTo(3)), upTo(2) == 0});
        pieces.push_back({upTo(threads - 1), double(i), i + 1., lines[i]}); // one after another
        for (const Reference &reference : lines[i])
          plain.refer(pieces.back().thread, reference);
      }
      const Traffic found = replay.run(pieces);
      ASSERT_EQ(found.misses, plain.traffic.misses) << trial;
      ASSERT_EQ(found.writeBacks, plain.traffic.writeBacks) << trial;
      ASSERT_EQ(found.sharedHits, plain.traffic.sharedHits) << trial;
      ASSERT_EQ(found.transfers, plain.traffic.transfers) << trial;
    }
  }
}

} // namespace
