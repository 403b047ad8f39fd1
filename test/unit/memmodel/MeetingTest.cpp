//===- MeetingTest.cpp - Threads that wait for each other -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Meeting.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace memory_figures;

TEST(Meeting, NobodyIsAheadOfOthers) {
  constexpr unsigned times = 100;
  Meeting meeting(2);
  Meter meter;
  std::array<std::atomic<unsigned>, 2> come{};
  std::atomic<bool> isAhead = false;
  std::vector<std::thread> threads;
  for (unsigned mine = 0; mine < come.size(); ++mine)
    threads.emplace_back([&, mine] {
      for (unsigned time = 1; time <= times; ++time) {
        come[mine] = time;
        meeting.attend(meter);
        for (const std::atomic<unsigned> &others : come)
          if (others < time)
            isAhead = true;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(isAhead);
}

TEST(Meeting, EndsForWhoIsToldToStop) {
  Meeting meeting(2);
  Meter meter;
  std::thread waiting([&] { meeting.attend(meter); });
  meter.stop = true;
  waiting.join();
}

TEST(Meeting, IsNoneOfOne) {
  Meeting meeting(1);
  const Meter meter;
  for (int time = 0; time < 3; ++time)
    meeting.attend(meter);
}
