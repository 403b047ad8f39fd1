//===- Clock.cpp - Virtual time under processor sharing -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Clock.h"

#include <algorithm>

namespace prophet {

void Clock::reset(const std::optional<Pinning> &pinning) {
  pinned = pinning.has_value();
  if (pinned)
    pins.reset(*pinning);
  onCore.assign(placed ? cores : 0, {});
  threads.clear();
  lost = 0;
  awaiting.clear();
  reading = 0;
  lag = 0;
  waited = eased = 0;
  waitedEach = easedEach = 0;
}

Clock::Losses Clock::lossesSince(const Moment &since, Time work) const {
  if (!pinned)
    return {waitedEach - since.waitedEach, easedEach - since.easedEach};
  if (reading == since.reading)
    return {};
  const double passed = real() - since.real;
  const double onCore =
      static_cast<double>(work) * (passed / static_cast<double>(reading - since.reading));
  return {passed - onCore, onCore - static_cast<double>(work)};
}

Clock::Placed &Clock::placeOf(std::uint32_t thread) {
  if (threads.size() <= thread)
    threads.resize(thread + 1);
  return threads[thread];
}

void Clock::count(std::uint32_t thread, int ready, int yielding) {
  OnCore &core = onCore[coreOf(thread)];
  lost -= core.isLost();
  core.ready += ready;
  core.yielding += yielding;
  lost += core.isLost();
}

void Clock::place(std::uint32_t thread, std::uint32_t creator, unsigned behind) {
  if (pinned)
    return pins.place(thread, creator);
  if (!placed)
    return;
  const bool yields = placeOf(thread).yields;
  count(thread, 0, -yields);
  threads[thread].core = (coreOf(creator) + behind) % cores;
  count(thread, 0, yields);
}

void Clock::yield(std::uint32_t thread, double until) {
  if (pinned)
    return pins.yield(thread, until);
  if (!placed)
    return;
  Placed &place = placeOf(thread);
  count(thread, 0, !place.yields);
  place.yields = true;
}

void Clock::stopYielding(std::uint32_t thread) {
  if (thread >= threads.size() || !threads[thread].yields)
    return;
  threads[thread].yields = false;
  count(thread, 0, -1);
}

/// Whether real() is `at` before a thread acts; then that is `when`.
bool Clock::comesFirst(double at, Time &when) const {
  const double ticks = std::max(0.0, at - real()) / slowness();
  if (ticks >= static_cast<double>(heap.top().at - reading))
    return false;
  when = reading + static_cast<Time>(ticks);
  return true;
}

/// Makes the first thread ready that waits for its core and gets it before anything else happens;
/// false: there is none.
bool Clock::startWaiting() {
  if (awaiting.empty())
    return false;
  auto first = awaiting.begin();
  for (auto other = first; other != awaiting.end(); ++other) {
    if (!sharesCore(other->thread))
      return start(other, reading);
    if (other->at < first->at)
      first = other;
  }
  Time when = 0;
  if (!comesFirst(first->at, when))
    return false;
  return start(first, when);
}

bool Clock::start(std::vector<Awaiting>::iterator it, Time at) {
  const std::uint32_t thread = it->thread;
  awaiting.erase(it);
  advance(at);
  push(at, thread);
  return true;
}

} // namespace prophet
