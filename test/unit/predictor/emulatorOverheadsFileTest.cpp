//===- emulatorOverheadsFileTest.cpp - Tables of overheads as files -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Overheads.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace prophet;

namespace {

/// What reading `text` as an overhead table says; empty where it is sound.
std::string readingOf(const std::string &text, Overheads *read = nullptr) {
  const std::string path = testing::TempDir() + "overheads.json";
  std::ofstream(path) << text;
  const auto table = readOverheads(path, OmpRuntime::Libomp);
  std::remove(path.c_str());
  if (!table)
    return table.error().message;
  if (read)
    *read = *table;
  return "";
}

const char *const sound = R"({"format": "prophet-overheads", "version": 1, "runtime": "libomp",
  "active": {"fork": {"1": 60, "2": 500}, "join": {"1": 5}, "lock_handoff": {"1": 20}},
  "passive": {"fork": {"1": 60}, "join": {"1": 5}, "lock_handoff": {"1": 20}},
  "static": {"start": {"1": 1}, "chunk": {"1": 2}},
  "static_chunk": {"start": {"1": 3}, "chunk": {"1": 4}},
  "dynamic_queue": {"start": {"1": 5}, "chunk": {"1": 6}},
  "dynamic_steal": {"start": {"1": 7}, "chunk": {"1": 8}},
  "lock_pair": 9, "serialized_region": 10})";

std::string with(const std::string &from, const std::string &to) {
  std::string text = sound;
  return text.replace(text.find(from), from.size(), to);
}

TEST(OverheadsFile, IsReadWhole) {
  Overheads table;
  ASSERT_EQ(readingOf(sound, &table), "");
  EXPECT_EQ(table.active.fork.at(2), 500);
  EXPECT_EQ(table.passive.fork.at(2), 60);
  EXPECT_EQ(table.staticBlock.chunk.at(2), 2);
  EXPECT_EQ(table.staticChunk.start.at(2), 3);
  EXPECT_EQ(table.queue.chunk.at(2), 6);
  EXPECT_EQ(table.steal.start.at(2), 7);
  EXPECT_EQ(table.guided.start.at(2), 5); // in older tables a queue's
  EXPECT_EQ(table.guided.chunk.at(2), 6);
  EXPECT_EQ(table.queue.interval.at(2), 0);
  EXPECT_EQ(table.lockPair, 9);
  EXPECT_EQ(table.serializedRegion, 10);
}

TEST(OverheadsFile, MayHaveGuidedChunksAndTheQueuesInterval) {
  Overheads table;
  ASSERT_EQ(readingOf(with(R"("chunk": {"1": 6}})", R"("chunk": {"1": 6}, "interval": {"2": 11}},
      "guided": {"start": {"1": 12}, "chunk": {"1": 13}})"),
                      &table),
            "");
  EXPECT_EQ(table.queue.interval.at(2), 11);
  EXPECT_EQ(table.guided.start.at(2), 12);
  EXPECT_EQ(table.guided.chunk.at(2), 13);
}

TEST(OverheadsFile, MayHaveWhatStreamsTakeThatBeginAnewAtAChunk) {
  Overheads table;
  ASSERT_EQ(readingOf(with(R"("chunk": {"1": 8}})", R"("chunk": {"1": 8}, "restart": {"2": 436}})"),
                      &table),
            "");
  EXPECT_EQ(table.steal.restart.at(2), 436);
  EXPECT_EQ(table.steal.restart.at(4), 436);
  EXPECT_EQ(table.scaled(2).steal.restart.at(2), 872);
  EXPECT_EQ(table.queue.restart.at(2), 0);
  Overheads none;
  EXPECT_TRUE(none.isNone());
  none.steal.restart = 1;
  EXPECT_FALSE(none.isNone());
}

TEST(OverheadsFile, MayHaveLibgompsTurn) {
  Overheads table;
  ASSERT_EQ(readingOf(sound, &table), "");
  EXPECT_DOUBLE_EQ(table.spinTurn, 8.3e6 / 300'000);
  ASSERT_EQ(readingOf(with("\"lock_pair\": 9", "\"lock_pair\": 9, \"spin_turn\": 14"), &table), "");
  EXPECT_EQ(table.spinTurn, 14);
  EXPECT_EQ(table.baseSlice, linuxBaseSlice);
  ASSERT_EQ(readingOf(with("\"lock_pair\": 9", "\"lock_pair\": 9, \"base_slice\": 0"), &table), "");
  EXPECT_EQ(table.baseSlice, 0);
}

TEST(OverheadsFile, ThatIsWrongIsRefusedInOneLine) {
  const auto says = [](const std::string &text, const std::string &part) {
    const std::string message = readingOf(text);
    return message.find(part) != std::string::npos && message.find('\n') == std::string::npos;
  };
  EXPECT_TRUE(says("", "is no table"));
  EXPECT_TRUE(says("[1]", "is no table"));
  EXPECT_TRUE(says(with("\"version\": 1", "\"version\": 2"), "not version 1"));
  EXPECT_TRUE(says(with("\"libomp\"", "\"libgomp\""), "measured with \"libgomp\""));
  EXPECT_TRUE(says(with("\"2\": 500", "\"two\": 500"), "\"active.fork\""));
  EXPECT_TRUE(says(with("500", "-500"), "\"active.fork\""));
  EXPECT_TRUE(says(with("500", "1e300"), "\"active.fork\""));
  EXPECT_TRUE(says(with("500", "500, \"02\": 700"), "\"active.fork\""));
  EXPECT_TRUE(says(with("\"dynamic_queue\"", "\"queue\""), "\"dynamic_queue\""));
  EXPECT_TRUE(says(with(R"("chunk": {"1": 6})", R"("chunk": {"1": 6}, "interval": 7)"),
                   "\"dynamic_queue.interval\""));
  EXPECT_TRUE(says(with("\"lock_pair\": 9", "\"lock_pair\": \"9\""), "\"lock_pair\""));
  EXPECT_NE(
      readOverheads("/nonexistent", OmpRuntime::Libomp).error().message.find("cannot be opened"),
      std::string::npos);
}

} // namespace
