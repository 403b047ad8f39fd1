//===- emulatorReference.cpp - A slow, plain emulator to test against -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorReference.h"

#include "emulatorDealer.h"
#include "emulatorWriteOut.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <list>
#include <optional>

namespace prophet::test {

namespace {

/// When something was last asked for, and by whom.
struct Touch {
  std::uint64_t at = ~0ull;
  const void *thread = nullptr, *team = nullptr;
  bool justWoken = false;
};

struct Thread {
  const Pieces *program;
  std::size_t next = 0;        ///< piece
  bool isReady = true;         ///< computing; else waiting, or the master of an inner team
  std::uint64_t left = 0;      ///< of its piece
  std::uint64_t since = 0;     ///< when it began to wait
  std::uint64_t woken = ~0ull; ///< when its inner team ended
  std::optional<std::uint32_t> claims{}; ///< the lock that it was woken for
  struct Team *team = nullptr;           ///< none: the program's first thread
  unsigned number = 0;                   ///< in it
  std::size_t loop = 0;                  ///< of its region
  Dealer::Chunk chunk{};                 ///< iterations it has still to run
  std::vector<std::uint64_t> entered{};  ///< serial sections it is in: since when
};

struct Team {
  struct Loop {
    Dealer dealer;
    std::uint64_t since; ///< the first thread's arrival
    unsigned left = 0;   ///< threads that are through
    Touch touch{};
  };
  const Region &region;
  Thread &master;
  std::vector<Loop> loops{}; ///< those that a thread has reached
  unsigned atBarrier = 0;
};

struct Lock {
  bool isHeld = false, isWaking = false; ///< a thread is being woken for it
  std::list<Thread *> waiting{};
  Touch touch{};
};

/// What a lock takes of who gets it, in ticks.
class LockCosts {
public:
  LockCosts(const Tree &tree, const EmulationOptions &options)
      : costs(options.overheads), perNs(tree.timebaseHz / 1e9), sleeps(options.blockTime() == 0) {
    wakes = options.runtime == OmpRuntime::Libgomp &&
            (costs.active.lockHandoff.at(2) > 0 || costs.passive.lockHandoff.at(2) > 0);
  }
  /// Whether a lock that is released is anybody's until a waiting thread has woken up.
  bool wakes = false;
  std::uint64_t whenFree() const { return ticks(costs.lockPair); }
  /// While `waiting` threads, who gets it among them, wait.
  std::uint64_t fromAnother(std::size_t waiting) const {
    const TeamCost &cost = sleeps ? costs.passive.lockHandoff : costs.active.lockHandoff;
    return ticks(cost.at(static_cast<unsigned>(waiting) + 1));
  }
  /// Until one of `waiting` threads asks for it; those that spin need just the word itself.
  std::uint64_t untilAwake(std::size_t waiting) const { return fromAnother(sleeps ? waiting : 1); }
  /// From then on, until it has it.
  std::uint64_t awake(std::size_t waiting) const {
    return sleeps ? 0 : fromAnother(waiting) - fromAnother(1);
  }

private:
  const Overheads &costs;
  double perNs;
  bool sleeps;
  std::uint64_t ticks(double ns) const {
    return static_cast<std::uint64_t>(std::llround(ns * perNs));
  }
};

class Machine {
public:
  Machine(const Tree &tree, const EmulationOptions &options)
      : tree(tree), options(options), lockCosts(tree, options),
        cores(options.cores ? options.cores : options.threads) {
    result.sites.resize(tree.sites.size());
    result.imbalance.resize(tree.sites.size());
    result.cores.resize(tree.sites.size());
  }

  ReferenceTimes run() {
    const Pieces program = writeOut(tree, options);
    threads.push_back({&program});
    while (!threads.empty()) {
      const auto isDue = [](const Thread &thread) { return thread.isReady && thread.left == 0; };
      const auto due = std::find_if(threads.begin(), threads.end(), isDue);
      if (due == threads.end())
        advance();
      else
        act(*due);
    }
    result.ticks = ticks(now);
    return result;
  }

private:
  const Tree &tree;
  const EmulationOptions &options;
  const LockCosts lockCosts;
  const std::uint64_t cores;
  ReferenceTimes result;
  std::list<Thread> threads; ///< by place
  std::list<Team> teams;
  std::map<std::uint32_t, Lock> locks;
  std::uint64_t now = 0; ///< in 1/cores ticks

  double ticks(std::uint64_t time) const {
    return static_cast<double>(time) / static_cast<double>(cores);
  }

  /// On to the next moment at which a thread is through with its piece.
  void advance() {
    std::uint64_t ready = 0, step = ~0ull;
    for (const Thread &thread : threads)
      if (thread.isReady) {
        ++ready;
        step = std::min(step, thread.left);
      }
    assert(ready > 0 && "a deadlock");
    for (Thread &thread : threads)
      if (thread.isReady) {
        thread.left -= step;
        if (ready > cores && thread.team)
          result.cores[siteOf(thread)] += ticks(step * (ready - cores));
      }
    now += step * std::max(cores, ready);
  }

  void act(Thread &thread) {
    while (thread.isReady && thread.left == 0) {
      if (thread.claims)
        return claim(thread);
      if (thread.next == thread.program->size()) {
        if (!nextIteration(thread))
          return;
        continue;
      }
      const Piece &piece = (*thread.program)[thread.next++];
      switch (piece.kind) {
      case Piece::Kind::Compute:
        thread.left = piece.ticks;
        return;
      case Piece::Kind::Acquire:
        return acquire(thread, piece);
      case Piece::Kind::Release:
        release(thread, piece.which);
        break;
      case Piece::Kind::Enter:
        thread.entered.push_back(now);
        break;
      case Piece::Kind::Leave:
        if (!piece.isInSame)
          result.sites[piece.which] += ticks(now - thread.entered.back());
        thread.entered.pop_back();
        break;
      case Piece::Kind::Fork:
        return fork(thread, *piece.region);
      }
    }
  }

  /// Threads of one team that ask at one moment do so by number; nothing says who is first of those
  /// of different teams, and of one whose inner team ends at that moment.
  void touch(Touch &what, const Thread &thread) {
    const bool justWoken = thread.woken == now;
    if (what.at == now && what.thread != &thread)
      result.contested |= what.team != thread.team || what.justWoken || justWoken;
    what = {now, &thread, thread.team, justWoken};
  }

  /// Gives `thread` the lock for `cost`, or has it wait.
  void ask(Thread &thread, Lock &lock, std::uint64_t cost) {
    touch(lock.touch, thread);
    thread.isReady = !lock.isHeld;
    if (lock.isHeld) {
      thread.since = now;
      lock.waiting.push_back(&thread);
    } else {
      lock.isHeld = true;
      thread.left = cost;
    }
  }

  void acquire(Thread &thread, const Piece &piece) {
    ask(thread, locks[piece.which], piece.isParallel ? lockCosts.whenFree() : 0);
  }

  void claim(Thread &thread) {
    Lock &lock = locks[*thread.claims];
    lock.isWaking = false;
    thread.claims.reset();
    ask(thread, lock, lockCosts.awake(lock.waiting.size() + 1));
  }

  /// Of the loop that `thread` is in.
  static std::uint32_t siteOf(const Thread &thread) {
    return thread.team->region.loops[thread.loop].site;
  }

  void release(const Thread &thread, std::uint32_t name) {
    Lock &lock = locks[name];
    if (!options.overheads.isNone()) // who asks at this moment may pay for waiting, or not
      touch(lock.touch, thread);
    lock.isHeld = false;
    if (lock.waiting.empty() || lock.isWaking)
      return;
    Thread &first = *lock.waiting.front();
    first.isReady = true;
    result.locks[{siteOf(first), name}] += ticks(now - first.since);
    if (lockCosts.wakes) {
      lock.isWaking = true;
      first.claims = name;
      first.left = lockCosts.untilAwake(lock.waiting.size());
    } else {
      lock.isHeld = true;
      first.left = lockCosts.fromAnother(lock.waiting.size());
    }
    lock.waiting.pop_front();
  }

  void fork(Thread &master, const Region &region) {
    master.isReady = false;
    result.innerTeams += master.team != nullptr;
    Team &team = teams.emplace_back(Team{region, master});
    auto behind = std::find_if(threads.begin(), threads.end(),
                               [&](const Thread &thread) { return &thread == &master; });
    ++behind;
    for (unsigned number = 0; number < region.threads; ++number) {
      Thread &thread = *threads.insert(behind, Thread{&nothing});
      thread.team = &team;
      thread.number = number;
    }
  }

  inline static const Pieces nothing{};

  void reachLoop(Team &team, std::size_t number) {
    if (number < team.loops.size())
      return;
    const Region::Loop &loop = team.region.loops[number];
    const Policy policy = policyOf(tree, loop.site, options);
    const std::size_t chunk = options.scheduleOf(loop.site).chunk;
    const bool isLoop = tree.sites[loop.site].kind == SiteKind::ParallelFor;
    team.loops.push_back({Dealer(loop.iterations.size(), policy,
                                 isLoop ? std::max<std::size_t>(chunk, 1) : 1, team.region.threads),
                          now});
  }

  /// Gives `thread` its next iteration, or has it go on behind the loop; false where it is gone.
  bool nextIteration(Thread &thread) {
    if (!thread.team) {
      threads.clear();
      return false;
    }
    Team &team = *thread.team;
    reachLoop(team, thread.loop);
    Team::Loop &loop = team.loops[thread.loop];
    if (thread.chunk.empty()) {
      if (loop.dealer.isFirstCome())
        touch(loop.touch, thread);
      if (auto chunk = loop.dealer.next(thread.number))
        thread.chunk = *chunk;
      else
        return leaveLoop(thread);
    }
    thread.program = &team.region.loops[thread.loop].iterations[thread.chunk.front()];
    thread.next = 0;
    thread.chunk.pop_front();
    return true;
  }

  bool leaveLoop(Thread &thread) {
    Team &team = *thread.team;
    const bool isLastLoop = ++thread.loop == team.region.loops.size();
    const Region::Loop &left = team.region.loops[thread.loop - 1];
    if (++team.loops[thread.loop - 1].left == team.region.threads && !left.isInSame)
      result.sites[left.site] += ticks(now - team.loops[thread.loop - 1].since);
    if (!isLastLoop) {
      ++result.flows;
      thread.program = &nothing;
      thread.next = 0;
      thread.left = team.region.loops[thread.loop].gap;
      return true;
    }
    thread.isReady = false;
    thread.since = now;
    if (++team.atBarrier < team.region.threads)
      return false;
    for (const Thread &member : threads)
      if (member.team == &team)
        result.imbalance[team.region.loops.back().site] += ticks(now - member.since);
    team.master.isReady = true;
    team.master.woken = now;
    threads.remove_if([&](const Thread &member) { return member.team == &team; });
    teams.remove_if([&](const Team &other) { return &other == &team; });
    return false;
  }
};

} // namespace

ReferenceTimes reference(const Tree &tree, const EmulationOptions &options) {
  return Machine(tree, options).run();
}

} // namespace prophet::test
