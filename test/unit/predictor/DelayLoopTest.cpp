//===- DelayLoopTest.cpp - Delays by a clock that is told -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/DelayLoop.h"

#include <gtest/gtest.h>

namespace {

/// Every reading takes 30 ns, and the one that begins last before `stop` takes `away` more.
struct SteppedClock {
  double time = 0, stop = -1, away = 0;

  double operator()() {
    if (stop >= 0 && time >= stop) {
      stop = -1;
      time += away;
    }
    return time += 30;
  }
};

class DelayLoop : public testing::Test {
protected:
  synthesizer::DelayLoop delays;
  SteppedClock clock;

  /// The time when that many delays are over.
  double after(int count, double ns, double mostGap = 1000) {
    for (int i = 0; i < count; ++i)
      delays.spin(ns, mostGap, 30, [this] { return clock(); }); // its first reading
    return clock.time;
  }
};

TEST_F(DelayLoop, endsAtAReading) { EXPECT_EQ(after(1, 100), 120); }

TEST_F(DelayLoop, makesUpForWhatOthersTookTooLong) {
  EXPECT_EQ(after(3, 100), 300);
  EXPECT_EQ(after(297, 100), 30000);
}

TEST_F(DelayLoop, leavesOutWhatOthersTookTooLongAltogether) {
  EXPECT_EQ(after(1, 10), 30); // 20 too long
  EXPECT_EQ(after(2, 10), 30); // neither reads the clock
  EXPECT_EQ(after(1, 10), 60);
}

TEST_F(DelayLoop, forgets) {
  EXPECT_EQ(after(1, 100), 120);
  delays.forgetSurplus();
  EXPECT_EQ(after(1, 100), 240);
}

TEST_F(DelayLoop, doesNotCountTimeThatIsAnothers) {
  clock.stop = 60;
  clock.away = 970; // with the reading's own time it is the gap
  EXPECT_EQ(after(1, 200), 1210);
}

TEST_F(DelayLoop, countsAnInterrupt) {
  clock.stop = 60;
  clock.away = 960;
  EXPECT_EQ(after(1, 200), 1050);
  EXPECT_EQ(after(8, 100), 1050); // which made the next ones shorter
  EXPECT_EQ(after(1, 100), 1110); // 1100 in all
}

} // namespace
