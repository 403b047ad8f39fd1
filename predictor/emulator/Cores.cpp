//===- Cores.cpp - Threads that stay on their cores -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Cores.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace prophet {

void Cores::reset(const Pinning &asked) {
  pinning = asked;
  dice = Dice(asked.seed);
  threads.clear();
  std::ranges::fill(cores, Core{});
  awaiting.clear();
  ends.clear();
  computing = shared = 0;
  lookAt = never;
  hasLooked = false;
  time = waited = eased = 0;
}

double Cores::ease(std::size_t more) const {
  const std::size_t busy = std::min(computing - shared + more, cores.size());
  return busy < relief.size() ? relief[busy] : 1;
}

Cores::Thread &Cores::threadOf(std::uint32_t thread) {
  if (threads.size() <= thread)
    threads.resize(thread + 1);
  return threads[thread];
}

//===- Time ---------------------------------------------------------------===//

/// In whole units, since small ones are lost beside a long run's in a double.
void Cores::advance(double to) { advance(static_cast<Time>(std::ceil(to))); }

void Cores::advance(Time to) {
  if (to <= time)
    return;
  const auto passed = static_cast<double>(to - time);
  waited += passed * static_cast<double>(shared);
  if (!relief.empty())
    eased += passed * static_cast<double>(computing - shared) * (1 - 1 / ease());
  time = to;
}

/// Brings up to date what threads have left whose pace changes when who computes on `core` does.
void Cores::settle(Core &core) {
  const auto bring = [this](Core &one) {
    const double done =
        static_cast<double>(time - one.since) / (static_cast<double>(one.ready.size()) * ease());
    for (const std::uint32_t thread : one.ready)
      threads[thread].left = std::max(0.0, threads[thread].left - done);
    one.since = time;
  };
  if (relief.empty())
    return bring(core);
  for (Core &each : cores)
    bring(each);
}

/// Finds out who acts next, and when, where that has changed with `core`.
void Cores::foresee(Core &core) {
  const auto find = [this](Core &one) {
    one.nextAt = Core::nobody;
    double least = never;
    for (const std::uint32_t thread : one.ready)
      if (const double left = threads[thread].left;
          left < least || (left == least && thread < one.next)) {
        least = left;
        one.next = thread;
      }
    if (!one.ready.empty())
      one.nextAt =
          time + static_cast<Time>(std::min(
                     0x1p62, std::ceil(least * static_cast<double>(one.ready.size()) * ease())));
  };
  if (relief.empty())
    return find(core);
  for (Core &each : cores)
    find(each);
}

//===- Threads ------------------------------------------------------------===//

/// `thread` is then in `state`; if that is Ready, it has `work` to do.
void Cores::setState(std::uint32_t thread, State state, double work) {
  Thread &self = threads[thread];
  Core &core = cores[self.core];
  const auto isRunnable = [](State one) { return one > State::Asleep; };
  const bool was = self.state == State::Ready, is = state == State::Ready;
  core.runnable += isRunnable(state);
  core.runnable -= isRunnable(self.state);
  self.state = state;
  if (!was && !is)
    return;
  settle(core);
  self.left = work;
  if (was && !is) {
    std::erase(core.ready, thread);
    --computing;
    shared -= !core.ready.empty();
  } else if (is && !was) {
    shared += !core.ready.empty();
    core.ready.push_back(thread);
    ++computing;
  }
  foresee(core);
}

/// The core for a thread that the thread on core `own`, the program's first or not, wakes up or
/// creates; it stays where it is (nothing) if all have threads and it is awoken.
std::optional<std::uint32_t> Cores::chooseCore(std::uint32_t own, bool isNew, bool isFirst) {
  const bool creates = isNew && pinning.createsThreads;
  unsigned least = ~0u;
  std::vector<std::uint32_t> best;
  for (std::uint32_t core = 0; core < cores.size(); ++core) {
    if (cores[core].runnable > least || (creates && isFirst && core == own && cores.size() > 1))
      continue;
    if (cores[core].runnable < least)
      best.clear();
    least = cores[core].runnable;
    best.push_back(core);
  }
  if (least > 0 && creates && !isFirst)
    return own;
  if (least > 0 && !isNew)
    return std::nullopt;
  return best[best.size() > 1 ? dice.below(best.size()) : 0];
}

void Cores::place(std::uint32_t thread, std::uint32_t creator) {
  Thread &self = threadOf(thread);
  if (self.state > State::Asleep)
    return;
  const bool isNew = self.state == State::New;
  const bool isMaster = isNew && thread == creator;
  if (!isMaster && (isNew || cores[self.core].runnable > 0))
    self.core = chooseCore(threads[creator].core, isNew, creator == 0).value_or(self.core);
  setState(thread, State::Starts);
  balance();
}

void Cores::start(std::uint32_t thread, double work) {
  place(thread, thread);
  setState(thread, State::Ready, work);
}

void Cores::yield(std::uint32_t thread, double until) {
  Thread &self = threadOf(thread);
  setState(thread, State::Yields);
  self.until = until;
  if (until == never || std::exchange(self.hasEnd, true))
    return; // where there is an end, it is put off when it comes
  ends.push_back({until, thread});
  std::ranges::push_heap(ends, std::greater<>());
}

void Cores::awaitCore(std::uint32_t thread, double at) {
  threadOf(thread).until = at;
  setState(thread, State::Awaits);
  awaiting.push_back(thread);
}

void Cores::retire(std::uint32_t thread) {
  if (threads[thread].state != State::Ready)
    return;
  setState(thread, State::Asleep);
  balance();
}

//===- What the system does -----------------------------------------------===//

/// The core with most runnable threads, and that with fewest.
std::pair<std::uint32_t, std::uint32_t> Cores::extremes() const {
  std::uint32_t most = 0, least = 0;
  for (std::uint32_t core = 1; core < cores.size(); ++core) {
    if (cores[core].runnable > cores[most].runnable)
      most = core;
    if (cores[core].runnable < cores[least].runnable)
      least = core;
  }
  return {most, least};
}

/// Moves one of the runnable threads of `from`.
void Cores::move(std::uint32_t from, std::uint32_t to) {
  std::size_t which = dice.below(cores[from].runnable);
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    Thread &self = threads[thread];
    if (self.core != from || self.state <= State::Asleep || which-- > 0)
      continue;
    const State state = self.state;
    settle(cores[from]);
    const double work = self.left;
    setState(thread, State::Asleep);
    self.core = to;
    return setState(thread, state, work);
  }
}

/// Half the longest time until the system looks at the cores; longer where nothing happens for very
/// long, so that what is looked at is not looked at for ever.
double Cores::period() const {
  Time nextAt = Core::nobody;
  for (const Core &core : cores)
    nextAt = std::min(nextAt, core.nextAt);
  const auto far = static_cast<double>(nextAt - time);
  return nextAt == Core::nobody ? pinning.period : std::max(pinning.period, far / 256);
}

/// Gives cores without threads some, and has the system look where there are more than elsewhere.
void Cores::balance() {
  for (;;) {
    const auto [most, least] = extremes();
    if (cores[most].runnable >= 2 && cores[least].runnable == 0) {
      move(most, least);
      continue;
    }
    if (cores[most].runnable < 2 || cores[most].runnable == cores[least].runnable) {
      lookAt = never;
      hasLooked = false;
    } else if (lookAt == never) {
      lookAt = now() + 2 * dice.share() * period();
    }
    return;
  }
}

void Cores::look() {
  lookAt = never;
  const auto [most, least] = extremes();
  if (!hasLooked && cores[most].runnable < cores[least].runnable + 2) {
    hasLooked = true;
    lookAt = now() + (1 + dice.share()) * period();
    return;
  }
  hasLooked = false;
  move(most, least);
  balance();
}

/// The first of `ends` is there.
void Cores::endYielding() {
  const std::uint32_t thread = ends.front().thread;
  std::ranges::pop_heap(ends, std::greater<>());
  ends.pop_back();
  Thread &self = threads[thread];
  self.hasEnd = false;
  if (self.state != State::Yields || self.until == never)
    return;
  if (self.until > now())
    return yield(thread, self.until);
  setState(thread, State::Asleep);
  balance();
}

/// Makes the first thread act that waits for its core and gets it before `before`; false: none.
bool Cores::startAwaiting(double before) {
  if (awaiting.empty())
    return false;
  auto first = awaiting.begin();
  for (auto other = first; other != awaiting.end(); ++other) {
    if (!sharesCore(*other)) {
      first = other;
      break;
    }
    if (threads[*other].until < threads[*first].until)
      first = other;
  }
  const std::uint32_t thread = *first;
  if (sharesCore(thread)) {
    if (threads[thread].until >= before)
      return false;
    advance(threads[thread].until);
  }
  awaiting.erase(first);
  setState(thread, State::Ready);
  return true;
}

std::uint32_t Cores::next() {
  for (;;) {
    const auto core = std::ranges::min_element(cores, [](const Core &one, const Core &other) {
      return std::pair(one.nextAt, one.next) < std::pair(other.nextAt, other.next);
    });
    const double nextAt = core->nextAt == Core::nobody ? never : static_cast<double>(core->nextAt);
    const double endAt = ends.empty() ? never : ends.front().at;
    const double change = std::min(endAt, lookAt);
    if (startAwaiting(std::min(nextAt, change)))
      continue;
    if (change < nextAt) {
      advance(change);
      endAt < lookAt ? endYielding() : look();
      continue;
    }
    advance(core->nextAt);
    setState(core->next, State::Ready); // with nothing more to do
    return core->next;
  }
}

} // namespace prophet
