//===- OwnLinesTest.cpp - Lines of which each thread has another one ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replayLines.h"

#include <gtest/gtest.h>

using namespace prophet::memmodel;
using namespace prophet::test;

TEST(OwnLines, AreNumberedBehindAllOthers) {
  const std::vector<std::uint32_t> numbers{1, 3};
  const OwnLines own(numbers, 5);
  for (const std::uint32_t shared : {0, 2, 4})
    EXPECT_EQ(own.of(7, shared), shared);
  EXPECT_EQ(own.of(0, 1), 1u);
  EXPECT_EQ(own.of(0, 3), 3u);
  EXPECT_EQ(own.of(1, 1), 5u);
  EXPECT_EQ(own.of(1, 3), 6u);
  EXPECT_EQ(own.of(2, 1), 7u);
  for (const unsigned thread : {0, 1, 9})
    for (const std::uint32_t number : {0, 1, 2, 3, 4})
      EXPECT_EQ(own.numberOf(own.of(thread, number)), number);
  EXPECT_EQ(OwnLines().of(3, 8), 8u);
  EXPECT_EQ(OwnLines().numberOf(8), 8u);
}

TEST(Replay, HasATasksOwnLinesOnceForEachThread) {
  const Lines both = stream(0, 2, true); // one of them is the tasks' own
  const std::vector<Piece> turns{
      {0, 0, 1, both}, {1, 1, 2, both}, {0, 2, 3, both}, {1, 3, 4, both}};
  const std::vector<std::uint32_t> own{0};
  const Traffic alike = Replay(2, {10, 10}, 1).run(turns);
  EXPECT_EQ(misses(alike), 2);
  EXPECT_EQ(alike.transfers, 6);
  const Traffic apart = Replay(2, {10, 10}, 1, {own, 2}).run(turns);
  EXPECT_EQ(misses(apart), 3);
  EXPECT_EQ(apart.transfers, 3);
}

TEST(Replay, WritesBackATasksOwnLines) {
  const std::vector<std::uint32_t> own{0};
  Replay replay(2, {1, 1}, 1, {own, 3});
  Lines lines = stream(0, 3);
  lines[0].isWrite = true;
  const Traffic traffic = replay.run(std::vector<Piece>{{1, 0, 1, lines}});
  EXPECT_EQ(misses(traffic), 3);
  EXPECT_EQ(traffic.writeBacks, 1);
  const Lines first = stream(0, 1);
  EXPECT_EQ(misses(replay.run(std::vector<Piece>{{0, 0, 1, first}})), 1); // it never had that
}
