//===- RandomEventsTest.cpp - Whatever a program calls, its time is kept ===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recording.h"

#include "runtime/src/by_hand.h"

#include <random>

namespace {

/// A program that calls everything in any order, ends what is not open and forgets ends.
class Program {
public:
  explicit Program(unsigned seed) : random(seed) {}

  void step() {
    pass();
    event();
    settle();
  }

  void event() {
    const std::uintptr_t stack = 0x9000 - 0x100 * pick(3);
    switch (pick(16)) {
    case 0:
      return keep(sections, r.section(sites[pick(3)], pick(4) ? 0 : stack));
    case 1:
      return r.endSection(handle(sections));
    case 2:
      return keep(tasks, r.task());
    case 3:
      return r.endTask(handle(tasks));
    case 4:
      return keep(locks, r.lock(pick(2) ? "a" : "b"));
    case 5:
      return r.endLock(handle(locks));
    case 6:
      return keep(tasks, r.spawn(spawned[pick(3)]));
    case 7:
      return r.endTasks(spawned[pick(3)]);
    case 8:
      return pick(3) ? r.resume() : r.pause();
    case 9:
      return recorder_open_section(&r.recorder, sites[pick(3)], stack, now);
    case 10:
      return recorder_close_section(&r.recorder, pick(2), stack, now);
    case 11:
      return recorder_open_task(&r.recorder, now);
    case 12:
      return recorder_close_task(&r.recorder, stack, now);
    case 13:
      if (recorder_leave_task(&r.recorder, stack, now))
        recorder_open_task(&r.recorder, now);
      return;
    case 14:
      return recorder_open_lock(&r.recorder, "m", pick(3), now);
    default:
      return recorder_close_lock(&r.recorder, "m", pick(3), now);
    }
  }

  /// Ends; returns by how much what the tree says differs from the time that has passed.
  double lost() {
    pass();
    r.finish();
    double paused = r.tree["profiler"]["paused_ticks"],
           own = r.tree["profiler"]["subtracted_ticks"];
    return r.total() + paused + own - static_cast<double>(now - 1000);
  }

  /// Is every child of a kind that its parent may have (docs/program-tree.md)?
  bool isValid() const {
    const auto &nodes = r.tree["nodes"];
    for (const auto &node : nodes) {
      std::string kind = node["kind"], allowed = kind == "L" ? "U L" : "U L section";
      if (kind == "section")
        allowed = r.tree["sites"][node["site"].get<std::size_t>()]["kind"] == "tasks"
                      ? "U L section task"
                      : "task";
      for (const auto &child : node.value("children", nlohmann::json::array()))
        if (allowed.find(nodes[child[0].get<std::size_t>()]["kind"]) == std::string::npos)
          return false;
    }
    return true;
  }

  Recording r;

private:
  static constexpr const char *sites[] = {Recording::outer, Recording::inner, Recording::spawner};

  unsigned pick(unsigned below) { return random() % below; }
  void pass() { pass(pick(2) ? 10 : pick(50)); }
  void pass(unsigned ticks) {
    now += ticks;
    r.run(ticks);
  }
  /// The event took longer than its share, as those that look something up do.
  void settle() {
    if (pick(3) && !r.recorder.searched)
      return;
    if (r.recorder.state != STATE_INSIDE && !state_is_section(r.recorder.state))
      return;
    unsigned ticks = pick(30);
    pass(ticks);
    r.skip(ticks);
  }
  void keep(std::vector<unsigned> &handles, unsigned handle) { handles.push_back(handle); }
  /// Most often the last one, sometimes any that ever was.
  unsigned handle(std::vector<unsigned> &handles) {
    if (handles.empty())
      return pick(5);
    if (pick(5) == 0)
      return handles[pick(static_cast<unsigned>(handles.size()))];
    unsigned last = handles.back();
    handles.pop_back();
    return last;
  }

  std::minstd_rand random;
  std::uint64_t now = 1000;
  std::vector<unsigned> sections, tasks, locks;
  unsigned spawned[3] = {};
};

TEST(RandomEvents, AllTimeIsInAValidTreeOrPaused) {
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    Program program(seed);
    for (int i = 0; i < 300; ++i)
      program.step();
    ASSERT_NEAR(program.lost(), 0, 0.01) << "seed " << seed;
    ASSERT_TRUE(program.isValid()) << "seed " << seed;
    ASSERT_EQ(program.r.tree["profiler"]["dropped_events"], 0) << "seed " << seed;
  }
}

} // namespace
