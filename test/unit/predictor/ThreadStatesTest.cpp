//===- ThreadStatesTest.cpp - Who of this process sleeps ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/ThreadStates.h"

#include <atomic>
#include <gtest/gtest.h>
#include <semaphore>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

using synthesizer::ThreadStates;

namespace {

pid_t ownNumber() { return static_cast<pid_t>(syscall(SYS_gettid)); }

/// A thread that waits until this ends.
class Sleeper {
public:
  Sleeper() : thread([this] { sleep(); }) {
    while (number == 0)
      std::this_thread::yield();
  }
  ~Sleeper() {
    end.release();
    thread.join();
  }
  Sleeper(const Sleeper &) = delete;
  pid_t id() const { return number; }

private:
  std::atomic<pid_t> number = 0;
  std::binary_semaphore end{0};
  std::thread thread;

  void sleep() {
    number = ownNumber();
    end.acquire();
  }
};

bool fallsAsleep(ThreadStates &states, pid_t thread) {
  while (!states.sleeps(thread).value()) // it is on its way there
    std::this_thread::yield();
  return true;
}

TEST(ThreadStates, AreOfThreadsThatAreThere) {
  ThreadStates states;
  pid_t gone;
  {
    const Sleeper sleeper;
    gone = sleeper.id();
    EXPECT_TRUE(fallsAsleep(states, gone));
    EXPECT_EQ(states.sleeps(ownNumber()), false);
  }
  while (states.sleeps(gone)) // the system still knows it for a while
    std::this_thread::yield();
}

/// Here the limit is below the files that there are.
TEST(ThreadStates, AreKnownOfMoreThreadsThanFilesMayBeOpen) {
  const std::vector<Sleeper> sleepers(5);
  rlimit usual;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  const int first = dup(0); // the lowest number that is free
  ASSERT_GE(first, 0);
  close(first);
  const rlimit few{static_cast<rlim_t>(first) + 2, usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  {
    ThreadStates states;
    for (int round = 0; round < 2; ++round)
      for (const Sleeper &sleeper : sleepers)
        EXPECT_TRUE(fallsAsleep(states, sleeper.id()));
  }
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &usual), 0);
}

} // namespace
