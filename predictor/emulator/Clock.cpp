//===- Clock.cpp - Virtual time under processor sharing -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Clock.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace prophet {

void Clock::reset() {
  onCore.assign(placed ? cores : 0, {});
  threads.clear();
  ends.clear();
  lost = 0;
  awaiting.clear();
  reading = 0;
  lag = 0;
  waited = 0;
  eased = 0;
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

void Clock::place(std::uint32_t thread, unsigned core) {
  if (!placed)
    return;
  const int yielding = placeOf(thread).yieldsUntil > 0;
  count(thread, 0, -yielding);
  threads[thread].core = core % cores;
  count(thread, 0, yielding);
}

void Clock::yield(std::uint32_t thread, double until) {
  if (!placed)
    return;
  Placed &place = placeOf(thread);
  if (place.yieldsUntil == 0)
    count(thread, 0, 1);
  place.yieldsUntil = until;
  if (until == forever || std::exchange(place.hasEnd, true))
    return; // where there is an end, it is put off when it comes
  ends.push_back({until, thread});
  std::ranges::push_heap(ends, std::greater<>());
}

void Clock::stopYielding(std::uint32_t thread) {
  if (thread >= threads.size() || threads[thread].yieldsUntil == 0)
    return;
  threads[thread].yieldsUntil = 0;
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
  if ((!ends.empty() && ends.front().at < first->at) || !comesFirst(first->at, when))
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

/// Lets the first thread sleep that ends to yield before anything else happens; false: none.
bool Clock::endYielding() {
  if (ends.empty() || heap.empty())
    return false;
  const auto [at, thread] = ends.front();
  Placed &place = threads[thread];
  if (place.yieldsUntil == at) {
    Time when = 0;
    if (!comesFirst(at, when))
      return false;
    advance(when);
    stopYielding(thread);
  }
  std::ranges::pop_heap(ends, std::greater<>());
  ends.pop_back();
  place.hasEnd = place.yieldsUntil > 0 && place.yieldsUntil < forever;
  if (place.hasEnd) {
    ends.push_back({place.yieldsUntil, thread});
    std::ranges::push_heap(ends, std::greater<>());
  }
  return true;
}

} // namespace prophet
