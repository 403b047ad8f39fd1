//===- ReplayTest.cpp - Caches of several threads, by hand and by law -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replayLines.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace prophet::memmodel;
using namespace prophet::test;

namespace {

TEST(Replay, OneThreadMissesWhatBothCachesCannotHold) {
  const Lines twenty = stream(0, 20);
  const std::vector<Piece> once{{0, 0, 1, twenty}};
  Replay fits(1, {4, 20}, 1), large(1, {20, 100}, 1), small(1, {4, 19}, 1);
  EXPECT_EQ(misses(fits.run(once)), 20);
  const Traffic again = fits.run(once);
  EXPECT_EQ(misses(again), 0);
  EXPECT_EQ(again.sharedHits, 20);
  large.run(once);
  EXPECT_EQ(large.run(once).sharedHits, 0);
  small.run(once);
  EXPECT_EQ(misses(small.run(once)), 20);
}

TEST(Replay, TellsWhichLinesFromTheSharedCacheAreChased) {
  Lines lines = stream(0, 20);
  for (std::uint32_t i = 0; i < 20; ++i) // 10 streams, 5 irregular, 5 chased
    lines[i].accessClass = i < 10   ? AccessClass::Stream
                           : i < 15 ? AccessClass::Irregular
                                    : AccessClass::Chase;
  const std::vector<Piece> once{{0, 0, 1, lines}};
  Replay replay(1, {8, 40}, 0.5);
  EXPECT_EQ(replay.run(once).sharedChased, 0);
  const Traffic again = replay.run(once);
  EXPECT_EQ(again.sharedHits, 40); // the sample has half of all
  EXPECT_EQ(again.sharedAhead, 20);
  EXPECT_EQ(again.sharedChased, 10);
}

TEST(Replay, WhatIsWrittenGoesBackOnce) {
  const Lines written = stream(0, 10, true), read = stream(100, 30);
  Replay replay(1, {2, 8}, 1); // the shared cache keeps old copies of the private one's two, too
  EXPECT_EQ(replay.run(std::vector<Piece>{{0, 0, 1, written}}).writeBacks, 2);
  EXPECT_EQ(replay.run(std::vector<Piece>{{0, 0, 1, read}}).writeBacks, 8);
  EXPECT_EQ(replay.run(std::vector<Piece>{{0, 0, 1, read}}).writeBacks, 0);
}

TEST(Replay, ThreadsTogetherHaveMorePrivateCache) {
  // Each of four threads comes back to a quarter of the lines: the first row of Table IV.
  const Lines all = stream(0, 40);
  std::vector<Piece> pieces;
  for (unsigned thread = 0; thread < 4; ++thread)
    pieces.push_back({thread, 0, 1, std::span(all).subspan(thread * 10, 10)});
  Replay four(4, {10, 40}, 1), one(1, {10, 40}, 1);
  four.run(pieces);
  EXPECT_EQ(four.run(pieces).sharedHits, 0);
  const std::vector<Piece> serial{{0, 0, 1, all}};
  one.run(serial);
  EXPECT_EQ(one.run(serial).sharedHits, 40);
}

TEST(Replay, ThreadsTogetherFillTheSharedCache) {
  // Alone, each task's lines stay; at the same time they drive each other out: the third row.
  const Lines first = stream(0, 10), second = stream(10, 10);
  const auto twice = [](Lines lines) {
    lines.insert(lines.end(), lines.begin(), lines.end());
    return lines;
  };
  const Lines a = twice(first), b = twice(second);
  Replay one(1, {1, 10}, 1), two(2, {1, 10}, 1);
  EXPECT_EQ(misses(one.run(std::vector<Piece>{{0, 0, 1, a}, {0, 1, 2, b}})), 20);
  EXPECT_EQ(misses(two.run(std::vector<Piece>{{0, 0, 1, a}, {1, 0, 1, b}})), 40);
}

TEST(Replay, LinesMoveToWhoWritesThem) {
  const Lines row = stream(0, 8, true);
  Replay replay(2, {100, 100}, 1);
  const auto step = [&](unsigned thread) {
    return replay.run(std::vector<Piece>{{thread, 0, 1, row}});
  };
  EXPECT_EQ(misses(step(0)), 8);
  EXPECT_EQ(step(0).transfers, 0);
  EXPECT_EQ(step(1).transfers, 8);
  EXPECT_EQ(step(0).transfersAhead, 8);
  EXPECT_EQ(step(0).transfers, 0);
}

TEST(Replay, LinesMoveByWhatIsDoneWithThem) {
  const Lines changed = stream(0, 8, true), used = stream(0, 8);
  Replay replay(2, {100, 100}, 0.5);
  const auto step = [&](unsigned thread, const Lines &lines) {
    return replay.run(std::vector<Piece>{{thread, 0, 1, lines}});
  };
  step(0, changed);
  const Traffic read = step(1, used);
  EXPECT_EQ(read.transfersAhead, 16);
  EXPECT_EQ(read.readAhead, 16);
  EXPECT_EQ(read.upgradedAhead, 0);
  for (const unsigned thread : {0, 1}) { // both have a copy
    const Traffic upgraded = step(thread, changed);
    EXPECT_EQ(upgraded.transfersAhead, 16);
    EXPECT_EQ(upgraded.upgradedAhead, 16 - 16 * thread); // then the first one has it alone
    EXPECT_EQ(upgraded.readAhead, 0);
    EXPECT_EQ(upgraded.writtenAhead, 16 * thread);
  }
  Lines strides = changed;
  for (Reference &reference : strides)
    reference.accessClass = AccessClass::Stride;
  EXPECT_EQ(step(0, strides).stridesAhead(), 16);
  EXPECT_EQ(step(1, strides).writtenAhead, 0);
}

TEST(Replay, PrefetchersKnowStreamsAndStridesAndIrregularLinesAreFetchedAtOnce) {
  using enum AccessClass;
  for (const auto &[accessClass, ahead, atOnce] :
       {std::tuple(Stream, 8, 0), {Stride, 8, 0}, {Irregular, 0, 8}, {Chase, 0, 0}}) {
    Lines row = stream(0, 8, true);
    for (Reference &reference : row)
      reference.accessClass = accessClass;
    Replay replay(2, {100, 100}, 0.5);
    replay.run(std::vector<Piece>{{0, 0, 1, row}});
    const Traffic traffic = replay.run(std::vector<Piece>{{1, 0, 1, row}});
    EXPECT_EQ(traffic.transfers, 16);
    EXPECT_EQ(traffic.transfersAhead, 2 * ahead) << className(accessClass);
    EXPECT_EQ(traffic.transfersAtOnce, 2 * atOnce) << className(accessClass);
  }
}

TEST(Replay, PrefetchersKnowStreamsAndStridesOfTheSharedCacheToo) {
  using enum AccessClass;
  for (const auto &[accessClass, ahead] :
       {std::pair(Stream, 8), {Stride, 8}, {Irregular, 0}, {Chase, 0}}) {
    Lines row = stream(0, 8);
    for (Reference &reference : row)
      reference.accessClass = accessClass;
    Replay replay(1, {2, 100}, 0.5);
    const std::vector<Piece> once{{0, 0, 1, row}};
    EXPECT_EQ(replay.run(once).sharedHits, 0);
    const Traffic traffic = replay.run(once);
    EXPECT_EQ(traffic.sharedHits, 16);
    EXPECT_EQ(traffic.sharedAhead, 2 * ahead) << className(accessClass);
  }
}

TEST(Replay, CachesHaveAsManyLinesAsAreNearestAndOneAtLeast) {
  const Lines three = stream(0, 3);
  const std::vector<Piece> once{{0, 0, 1, three}};
  const auto again = [&](const CacheSizes &sizes, double rate) {
    Replay replay(1, sizes, rate);
    replay.run(once);
    return replay.run(once).scaled(rate);
  };
  EXPECT_EQ(again({5.2, 100}, 0.5).sharedHits, 0); // three lines
  EXPECT_EQ(again({4.8, 100}, 0.5).sharedHits, 3); // two
  EXPECT_EQ(misses(again({1, 5.2}, 0.5)), 0);
  EXPECT_EQ(misses(again({1, 4.8}, 0.5)), 3);
  const Lines one = stream(0, 1);
  Replay replay(1, {0, 0}, 1);
  replay.run(std::vector<Piece>{{0, 0, 1, one}});
  EXPECT_EQ(misses(replay.run(std::vector<Piece>{{0, 0, 1, one}})), 0);
}

TEST(Replay, FalseSharingIsSharing) {
  // Two threads write different words of one line by turns.
  const Lines random(10, Reference{0, AccessClass::Irregular, true});
  const Traffic one =
      Replay(2, {10, 10}, 1).run(std::vector<Piece>{{0, 0, 10, random}, {1, 0, 10, random}});
  EXPECT_EQ(one.transfersAtOnce, 1);
  const Lines writes(10, Reference{0, AccessClass::Stream, true});
  Replay replay(2, {10, 10}, 1);
  const Traffic traffic = replay.run(std::vector<Piece>{{0, 0, 10, writes}, {1, 0, 10, writes}});
  EXPECT_EQ(traffic.transfers, 19);
  EXPECT_EQ(traffic.transfersAhead, 1); // the second thread's first
  EXPECT_EQ(misses(traffic), 1);
  for (unsigned thread : {0, 1, 0}) { // in sections one after the other
    const Traffic later = replay.run(std::vector<Piece>{{thread, 0, 1, stream(0, 1, true)}});
    EXPECT_EQ(later.transfersAhead, later.transfers);
  }
}

TEST(Replay, WhoReadsALineThatAnotherWritesMeanwhileIsAtIt) {
  const Lines reads(10, Reference{0, AccessClass::Stream, false});
  const Lines writes(10, Reference{0, AccessClass::Stream, true});
  Replay replay(2, {10, 10}, 1);
  const Traffic traffic = replay.run(std::vector<Piece>{{0, 0, 10, reads}, {1, 0, 10, writes}});
  EXPECT_EQ(misses(traffic), 1);
  EXPECT_EQ(traffic.sharedHits, 1);
  EXPECT_EQ(traffic.transfers, 18);
  EXPECT_EQ(traffic.transfersAhead, 0);
}

TEST(Replay, ReadersKeepTheirCopies) {
  const Lines written = stream(0, 5, true), read = stream(0, 5);
  Replay replay(3, {10, 10}, 1);
  replay.run(std::vector<Piece>{{0, 0, 1, written}});
  EXPECT_EQ(replay.run(std::vector<Piece>{{1, 0, 1, read}}).transfers, 5); // from the writer
  EXPECT_EQ(replay.run(std::vector<Piece>{{2, 0, 1, read}}).sharedHits, 5);
  EXPECT_EQ(replay.run(std::vector<Piece>{{0, 0, 1, read}, {1, 0, 1, read}}).transfers, 0);
  EXPECT_EQ(replay.run(std::vector<Piece>{{1, 0, 1, written}}).transfers, 5); // others drop theirs
  EXPECT_EQ(replay.run(std::vector<Piece>{{0, 0, 1, read}}).transfers, 5);
}

TEST(Replay, TheOwnerChangesInEachStepOfAnLUUnderChunksOfOne) {
  // Step k updates rows k + 1 .. n - 1 by row k. Under static the rows are cut anew in each step,
  // of which few change hands; under static,1 all that both have an odd row number apart do.
  constexpr std::uint32_t rows = 12, lines = 3;
  const auto transfers = [&](auto threadOf) {
    Replay replay(2, {1000, 1000}, 1);
    double all = 0;
    for (std::uint32_t k = 0; k + 1 < rows; ++k) {
      std::vector<Lines> updates;
      for (std::uint32_t row = k + 1; row < rows; ++row)
        updates.push_back(stream(row * lines, lines, true));
      std::vector<Piece> pieces;
      for (std::uint32_t i = 0; i < updates.size(); ++i)
        pieces.push_back({threadOf(i, updates.size()), double(i), i + 1., updates[i]});
      all += replay.run(pieces).transfers;
    }
    return all;
  };
  const auto chunksOfOne = [](std::size_t i, std::size_t) { return unsigned(i % 2); };
  const auto blocks = [](std::size_t i, std::size_t n) { return unsigned(i >= (n + 1) / 2); };
  // From the second step on every row that is left has changed hands: 10 + 9 + ... + 1 of them.
  EXPECT_EQ(transfers(chunksOfOne), 55 * lines);
  EXPECT_EQ(transfers(blocks), 5 * lines); // every second step one row
}

TEST(Replay, ALastCacheMayBeSomeThreads) {
  // Threads 0 and 1 share one, thread 2 has another.
  const Lines written = stream(0, 8, true), read = stream(0, 8), flood = stream(100, 20);
  const auto after = [&](std::vector<std::pair<unsigned, const Lines *>> steps) {
    Replay replay(3, {4, 100, 2}, 1);
    Traffic last;
    for (const auto &[thread, lines] : steps)
      last = replay.run(std::vector<Piece>{{thread, 0, 1, *lines}});
    return last;
  };
  // What was only read the other cache has from memory, what was written from the first one.
  EXPECT_EQ(misses(after({{0, &read}, {2, &read}})), 8);
  EXPECT_EQ(after({{0, &read}, {1, &read}}).sharedHits + after({{0, &read}, {1, &read}}).transfers,
            8);
  for (const Lines *after0 : {&read, &flood}) { // in the private cache still, or in the shared one
    EXPECT_EQ(after({{0, &written}, {0, after0}, {2, &read}}).transfers, 8);
    EXPECT_EQ(misses(after({{0, &written}, {0, after0}, {2, &read}})), 0);
  }
  EXPECT_EQ(after({{0, &written}, {2, &read}, {2, &flood}, {2, &read}}).sharedHits, 8);
  // A write has the other cache drop its copies, and they are all gone.
  EXPECT_EQ(after({{0, &read}, {2, &read}, {2, &written}}).transfers, 8);
  EXPECT_EQ(after({{0, &read}, {2, &read}, {2, &written}, {0, &read}}).transfers, 8);
  EXPECT_EQ(after({{0, &written}, {2, &written}, {2, &flood}, {2, &read}}).sharedHits, 8);
}

TEST(Replay, WhatWasWrittenMovesFromTheSharedCacheToWhoReadsItAlone) {
  const Lines written = stream(0, 8, true), read = stream(0, 8), flood = stream(100, 20);
  const auto after = [&](std::vector<std::pair<unsigned, const Lines *>> steps) {
    Replay replay(3, {10, 100}, 1);
    Traffic last;
    for (const auto &[thread, lines] : steps)
      last = replay.run(std::vector<Piece>{{thread, 0, 1, *lines}});
    return last;
  };
  using Steps = std::vector<std::pair<unsigned, const Lines *>>;
  Steps steps = {{0, &written}, {0, &flood}, {1, &read}};
  EXPECT_EQ(after(steps).sharedHits, 8);
  steps.push_back({0, &read});
  EXPECT_EQ(after(steps).transfers, 8); // from thread 1
  EXPECT_EQ(after(steps).transfersAhead, 8);
  for (const unsigned thread : {2, 0, 1, 2}) { // two had it: then it is where all find it
    steps.push_back({thread, &flood});
    steps.push_back({thread, &read});
    EXPECT_EQ(after(steps).sharedHits, 8);
    EXPECT_EQ(after(steps).transfers, 0);
  }
  steps = {{0, &read}, {0, &flood}, {1, &read}, {2, &read}}; // nothing new in it
  EXPECT_EQ(after(steps).sharedHits, 8);
  // From a cache that has moved it back to the shared one it moves again.
  steps = {{0, &written}, {0, &flood}, {1, &read}, {1, &flood}, {2, &read}};
  EXPECT_EQ(after(steps).sharedHits, 8);
  steps.push_back({0, &read});
  EXPECT_EQ(after(steps).transfers, 8);
}

TEST(Replay, WhatAnotherLastLevelCacheHasDoesNotMove) {
  // Threads 0 and 1 share one, thread 2 has another, which has a copy.
  const Lines written = stream(0, 8, true), read = stream(0, 8), flood = stream(100, 20);
  Replay replay(3, {10, 100, 2}, 1);
  Traffic last;
  for (const auto &[thread, lines] :
       {std::pair(0u, &written), {0u, &flood}, {2u, &read}, {2u, &flood}, {1u, &read}, {2u, &read}})
    last = replay.run(std::vector<Piece>{{thread, 0, 1, *lines}});
  EXPECT_EQ(last.sharedHits, 8);
  EXPECT_EQ(last.transfers, 0);
}

TEST(Replay, ReferencesOfAThreadAreSpreadOverItsPieces) {
  // Reads of thread 1 find what thread 0 has written before them.
  const Lines writes = stream(0, 4, true), reads = stream(0, 4);
  Replay replay(2, {10, 10}, 1);
  const Traffic traffic = replay.run(std::vector<Piece>{{0, 0, 4, writes}, {1, 1, 5, reads}});
  EXPECT_EQ(traffic.transfers, 4);
  EXPECT_EQ(misses(traffic), 4);
  Replay before(2, {10, 10}, 1);
  EXPECT_EQ(misses(before.run(std::vector<Piece>{{0, 1, 5, writes}, {1, 0, 4, reads}})), 4);
}

TEST(Replay, ReferencesAreInTheMiddleOfTheirTime) {
  // One write, at 0.5, and two reads, of which the first one is at 0.25: it comes from memory, and
  // what is written from the shared cache.
  const Lines writes = stream(0, 1, true), reads{stream(0, 1)[0], stream(1, 1)[0]};
  Replay replay(2, {10, 10}, 1);
  const Traffic traffic = replay.run(std::vector<Piece>{{0, 0, 1, writes}, {1, 0, 1, reads}});
  EXPECT_EQ(traffic.sharedHits, 1);
  EXPECT_EQ(traffic.transfers, 0);
}

TEST(Replay, OfTwoThreadsAtTheSameTimeTheLowerOneIsFirst) {
  const Lines write = stream(0, 1, true), read = stream(0, 1);
  for (const unsigned writer : {0, 1}) {
    Replay replay(2, {10, 10}, 1);
    const Traffic traffic =
        replay.run(std::vector<Piece>{{writer, 0, 1, write}, {1 - writer, 0, 1, read}});
    EXPECT_EQ(traffic.transfers, writer == 0 ? 1 : 0);
    EXPECT_EQ(traffic.sharedHits, writer == 0 ? 0 : 1);
  }
}

TEST(Replay, TellsWhatIsWrittenInAThreadsOwnCache) {
  Lines updates;
  for (std::uint32_t line = 0; line < 10; ++line) { // two arrays, each line read and then written
    updates.push_back({line, AccessClass::Stream, false});
    updates.push_back({20 + line, AccessClass::Stream, false});
    updates.push_back({line, AccessClass::Stream, true});
    updates.push_back({20 + line, AccessClass::Stream, true});
    updates.push_back({line, AccessClass::Stream, true});
  }
  const std::vector<Piece> mine{{0, 0, 1, updates}}, others{{1, 0, 1, updates}};
  const std::vector<Piece> twice{{0, 0, 1, updates}, {0, 1, 2, updates}};
  Replay replay(2, {100, 1000}, 0.5);
  EXPECT_EQ(replay.run(mine).ownWritten, 0); // fetched first
  EXPECT_EQ(replay.run(mine).ownWritten, 40);
  EXPECT_EQ(replay.run(twice).ownWritten, 80); // each piece's
  EXPECT_EQ(replay.run(others).ownWritten, 0); // taken from the first thread
  EXPECT_EQ(replay.run(others).ownWritten, 40);
  Replay reads(2, {100, 1000}, 1);
  const Lines some = stream(0, 10);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(reads.run(std::vector<Piece>{{0, 0, 1, some}}).ownWritten, 0);
  reads.run(std::vector<Piece>{{1, 0, 1, some}});
  const Lines written = stream(0, 10, true);
  EXPECT_EQ(reads.run(std::vector<Piece>{{0, 0, 1, written}}).ownWritten, 0); // the other has them
  EXPECT_EQ(reads.run(std::vector<Piece>{{0, 0, 1, written}}).ownWritten, 10);
  Lines irregular = written;
  for (Reference &reference : irregular)
    reference.accessClass = AccessClass::Irregular;
  EXPECT_EQ(reads.run(std::vector<Piece>{{0, 0, 1, irregular}}).ownWritten, 0);
}

TEST(Replay, ASampleStandsForAllLines) {
  // Lines that a hash picks, with caches as much smaller: here every eighth.
  std::mt19937 random(5);
  std::vector<Lines> all(6), sampled(6);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (int n = 0; n < 40000; ++n) {
      const std::uint32_t line = (random() % 3 ? i * 3000 : 0) + random() % 6000;
      const Reference reference{line, AccessClass::Irregular, random() % 4 == 0};
      all[i].push_back(reference);
      if (line * 2654435761u >> 29 == 0)
        sampled[i].push_back({line, reference.accessClass, reference.isWrite});
    }
  const auto replayed = [](const std::vector<Lines> &lines, double rate) {
    Replay replay(3, {2000, 9000}, rate);
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < lines.size(); ++i)
      pieces.push_back({unsigned(i % 3), double(i / 3), i / 3 + 1., lines[i]});
    return replay.run(pieces);
  };
  const Traffic exact = replayed(all, 1), estimate = replayed(sampled, 0.125);
  EXPECT_NEAR(misses(estimate) / misses(exact), 1, 0.03);
  EXPECT_NEAR(estimate.sharedHits / exact.sharedHits, 1, 0.03);
  EXPECT_NEAR(estimate.transfers / exact.transfers, 1, 0.03);
}

} // namespace
