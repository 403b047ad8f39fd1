//===- emulatorTaskRecordsTest.cpp - Who created whom ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskRecords.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace prophet;

namespace {

/// By walking up, one parent at a time.
bool descendsByParents(const TaskRecords &records, std::uint32_t id, std::uint32_t ancestor) {
  while (id != ancestor && records.parentOf(id) != id)
    id = records.parentOf(id);
  return id == ancestor;
}

TEST(TaskRecords, KnowEveryAncestorOfRandomTrees) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    TaskRecords records;
    std::vector<std::uint32_t> ids{records.takeRoot(), records.takeRoot()};
    const std::size_t recent = 1 + seed * 5; // of few a deep tree, of many a flat one
    while (ids.size() < 150)
      ids.push_back(
          records.takeChild(ids[ids.size() - 1 - random() % std::min(recent, ids.size())]));
    for (const std::uint32_t id : ids)
      for (const std::uint32_t ancestor : ids)
        ASSERT_EQ(records.descends(id, ancestor), descendsByParents(records, id, ancestor));
  }
}

TEST(TaskRecords, AreNotWalkedUpOneByOne) {
  TaskRecords records;
  const std::uint32_t root = records.takeRoot(), other = records.takeChild(root);
  std::uint32_t id = records.takeChild(root);
  for (int level = 0; level < 1'000'000; ++level) { // one by one: 5 * 10^11 steps
    id = records.takeChild(id);
    ASSERT_FALSE(records.descends(id, other));
    ASSERT_TRUE(records.descends(id, root));
  }
}

TEST(TaskRecords, TakeNewParentsWhereNumbersAreTakenAgain) {
  TaskRecords records;
  const std::uint32_t left = records.takeRoot(), right = records.takeRoot();
  const std::uint32_t first = records.takeChild(left);
  records.give(first);
  const std::uint32_t second = records.takeChild(right);
  EXPECT_EQ(second, first);
  EXPECT_TRUE(records.descends(second, right));
  EXPECT_FALSE(records.descends(second, left));
}

} // namespace
