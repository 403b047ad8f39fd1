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

/// What an open task has allocated, for as long as it goes on and does not free it.
TEST(MemoryOwn, IsWhatTasksAllocate) {
  Profile profile(0);
  const std::uintptr_t stack = std::uintptr_t(1) << 40;
  const auto own = [&](std::uintptr_t address) {
    return memory_own(profile, address, Read, stack + 4096);
  };
  constexpr unsigned Both = Read | MEMORY_OWN | MEMORY_OWN_OUTERMOST;
  memory_allocate(profile, 1000, 100); // outside of sections
  memory_open(profile, Site, stack, nullptr);
  memory_allocate(profile, 2000, 100); // and of tasks
  memory_task_at(profile, stack);
  EXPECT_EQ(own(1000), Read);
  EXPECT_EQ(own(2000), Read);
  memory_allocate(profile, 3000, 100);
  EXPECT_EQ(own(2999), Read);
  EXPECT_EQ(own(3000), Both);
  EXPECT_EQ(own(3099), Both);
  EXPECT_EQ(own(3100), Read);
  memory_pause(profile);
  memory_allocate(profile, 4000, 100);
  memory_free(profile, 3000);
  memory_resume(profile);
  EXPECT_EQ(own(3000), Read);
  EXPECT_EQ(own(4000), Read);
  memory_allocate(profile, 5000, 100);
  const unsigned inside =
      memory_open(profile, "parallel_for|app.c|2|inside|", stack - 512, nullptr);
  EXPECT_EQ(own(5000), Read | MEMORY_OWN_OUTERMOST);
  memory_allocate(profile, 6000, 100); // by the outer task still
  memory_task_at(profile, stack - 600);
  memory_allocate(profile, 7000, 100);
  EXPECT_EQ(own(5000), Read | MEMORY_OWN_OUTERMOST);
  EXPECT_EQ(own(6000), Read | MEMORY_OWN_OUTERMOST);
  EXPECT_EQ(own(7000), Both);
  memory_task_at(profile, stack - 600);
  EXPECT_EQ(own(7000), Read | MEMORY_OWN_OUTERMOST);
  memory_close(profile, inside);
  EXPECT_EQ(own(7000), Both);
  memory_task_at(profile, stack);
  EXPECT_EQ(own(5000), Read);
  EXPECT_EQ(own(7000), Read);
  EXPECT_EQ(profile->blocks.live, 0U);
}

/// What they leave behind is shared after all, by all lines that it touches.
TEST(MemoryOwn, IsNotWhatTasksLeaveBehind) {
  Profile profile(0);
  const auto use = [&](std::uint64_t line, std::uint64_t address) {
    memory_event_soon(profile, line, memory_own(profile, address, Write, 5000));
  };
  memory_open(profile, Site, 5000, nullptr);
  for (int task = 0; task < 2; ++task) {
    memory_task_at(profile, 5000);
    memory_task(profile);
    memory_allocate(profile, 101 * 64 - 8, 16); // in two lines
    memory_allocate(profile, 200 * 64, 64);
    use(100, 101 * 64 - 8);
    use(101, 101 * 64);
    use(200, 200 * 64);
    memory_free(profile, 200 * 64);
    if (task == 1)
      memory_free(profile, 101 * 64 - 8);
  }
  const unsigned inside = memory_open(profile, "parallel_for|app.c|2|inside|", 4000, nullptr);
  for (int task = 0; task < 2; ++task) {
    memory_task_at(profile, 4000);
    memory_task(profile);
    memory_allocate(profile, (300 + static_cast<std::uint64_t>(task)) * 64, 64);
    use(300 + static_cast<std::uint64_t>(task), (300 + static_cast<std::uint64_t>(task)) * 64);
  }
  memory_free(profile, 301 * 64);
  memory_close(profile, inside);
  memory_free(profile, 300 * 64);
  memory_close(profile, 1);
  memory_finish(profile);
  const nlohmann::json out = writtenProfile(profile);
  EXPECT_EQ(out["log"]["parts"],
            nlohmann::json::parse("[[0, 2, [0, 1, 9, 17], [1, 25, 33, 17, 41, 49]]]"));
  EXPECT_EQ(out["log"]["lines"], (nlohmann::json{100, 101, 200, 100, 101, 300, 301}));
  EXPECT_EQ(out["log"]["own"], (nlohmann::json{2, 3, 4, 5, 6}));
  // Inside, the first task leaves its block to the outer one.
  const nlohmann::json &log = out["inner"][0]["log"];
  EXPECT_EQ(log["lines"], (nlohmann::json{100, 101, 200, 300, 301}));
  EXPECT_EQ(log["own"], nlohmann::json{4});
}

/// All that was used of it, before and behind a change of its size.
TEST(MemoryOwn, IsNotWhatBecomesOfWhatIsLeftBehind) {
  Profile profile(0);
  constexpr unsigned Both = Write | MEMORY_OWN | MEMORY_OWN_OUTERMOST;
  const auto own = [&](std::uint64_t address) { return memory_own(profile, address, Write, 5000); };
  memory_open(profile, Site, 5000, nullptr);
  memory_task_at(profile, 5000);
  memory_task(profile);
  memory_allocate(profile, 64 * 100, 128);
  memory_event_soon(profile, 100, own(64 * 100));
  memory_reallocate(profile, 64 * 100, 0, 1000); // there is no memory
  EXPECT_EQ(own(64 * 100), Both);
  memory_reallocate(profile, 64 * 100, 64 * 100, 64);
  EXPECT_EQ(own(64 * 101), unsigned{Write});
  memory_allocate(profile, 64 * 200, 64);
  memory_event_soon(profile, 200, own(64 * 200));
  memory_reallocate(profile, 64 * 200, 64 * 300, 64);
  EXPECT_EQ(own(64 * 200), unsigned{Write});
  EXPECT_EQ(own(64 * 300), Both);
  memory_reallocate(profile, 0, 64 * 400, 64);
  EXPECT_EQ(own(64 * 400), Both);
  memory_reallocate(profile, 64 * 400, 0, 0); // frees it
  EXPECT_EQ(own(64 * 400), unsigned{Write});
  memory_close(profile, 1);
  memory_finish(profile);
  const nlohmann::json out = writtenProfile(profile);
  EXPECT_EQ(out["log"]["lines"], (nlohmann::json{100, 200}));
  EXPECT_EQ(out["log"]["own"], nlohmann::json{1});
}

/// A line's blocks are looked at one by one.
TEST(MemoryOwn, IsNotWhatLiesBesideAnOlderBlock) {
  Profile profile(0);
  memory_open(profile, Site, 5000, nullptr);
  memory_task_at(profile, 5000);
  memory_task(profile);
  memory_allocate(profile, 64 * 100 + 32, 32); // of the outer task
  const unsigned inside = memory_open(profile, "parallel_for|app.c|2|inside|", 4000, nullptr);
  memory_task_at(profile, 4000);
  memory_task(profile);
  memory_allocate(profile, 64 * 100, 24);
  memory_event_soon(profile, 100, memory_own(profile, 64 * 100, Write, 5000));
  memory_close(profile, inside);
  memory_finish(profile);
  const nlohmann::json out = writtenProfile(profile);
  EXPECT_FALSE(out["inner"][0]["log"].contains("own")) << out["inner"][0]["log"];
  EXPECT_EQ(out["log"]["own"], nlohmann::json{0});
}

/// In all tasks, but not outside of them.
TEST(MemoryOwn, IsWhatIsThreadLocal) {
  Profile profile(0);
  profile->thread_variables = {8000, 100};
  const auto own = [&](std::uintptr_t address) { return memory_own(profile, address, Read, 5000); };
  EXPECT_EQ(own(8000), Read);
  memory_open(profile, Site, 5000, nullptr);
  EXPECT_EQ(own(8000), Read);
  memory_task_at(profile, 5000);
  EXPECT_EQ(own(7999), Read);
  EXPECT_EQ(own(8099), Read | MEMORY_OWN | MEMORY_OWN_OUTERMOST);
  EXPECT_EQ(own(8100), Read);
}

/// As are those of a list.
TEST(MemoryOwn, IsWhatIsPrivateToThreads) {
  Profile profile(0);
  memory_open(profile, Site, 5000, nullptr);
  memory_task_at(profile, 5000);
  memory_add_private(profile, {8000, 100});
  memory_add_private(profile, {9000, 0});
  memory_add_private(profile, {7000, 10});
  memory_add_private(profile, {7500, 50});
  memory_add_private(profile, {7000, 10}); // by another file
  EXPECT_EQ(profile->private_count, 3U);
  std::string found;
  for (const std::uintptr_t address :
       {6999, 7000, 7009, 7010, 7500, 7550, 7999, 8000, 8099, 8100, 9000})
    found += memory_own(profile, address, Read, 5000) == Read ? '-' : 'x';
  EXPECT_EQ(found, "-xx-x--xx--");
  for (std::uint64_t i = 0; i < MEMORY_RANGES; ++i)
    memory_add_private(profile, {10000 + 10 * i, 10});
  EXPECT_NE(memory_own(profile, 10000 + 10 * (MEMORY_RANGES - 4), Read, 5000), Read);
  EXPECT_EQ(memory_own(profile, 10000 + 10 * (MEMORY_RANGES - 3), Read, 5000), Read);
  memory_set_private(profile, {20000, 10});
  EXPECT_EQ(memory_own(profile, 8000, Read, 5000), Read);
  EXPECT_NE(memory_own(profile, 20000, Read, 5000), Read);
}

/// What an OpenMP `parallel` allocates around its loops, but for a `single` in it.
TEST(MemoryOwn, IsWhatAParallelAllocates) {
  Profile profile(0);
  const auto own = [&](std::uintptr_t address) { return memory_own(profile, address, Read, 5000); };
  constexpr unsigned Outermost = Read | MEMORY_OWN_OUTERMOST, Both = Outermost | MEMORY_OWN;
  memory_allocate(profile, 500, 100); // before it
  memory_change_region(profile, PROPHET_MEMORY_PARALLEL);
  memory_allocate(profile, 1000, 100);
  memory_change_region(profile, PROPHET_MEMORY_SINGLE);
  memory_allocate(profile, 2000, 100);
  const unsigned alone = memory_open(profile, Site, 5000, nullptr);
  memory_task_at(profile, 5000);
  EXPECT_EQ(own(1000), Read);
  memory_close(profile, alone);
  memory_change_region(profile, PROPHET_MEMORY_REGION_END);
  for (int loop = 0; loop < 2; ++loop) {
    const unsigned handle = memory_open(profile, Site, 5000, nullptr);
    for (int task = 0; task < 2; ++task) {
      memory_task_at(profile, 5000);
      EXPECT_EQ(own(500), Read);
      EXPECT_EQ(own(1000), Both);
      memory_reallocate(profile, 1000, 1000, 100 + task); // stays what it is
      EXPECT_EQ(own(2000), Read);
      EXPECT_EQ(own(3000), Read); // which the task before has left
      memory_allocate(profile, 3000, 100);
      EXPECT_EQ(own(3000), Both);
      const unsigned inside = memory_open(profile, "parallel_for|app.c|2|inside|", 4000, nullptr);
      memory_task_at(profile, 4000);
      EXPECT_EQ(own(1000), Outermost); // tasks inside tasks share it
      memory_close(profile, inside);
      memory_change_region(profile, PROPHET_MEMORY_PARALLEL);
      memory_allocate(profile, 4000, 100);
      const unsigned nested = memory_open(profile, "parallel_for|app.c|3|nested|", 4000, nullptr);
      memory_task_at(profile, 4000);
      EXPECT_EQ(own(3000), Outermost);
      EXPECT_EQ(own(4000), Both);
      memory_close(profile, nested);
      memory_change_region(profile, PROPHET_MEMORY_REGION_END);
    }
    memory_close(profile, handle);
  }
  memory_change_region(profile, PROPHET_MEMORY_REGION_END);
  EXPECT_EQ(profile->blocks.live, 0U);
  memory_open(profile, Site, 5000, nullptr);
  memory_task_at(profile, 5000);
  EXPECT_EQ(own(1000), Read);
}

/// By the number of a thread in the team that the task is directly in.
TEST(MemoryOwn, IsWhatAThreadsNumberChooses) {
  Profile profile(0);
  const auto own = [&] { return memory_own(profile, 900, Read | PROPHET_MEMORY_OF_THREAD, 5000); };
  constexpr unsigned Outermost = Read | MEMORY_OWN_OUTERMOST, Both = Outermost | MEMORY_OWN;
  EXPECT_EQ(own(), unsigned{Read});
  memory_change_region(profile, PROPHET_MEMORY_PARALLEL);
  EXPECT_EQ(own(), unsigned{Read});
  memory_open(profile, Site, 5000, nullptr);
  EXPECT_EQ(own(), unsigned{Read}); // no task yet
  memory_task_at(profile, 5000);
  EXPECT_EQ(own(), Both);
  const unsigned inside = memory_open(profile, "parallel_for|app.c|2|inside|", 4000, nullptr);
  memory_task_at(profile, 4000);
  EXPECT_EQ(own(), Outermost);
  memory_close(profile, inside);
  memory_change_region(profile, PROPHET_MEMORY_PARALLEL);
  EXPECT_EQ(own(), unsigned{Read}); // of a team in the task
  memory_open(profile, "parallel_for|app.c|2|inside|", 4000, nullptr);
  memory_task_at(profile, 4000);
  EXPECT_EQ(own(), Read | MEMORY_OWN);
  for (int i = 0; i < MEMORY_REGIONS; ++i)
    memory_change_region(profile, PROPHET_MEMORY_PARALLEL);
  EXPECT_EQ(own(), unsigned{Read}); // not known
}

TEST(MemoryOwn, KnowsSoManyRegionsInsideEachOther) {
  Profile profile(0);
  memory_change_region(profile, PROPHET_MEMORY_REGION_END); // of none
  for (int i = 0; i < MEMORY_REGIONS; ++i)
    memory_change_region(profile, PROPHET_MEMORY_PARALLEL);
  EXPECT_NE(memory_region(profile), nullptr);
  memory_change_region(profile, PROPHET_MEMORY_SINGLE);
  EXPECT_EQ(memory_region(profile), nullptr);
  memory_change_region(profile, PROPHET_MEMORY_REGION_END);
  EXPECT_FALSE(memory_region(profile)->single);
  for (int i = 0; i < MEMORY_REGIONS; ++i)
    memory_change_region(profile, PROPHET_MEMORY_REGION_END);
  EXPECT_EQ(memory_region(profile), nullptr);
}

} // namespace
