//===- Cores.cpp - Threads that stay on their cores -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Cores.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace prophet {

void Cores::reset(const Pinning &asked) {
  pinning = asked;
  dice = Dice(asked.seed);
  threads.clear();
  std::ranges::fill(cores, Core{});
  nexts = Tournament(cores.size());
  coresWith.assign(1, static_cast<unsigned>(cores.size()));
  mostRunnable = leastRunnable = 0;
  awaiting.clear();
  ends.clear();
  computing = shared = 0;
  lookAt = never;
  hasLooked = false;
  time = quietUntil = 0;
  behind = waited = eased = 0;
}

void Cores::relieve(std::vector<double> byReady) {
  relief = std::move(byReady);
  slowest = relief.empty() ? 1 : std::max(1.0, *std::ranges::max_element(relief));
}

double Cores::ease(unsigned more) const {
  const auto busy = std::min(static_cast<std::size_t>(computing - shared) + more, cores.size());
  return busy < relief.size() ? relief[busy] : 1;
}

Cores::Thread &Cores::threadOf(std::uint32_t thread) {
  if (threads.size() <= thread)
    threads.resize(thread + 1);
  return threads[thread];
}

//===- Time ---------------------------------------------------------------===//

/// The least number of units that is not less than `span` >= 0.
static Time wholeUnits(double span) {
  const auto units = static_cast<Time>(span);
  return units + (static_cast<double>(units) < span);
}

/// Lets `span` of real time pass: whole units of work.
void Cores::advanceBy(double span) { advance(time + wholeUnits(span / ease())); }

/// Readings are integers, since small units are lost beside a long run's in a double.
void Cores::advance(Time to) {
  if (to <= time)
    return;
  assert(to < Time{1} << timeBits && "Charges::tightBound is none");
  auto passed = static_cast<double>(to - time);
  if (!relief.empty()) {
    const double more = passed * (ease() - 1);
    behind += more;
    eased += more * static_cast<double>(computing - shared);
    passed += more;
  }
  waited += passed * static_cast<double>(shared);
  time = to;
}

/// Brings up to date what `core` has done, whose pace is about to change.
void Cores::settle(Core &core) {
  const Time passed = time - core.since;
  if (passed == 0) // it is that of the thread that acts
    return;
  core.since = time;
  if (!core.ready.empty())
    divide(core, passed);
}

/// What `passed` since it was up to date is for each of its threads that compute.
void Cores::divide(Core &core, Time passed) {
  const auto sharing = static_cast<Time>(core.ready.size());
  core.served += passed / sharing;
  core.since -= passed % sharing;
}

/// Finds out who acts next on `number`, and when.
void Cores::foresee(std::uint32_t number) {
  const Core &core = cores[number];
  if (core.ready.empty())
    return nexts.set(number, {Tournament::never, 0});
  const Event &first = core.ready.top();
  const auto sharing = static_cast<Time>(core.ready.size());
  // They all have as much to do, which a run adds up: less than 2^timeBits.
  assert(core.since >= 0 && first.at - core.served <= (Time{1} << timeBits) / sharing);
  const Time takes = (first.at - core.served) * sharing;
  nexts.set(number, {std::max(time, core.since + takes), first.thread});
}

//===- Threads ------------------------------------------------------------===//

/// One runnable thread more, or less, is on `core`.
void Cores::changeRunnable(Core &core, bool more) {
  --coresWith[core.runnable];
  more ? ++core.runnable : --core.runnable;
  if (coresWith.size() <= core.runnable)
    coresWith.resize(core.runnable + 1);
  ++coresWith[core.runnable];
  mostRunnable = std::max(mostRunnable, core.runnable);
  leastRunnable = std::min(leastRunnable, core.runnable);
  mostRunnable -= coresWith[mostRunnable] == 0;
  leastRunnable += coresWith[leastRunnable] == 0;
}

/// `thread` is then in `state`, which is not Ready.
void Cores::setState(std::uint32_t thread, State state) {
  Thread &self = threads[thread];
  Core &core = cores[self.core];
  if (self.state == State::Ready)
    stopComputing(thread);
  core.awaiting += unsigned{state == State::Awaits} - unsigned{self.state == State::Awaits};
  const bool wasRunnable = self.state > State::Asleep, isRunnable = state > State::Asleep;
  if (wasRunnable != isRunnable)
    changeRunnable(core, isRunnable);
  self.state = state;
}

/// `thread`, which did not, computes, and acts when it has done `work`.
void Cores::compute(std::uint32_t thread, Time work) {
  Thread &self = threads[thread];
  assert(self.state != State::Ready);
  Core &core = cores[self.core];
  if (self.state <= State::Asleep)
    changeRunnable(core, true);
  core.awaiting -= self.state == State::Awaits;
  self.state = State::Ready;
  settle(core);
  shared += !core.ready.empty();
  ++computing;
  core.ready.push({core.served + work, thread});
  foresee(self.core);
}

/// `thread`, mostly the one that acts, does not compute any more.
void Cores::stopComputing(std::uint32_t thread) {
  const std::uint32_t number = threads[thread].core;
  Core &core = cores[number];
  settle(core);
  if (core.ready.top().thread == thread)
    core.ready.pop();
  else
    core.ready.erase(std::ranges::find(core.ready, thread, &Event::thread));
  --computing;
  shared -= !core.ready.empty();
  if (core.ready.empty() && core.awaiting > 0)
    quietUntil = time;
  foresee(number);
}

/// The core for a thread that the thread on core `own`, the program's first or not, wakes up or
/// creates; it stays where it is (nothing) if all have threads and it is awoken.
std::optional<std::uint32_t> Cores::chooseCore(std::uint32_t own, bool isNew, bool isFirst) {
  const bool creates = isNew && pinning.createsThreads;
  const auto isLeftOut = [&](std::uint32_t core) {
    return creates && isFirst && core == own && cores.size() > 1;
  };
  unsigned least = ~0u, count = 0;
  for (std::uint32_t core = 0; core < cores.size(); ++core) {
    if (cores[core].runnable > least || isLeftOut(core))
      continue;
    count = cores[core].runnable < least ? 1 : count + 1;
    least = cores[core].runnable;
  }
  if (least > 0 && creates && !isFirst)
    return own;
  if (least > 0 && !isNew)
    return std::nullopt;
  std::size_t which = count > 1 ? dice.below(count) : 0;
  std::uint32_t core = 0;
  while (cores[core].runnable > least || isLeftOut(core) || which-- > 0)
    ++core;
  return core;
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

void Cores::start(std::uint32_t thread, Time work) {
  if (thread < threads.size() && threads[thread].state == State::Ready) {
    const std::uint32_t number = threads[thread].core;
    Core &core = cores[number];
    if (core.ready.top().thread == thread) { // it acts: nothing but its goal changes
      settle(core);
      core.ready.moveTop(core.served + work);
      return foresee(number);
    }
  }
  place(thread, thread);
  compute(thread, work);
}

void Cores::yield(std::uint32_t thread, double until) {
  Thread &self = threadOf(thread);
  setState(thread, State::Yields);
  self.until = until;
  if (until == never || std::exchange(self.hasEnd, true))
    return; // where there is an end, it is put off when it comes
  ends.push_back({until, thread});
  std::ranges::push_heap(ends, std::greater<>());
  quietUntil = time;
}

void Cores::awaitCore(std::uint32_t thread, double at) {
  threadOf(thread).until = at;
  setState(thread, State::Awaits);
  awaiting.push_back(thread);
  quietUntil = sharesCore(thread) ? std::min(quietUntil, quietFor(at)) : time;
}

void Cores::retire(std::uint32_t thread) {
  if (threads[thread].state != State::Ready)
    return;
  setState(thread, State::Asleep);
  balance();
}

//===- What the system does -----------------------------------------------===//

/// The first core with so many threads, which there is.
std::uint32_t Cores::coreWith(unsigned runnable) const {
  return static_cast<std::uint32_t>(std::ranges::find(cores, runnable, &Core::runnable) -
                                    cores.begin());
}

/// Moves one of the runnable threads of the core that has most to that which has fewest.
void Cores::moveOne() {
  const std::uint32_t from = coreWith(mostRunnable), to = coreWith(leastRunnable);
  std::size_t which = dice.below(cores[from].runnable);
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    Thread &self = threads[thread];
    if (self.core != from || self.state <= State::Asleep || which-- > 0)
      continue;
    const State state = self.state;
    Time left = 0;
    if (state == State::Ready) {
      Core &core = cores[from];
      settle(core);
      const auto goal = std::ranges::find(core.ready, thread, &Event::thread);
      left = std::max<Time>(0, goal->at - core.served);
    }
    setState(thread, State::Asleep);
    self.core = to;
    return state == State::Ready ? compute(thread, left) : setState(thread, state);
  }
}

/// Half the longest time until the system looks at the cores; longer where nothing happens for very
/// long, so that what is looked at is not looked at for ever.
double Cores::period() const {
  const Time nextAt = nexts.top().at;
  const double far = static_cast<double>(nextAt - time) * ease();
  return nextAt == Tournament::never ? pinning.period : std::max(pinning.period, far / 256);
}

/// Gives cores without threads some, and has the system look where there are more than elsewhere.
void Cores::balance() {
  quietUntil = time;
  while (mostRunnable >= 2 && leastRunnable == 0)
    moveOne();
  if (mostRunnable < 2 || mostRunnable == leastRunnable) {
    lookAt = never;
    hasLooked = false;
  } else if (lookAt == never) {
    lookAt = now() + 2 * dice.share() * period();
  }
}

void Cores::look() {
  lookAt = never;
  if (!hasLooked && mostRunnable < leastRunnable + 2) {
    hasLooked = true;
    lookAt = now() + (1 + dice.share()) * period();
    return;
  }
  hasLooked = false;
  moveOne();
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
    advanceBy(std::max(0.0, threads[thread].until - now()));
  }
  awaiting.erase(first);
  compute(thread, 0);
  return true;
}

/// Until which reading it is surely before `until`.
Time Cores::quietFor(double until) const {
  const double span = (until - now()) / slowest;
  const Time left = Tournament::never - time;
  return span < static_cast<double>(left) ? time + static_cast<Time>(span) : time + left;
}

/// Whether something changes, or changed now, before `next`; if not, finds out until when not.
bool Cores::changesBefore(Event next) {
  const double endAt = ends.empty() ? never : ends.front().at;
  const double change = std::min(endAt, lookAt);
  const double nextAt =
      next.at == Tournament::never ? never : now() + static_cast<double>(next.at - time) * ease();
  if (startAwaiting(std::min(nextAt, change)))
    return true;
  if (change < nextAt) {
    advanceBy(std::max(0.0, change - now()));
    endAt < lookAt ? endYielding() : look();
    return true;
  }
  double first = change;
  for (const std::uint32_t thread : awaiting)
    first = std::min(first, threads[thread].until);
  quietUntil = quietFor(first);
  return false;
}

std::uint32_t Cores::next() {
  Event next = nexts.top();
  while (next.at >= quietUntil && changesBefore(next))
    next = nexts.top();
  advance(next.at);
  Core &core = cores[threads[next.thread].core];
  core.served = core.ready.top().at;
  core.since = time;
  return next.thread;
}

} // namespace prophet
