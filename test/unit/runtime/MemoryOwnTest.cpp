//===- MemoryOwnTest.cpp - What of the stack is a task's own ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MeasuredProfile.h"

namespace {

/// By where on the stack tasks begin, which grows downwards, and by what they declare.
TEST(MemoryOwn, IsWhatTasksDeclareAndCall) {
  Profile profile(0);
  const std::uintptr_t stack = std::uintptr_t(1) << 40;
  const auto own = [&](std::uintptr_t address, std::uintptr_t here) {
    return memory_own(profile, address, Read, here);
  };
  constexpr unsigned Both = Read | MEMORY_OWN | MEMORY_OWN_OUTERMOST;
  memory_task_at(profile, stack); // of no section
  EXPECT_EQ(own(stack - 64, stack - 128), Read);
  memory_open(profile, Site, stack + 64, nullptr);
  memory_declare(profile, 5000, 100); // before there is a task
  EXPECT_EQ(own(5000, stack - 128), Read);
  EXPECT_EQ(own(stack - 64, stack - 128), Read);
  memory_task_at(profile, stack);
  EXPECT_EQ(own(stack - 64, stack - 128), Both);
  EXPECT_EQ(own(stack, stack - 128), Read);
  EXPECT_EQ(own(stack - 129, stack - 128), Read); // below the stack's end
  EXPECT_EQ(own(stack - 64, stack - MEMORY_STACK), Read);
  EXPECT_EQ(own(stack - 64, stack + 4096), Read); // another stack
  memory_declare(profile, 5000, 100);
  EXPECT_EQ(own(5000, stack - 128), Both);
  memory_pause(profile); // tasks of sections that are not opened
  memory_task_at(profile, stack - 100);
  memory_declare(profile, 7000, 100);
  memory_resume(profile);
  EXPECT_EQ(own(5000, stack - 128), Both);
  EXPECT_EQ(own(7000, stack - 128), Read);
  EXPECT_EQ(own(stack - 64, stack - 128), Both);
  EXPECT_EQ(own(5099, stack + 4096), Both);
  EXPECT_EQ(own(5100, stack - 128), Read);
  const unsigned inside =
      memory_open(profile, "parallel_for|app.c|2|inside|", stack - 512, nullptr);
  EXPECT_EQ(own(5000, stack - 600), Read | MEMORY_OWN_OUTERMOST);
  memory_task_at(profile, stack - 600);
  memory_declare(profile, 6000, 8);
  EXPECT_EQ(own(6000, stack - 700), Both);
  EXPECT_EQ(own(5000, stack - 700), Read | MEMORY_OWN_OUTERMOST);
  EXPECT_EQ(own(stack - 300, stack - 700), Read | MEMORY_OWN_OUTERMOST);
  EXPECT_EQ(own(stack - 650, stack - 700), Both);
  memory_task_at(profile, stack - 600); // the next one, which declares nothing
  EXPECT_EQ(own(6000, stack - 700), Read);
  memory_close(profile, inside);
  EXPECT_EQ(own(5000, stack - 128), Both);
  memory_task_at(profile, stack);
  EXPECT_EQ(own(5000, stack - 128), Read);
  for (std::uint64_t i = 0; i < 2 * MEMORY_RANGES; ++i)
    memory_declare(profile, 1000000 + 100 * i, 100);
  EXPECT_EQ(own(1000000 + 100 * MEMORY_RANGES - 1, stack - 128), Both);
  EXPECT_EQ(own(1000000 + 100 * MEMORY_RANGES, stack - 128), Read);
}

/// Where the section around has no task.
TEST(MemoryOwn, IsOfAnInnerTaskToo) {
  Profile profile(0);
  memory_open(profile, Site, 5000, nullptr);
  memory_open(profile, "parallel_for|app.c|2|inside|", 4000, nullptr);
  memory_task_at(profile, 4000);
  EXPECT_EQ(memory_own(profile, 3900, Write, 3000), Write | MEMORY_OWN);
}

/// The outer task's lines are serial code's in the log of the site inside, also between its
/// sections.
TEST(MemoryOwn, IsNothingInViewsWithoutATask) {
  Profile profile(0);
  constexpr unsigned Own = Write | MEMORY_OWN | MEMORY_OWN_OUTERMOST;
  memory_open(profile, Site, 5000, nullptr);
  memory_task(profile);
  memory_event(profile, 7, Own); // before there is a view
  for (int i = 0; i < 2; ++i) {
    const unsigned inside = memory_open(profile, "parallel_for|app.c|2|inside|", 4000, nullptr);
    memory_task(profile);
    memory_event(profile, 7, Write | MEMORY_OWN_OUTERMOST);
    memory_close(profile, inside);
    memory_event(profile, 7, Own);
  }
  memory_finish(profile);
  const nlohmann::json out = writtenProfile(profile);
  EXPECT_EQ(out["log"]["own"], nlohmann::json{0});
  EXPECT_EQ(out["log"]["lines"], nlohmann::json{7});
  const nlohmann::json &log = out["inner"][0]["log"];
  EXPECT_FALSE(log.contains("own")) << log;
  EXPECT_EQ(log["lines"], nlohmann::json{7});
}

/// Under a number of their own, which the log has in `own`. Stack distances are of all.
TEST(MemoryOwn, IsLoggedAsOtherLines) {
  Profile profile(0);
  memory_open(profile, Site, 100, nullptr);
  memory_task(profile);
  memory_event(profile, 7, Write);
  memory_event(profile, 7, Write | MEMORY_OWN_OUTERMOST); // of the same task: as it began
  memory_task(profile);
  memory_event(profile, 7, Write | MEMORY_OWN_OUTERMOST | MEMORY_OWN);
  memory_event(profile, 8, Read);
  memory_task(profile);
  memory_event(profile, 7, Write);
  memory_finish(profile);
  const nlohmann::json out = writtenProfile(profile);
  EXPECT_EQ(out["log"]["parts"], nlohmann::json::parse("[[0, 3, [0, 1], [1, 9, 16], [2, 1]]]"));
  EXPECT_EQ(out["log"]["lines"], (nlohmann::json{7, 7, 8}));
  EXPECT_EQ(out["log"]["own"], nlohmann::json{1});
  EXPECT_EQ(out["sites"][0]["classes"]["stream"]["cold"], 2);
}

} // namespace
