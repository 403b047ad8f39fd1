//===- StreamEndsTest.cpp - What streams get that begin anew --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "linearMachine.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prophet::memmodel;

namespace {

/// Of 20 GB/s, 3.2 ns a line, whatever is moved.
MemorySystem streamMachine() {
  MemorySystem machine = prophet::test::linearMachine(80, 0, 1000);
  machine.classGbs[0] = 20;
  return machine;
}

/// 1e5 lines in 0.1 s.
SectionLoad streaming() {
  Traffic stream;
  stream.misses[0] = 1e5;
  return {1e8, stream, stream, 2};
}

} // namespace

TEST(StreamEnds, streamsBeginAnewTogether) {
  const EndsTogether unknown;
  EXPECT_EQ(unknown.timesOf(4), 2);
  EXPECT_EQ(unknown.timesOf(1), 1);
  EXPECT_EQ(unknown.timesOf(0.25), 0.25); // a quarter of the tasks has one
  EXPECT_EQ(unknown.timesOf(0), 0);
  EXPECT_NEAR((EndsTogether{5, 5}.timesOf(3)), 3, 1e-12); // one after the other
  EXPECT_EQ((EndsTogether{5, 1}.timesOf(3)), 1);          // all at once
  EXPECT_NEAR((EndsTogether{4, 2}.timesOf(16)), 4, 1e-12);
  EXPECT_EQ((EndsTogether{5, 5}.timesOf(0.5)), 0.5);
}

/// Linear in the accesses between lean and busy loops, and in how much is written.
TEST(StreamEnds, streamsBeginAnewTogetherByWhatTheLoopDoes) {
  const EndsTogether ends{4, 1, 4, 2}; // all at once, one after the other, and the root
  EXPECT_EQ(ends.timesOf(16), 1);
  EXPECT_EQ(ends.timesOf(16, 99), 1);
  EXPECT_NEAR(ends.timesOf(16, 4), 16, 1e-12);
  EXPECT_NEAR(ends.timesOf(16, 1), 16, 1e-12);
  EXPECT_NEAR(ends.timesOf(16, 10), 4, 1e-12);
  EXPECT_NEAR(ends.timesOf(16, 4, 1), 4, 1e-12);
  EXPECT_NEAR(ends.timesOf(16, 16, 1), 4, 1e-12);
  EXPECT_NEAR(ends.timesOf(16, 4, 0.5), 8, 1e-12);
  EXPECT_NEAR(ends.ofAll({1, 2, 3}, 4), 6, 1e-12);
  EXPECT_EQ(ends.ofAll({1, 2, 3}), 3);
  for (const double accesses : {4., 10., 16.}) // as busy ones, where only these were measured
    EXPECT_NEAR((EndsTogether{4, 2}.timesOf(16, accesses, 0.5)), 4, 1e-12);
  EXPECT_EQ(EndsTogether{}.timesOf(4, 4, 1), 2);
  // Means, by how far streams go: 10 accesses, and half of the lines are written.
  const auto alike = [](const StreamEnds &) { return 1.0; };
  const std::vector<StreamEnds> some{{10, 4, 0}, {30, 12, 2.0 / 3}};
  EXPECT_NEAR(ends.ofLine(some, alike), ends.ofAll({10, 30}, 10, 0.5) / 40, 1e-12);
  const std::vector<StreamEnds> half{{10, 4, 0, 0.5}, {30, 12, 2.0 / 3, 0.5}};
  EXPECT_NEAR(ends.ofLine(half, alike), ends.ofLine(some, alike) / 2, 1e-12);
}

/// What prefetchers take from the thread that writes there.
TEST(StreamEnds, streamsEndInCachesOfTheirOwn) {
  EXPECT_EQ(EndTimes{}.at(10), 0);
  const EndTimes ends{{{4, 60}, {16, 100}, {64, 120}}};
  EXPECT_EQ(ends.at(1), 15);
  EXPECT_EQ(ends.at(4), 60);
  EXPECT_NEAR(ends.at(8), 80, 1e-12);
  EXPECT_EQ(ends.at(16), 100);
  EXPECT_NEAR(ends.at(32), 110, 1e-12);
  EXPECT_EQ(ends.at(1e6), 120);
}

/// The sum, the longest, or between.
TEST(StreamEnds, streamsThatAreNotEquallyLongBeginAnewTogether) {
  EXPECT_NEAR((EndsTogether{5, 5}.ofAll({1, 2, 3})), 6, 1e-12);
  EXPECT_EQ((EndsTogether{5, 1}.ofAll({1, 2, 3})), 3);
  EXPECT_NEAR((EndsTogether{4, 2}.ofAll({1, 2, 3})), std::sqrt(14), 1e-12);
  EXPECT_NEAR((EndsTogether{}.ofAll({3, 4})), 5, 1e-12);
  for (const EndsTogether &ends : {EndsTogether{}, EndsTogether{5, 1.5}, EndsTogether{5, 4}})
    EXPECT_NEAR(ends.ofAll({7, 7, 7}), 7 * ends.timesOf(3), 1e-12);
  EXPECT_NEAR((EndsTogether{1000, 1.0001}.ofAll({7, 7, 7})), 7, 1e-12);
  EXPECT_NEAR((EndsTogether{5, 1.05}.ofAll({1e-9, 0, -1, 7})), 7, 1e-12);
  EXPECT_EQ(EndsTogether{}.ofAll({}), 0);
  EXPECT_EQ(EndsTogether{}.ofAll({0, -1}), 0);
}

/// Each by how far it goes.
TEST(StreamEnds, streamsThatAreNotEquallyLongEndLater) {
  MemorySystem machine = streamMachine();
  machine.streamRuns.lean = {{16, 5}, {64, 10}}; // 12.8 and 6.4 ns a line: ends of 153.6 and 204.8
  machine.sharedAheadNs = 2;
  machine.sharedRuns.lean = {{16, 16}}; // 4 ns: ends of 32
  SectionLoad load = streaming();
  load.ends = {{64}, {16}};
  const auto burdenOf = [&](double end) { return 1 + 1e5 * end / 80 / 1e8; };
  EXPECT_NEAR(solve(machine, load).burden, burdenOf(std::hypot(153.6, 204.8)), 1e-12);
  machine.memoryEnds = {2, 2};
  EXPECT_NEAR(solve(machine, load).burden, burdenOf(153.6 + 204.8), 1e-12);
  machine.memoryEnds = {2, 1};
  EXPECT_NEAR(solve(machine, load).burden, burdenOf(204.8), 1e-12);
  load.ends = {{64}, {64}};
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * 3.2 / 2 / 1e8, 1e-12);
  Traffic hits;
  hits.sharedHits = hits.sharedAhead = 1e5;
  load.serial = load.parallel = hits;
  load.ends = {{64}, {16}};
  EXPECT_NEAR(solve(machine, load).burden, burdenOf(32 * std::sqrt(2)), 1e-12);
}

TEST(StreamEnds, streamsThatEndAreSlower) {
  MemorySystem machine = streamMachine();
  machine.streamRuns.lean = {{16, 5}, {64, 10}, {256, 30}};
  EXPECT_EQ(machine.gbs(AccessClass::Stream), 20);
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {4}), 5);
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {16}), 5);
  EXPECT_NEAR(machine.gbs(AccessClass::Stream, {32}), 7.5, 1e-12);
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {64}), 10);
  EXPECT_NEAR(machine.gbs(AccessClass::Stream, {64.5}), 10 + 10 * std::log2(64.5 / 64), 1e-12);
  EXPECT_NEAR(machine.gbs(AccessClass::Stream, {90.50966799187809}), 15, 1e-12);
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {200}), 20); // no more than without an end
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {256}), 20);
  EXPECT_EQ(machine.gbs(AccessClass::Irregular, {4}), machine.gbs(AccessClass::Irregular));
  SectionLoad load = streaming(); // 3.2 ns a line, or 12.8
  EXPECT_NEAR(solve(machine, load).burden, 1, 1e-12);
  load.ends = {{16}};
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * (12.8 - 3.2) / 1e8, 1e-12);
  load.ends.assign(4, {16}); // wait together
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * (12.8 - 3.2) / 2 / 1e8, 1e-12);
  machine.memoryEnds = {2, 2}; // one after the other
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * (12.8 - 3.2) / 1e8, 1e-12);
  machine.memoryEnds = {};
  load.anewNs = 3e6;
  EXPECT_NEAR(solve(machine, load).burden, 1.03 + 1e5 * (12.8 - 3.2) / 2 / 1e8, 1e-12);
}

TEST(StreamEnds, busyLoopsBeginAnewMoreSlowly) {
  MemorySystem machine = streamMachine();
  machine.streamRuns.lean = {{16, 10}, {64, 15}};
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {16, 12}), 10); // not known of any
  machine.streamRuns.busy = {{16, 5}, {64, 8}};
  for (const double accesses : {0., 2., 4.})
    EXPECT_EQ(machine.gbs(AccessClass::Stream, {16, accesses}), 10);
  EXPECT_NEAR(machine.gbs(AccessClass::Stream, {16, 10}), 1 / 0.15, 1e-12); // half way in time
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {16, 16}), 5);
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {16, 100}), 5);
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {StreamEnds::endless, 16}), 20);
  // Behind the longest runs each end takes as long: 64 lines lose 1/8 - 1/20, of 256 a quarter.
  EXPECT_NEAR(machine.gbs(AccessClass::Stream, {64, 16}), 8, 1e-12);
  EXPECT_NEAR(machine.gbs(AccessClass::Stream, {256, 16}), 1 / (0.05 + 0.075 / 4), 1e-12);
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {64, 4}), 15);
  EXPECT_EQ(machine.gbs(AccessClass::Chase, {16, 16}), machine.gbs(AccessClass::Chase));
  SectionLoad load = streaming();
  load.ends = {{16, 16}};
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * (12.8 - 3.2) / 1e8, 1e-12);
}

TEST(StreamEnds, busyLoopsAreNoFasterThanOthers) {
  MemorySystem machine = streamMachine();
  machine.streamRuns.lean = {{16, 5}};
  machine.streamRuns.busy = {{16, 6}};
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {8, 16}), 5);
}

TEST(StreamEnds, writtenStreamsBeginAnewMoreSlowly) {
  MemorySystem machine = streamMachine();
  machine.streamRuns.lean = {{16, 10}};
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {16, 4, 1}), 10); // not known of them
  machine.streamRuns.written = {{16, 5}};
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {16, 4, 0}), 10);
  EXPECT_NEAR(machine.gbs(AccessClass::Stream, {16, 4, 0.5}), 1 / 0.15, 1e-12); // half way in time
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {16, 4, 1}), 5);
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {StreamEnds::endless, 4, 1}), 20);
  machine.streamRuns.busy = {{16, 4}}; // a busy loop is as slow already
  EXPECT_EQ(machine.gbs(AccessClass::Stream, {16, 16, 1}), 4);
  SectionLoad load = streaming();
  load.ends = {{16, 4, 1}};
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * (12.8 - 3.2) / 1e8, 1e-12);
}

TEST(StreamEnds, streamsOfTheSharedCacheBeginAnewAsMeasuredThere) {
  MemorySystem machine = streamMachine();
  machine.classGbs[std::size_t(AccessClass::Irregular)] = 5;
  machine.streamRuns.lean = {{16, 10}};
  machine.sharedHitNs = 4;
  machine.sharedAheadNs = 2;
  EXPECT_NEAR(machine.sharedAnewNs({16}), 1, 1e-12); // 5/10 of 4 ns in place of 5/20
  machine.sharedRuns.lean = {{16, 16}};              // of 32: 4 ns a line in place of 2
  EXPECT_NEAR(machine.sharedAnewNs({16}), 2, 1e-12);
  EXPECT_NEAR(machine.sharedAnewNs({16, 4, 1}), 2, 1e-12); // not known of those that are written
  machine.sharedRuns.written = {{16, 8}};
  EXPECT_NEAR(machine.sharedAnewNs({16, 4, 1}), 6, 1e-12);
  EXPECT_NEAR(machine.sharedAnewNs({16, 4, 0.25}), 3, 1e-12);
  EXPECT_NEAR(machine.sharedAnewNs({32, 4, 0.25}), 1.5, 1e-12); // each end as long
  EXPECT_EQ(machine.sharedAnewNs({}), 0);
  machine.sharedRuns.busy = {{16, 10.0}}; // 6.4 ns a line
  EXPECT_NEAR(machine.sharedAnewNs({16, 10, 0}), (2 + 4.4) / 2, 1e-12);
  EXPECT_NEAR(machine.sharedAnewNs({16, 16, 0.5}), (4.4 + 6) / 2, 1e-12);
  Traffic hits;
  hits.sharedHits = hits.sharedAhead = 1e5;
  SectionLoad load{1e8, hits, hits, 2};
  load.ends.assign(4, {16, 4, 0.25}); // wait together
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * 3 / 2 / 1e8, 1e-12);
}

TEST(StreamEnds, streamsOfTheSharedCacheLoseAsThoseFromMemoryWhereTheyWereNotMeasured) {
  MemorySystem machine = streamMachine();
  machine.classGbs[std::size_t(AccessClass::Irregular)] = 5;
  machine.streamRuns.lean = {{16, 4}};
  machine.sharedHitNs = 4;
  EXPECT_NEAR(machine.sharedAnewNs({16}), 3, 1e-12); // no more than 4 ns in place of 5/20
  machine.sharedRuns.lean = {{16, 16}};              // of what, is not known
  EXPECT_NEAR(machine.sharedAnewNs({16}), 3, 1e-12);
  machine.lineBytes = 128;
  machine.sharedAheadNs = 4; // of 32 GB/s
  EXPECT_NEAR(machine.sharedAnewNs({16}), 4, 1e-12);
}

TEST(StreamEnds, streamsThatBeginAnewAreNotFittedEither) {
  MemorySystem machine = streamMachine();
  machine.streamRuns.lean = {{16, 5}};
  Traffic stream;
  stream.misses[0] = 1e5;
  const double stalls = 1e5 * 3.2, half = stalls / 2; // which is all the time that there is
  SectionLoad load{half, stream, stream, 2};
  EXPECT_TRUE(solve(machine, load).clamped);
  EXPECT_NEAR(solve(machine, load).burden, 1, 1e-12);
  load.ends = {{8}};
  load.anewNs = 7e3;
  EXPECT_NEAR(solve(machine, load).burden, 1 + (1e5 * (12.8 - 3.2) + 7e3) / half, 1e-12);
  load.anewNs = 0;
  // From the shared cache: 10 ns a line, a quarter of that where prefetchers go on.
  machine.sharedHitNs = 10;
  machine.classGbs[std::size_t(AccessClass::Irregular)] = 5;
  Traffic hits;
  hits.sharedHits = hits.sharedAhead = 1e5;
  load.serialNs = 1e5 * 2.5 / 2;
  load.serial = load.parallel = hits;
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * 7.5 / load.serialNs, 1e-12);
  machine.sharedAheadNs = 4; // that cache is no faster
  load.serialNs = 1e5 * 4;
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * 7.5 / load.serialNs, 1e-12);
  load.ends.clear();
  EXPECT_NEAR(solve(machine, load).burden, 1, 1e-12);
  // Where the serial run has none of them, they are not scaled down with its misses.
  load.serial = stream;
  load.serialNs = half;
  EXPECT_NEAR(solve(machine, load).burden, 1e5 * 4 / half, 1e-12);
}
