//===- DelayLoop.h - Delays by a clock ----------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace synthesizer {

/// The delays of one thread, which end at a reading of the clock and so are too long: each is
/// shorter by what those before were too long.
class DelayLoop {
public:
  /// Reads `clock`, in ns, until the thread has run for `ns`: readings that lie `mostGap` or more
  /// apart are not its own time.
  /// \param cost what a delay takes beside the time between its first and its last reading
  template <typename Clock> void spin(double ns, double mostGap, double cost, const Clock &clock) {
    double left = ns - surplus;
    if (left > 0) {
      double last = clock();
      left -= cost;
      while (left > 0) {
        const double time = clock();
        if (time - last < mostGap)
          left -= time - last;
        last = time;
      }
    }
    surplus = -left;
  }

  /// What the delays have taken too long is not made up for.
  void forgetSurplus() { surplus = 0; }

private:
  double surplus = 0; ///< how much longer than they should they have been
};

} // namespace synthesizer
