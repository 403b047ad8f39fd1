//===- SegmentEngine.h - What both event engines do with time ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engine.h and TaskEngine.h say what threads do next; here is how they spend time
// on it and how they meet at locks. A thread is busy for one segment after the
// other, and acts between them, which takes no time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Clock.h"
#include "predictor/emulator/Locks.h"
#include "predictor/emulator/Outline.h"
#include "predictor/emulator/RegionContext.h"

#include <algorithm>

namespace prophet {

/// What a thread of an event engine is about, besides its stack.
struct Actor {
  enum class Then : std::uint8_t {
    Go,
    StartTeam,
    ReachBarrier,
    FinishRegion,
    LeaveTeam,
    Lock,
    RunAgain
  };
  Then then = Then::Go;           ///< what it does when its present segment ends
  bool spun = false;              ///< Then::Lock: until it was, it did not sleep
  std::uint32_t release = nobody; ///< lock to be released when its present segment ends
  Slowdown slowdown;              ///< of what it runs
  std::uint32_t account = 0;      ///< where that is added up: SegmentEngine::sums
  Time owed = 0;                  ///< overhead to be spent before it does anything that others see
  const TeamCharges *charges = nullptr; ///< of its team
  const TimedChild *wants = nullptr; ///< Then::Lock, RunAgain: L node for whose lock it was woken
  double waitsSince = 0;             ///< at a barrier, for tasks, or for a turn on its core
  Place place;                       ///< for the listener, as are:
  Interval segment{};                ///< the present one
  double segmentCharge = 0;          ///< the share of it that is overhead
};

/// \tparam Member an Actor with a `stack` of frames that have heldLock() and a position `at`.
template <typename Member> class SegmentEngine {
protected:
  explicit SegmentEngine(const RegionContext &context)
      : context(context), timed(context.timed), clock(context.cores(), canShareCores(context)),
        locks(context.timed.tree.locks.size(), Locks::ruleOf(context.options)) {}

  const RegionContext &context;
  const TimedTree &timed;
  Clock clock;
  Locks locks;
  std::vector<Member> workers; ///< the threads of all teams
  double executions = 1;       ///< of the region
  /// Of one execution of it, by account: a site's loops and teams in it have one. The first is
  /// that of the site that opens it.
  std::vector<ThreadTimes> sums;

  /// \param relief see EmulationOptions::relief
  void begin(const Region &region, const std::optional<Pinning> &pinning = std::nullopt,
             std::vector<double> relief = {});
  /// `useful` work took `added` more, under `slowdown`.
  static void spendMore(ThreadTimes &own, double useful, double added, const Slowdown &slowdown) {
    if (slowdown.factor == 1 && slowdown.body == 1) // most events, in most programs
      return;
    const double outlining = slowdown.outlining(useful, added);
    own.outlining += outlining;
    own.memory += added - outlining;
  }
  ThreadTimes &sumsOf(const Actor &actor) { return sums[actor.account]; }
  /// The account of the site of `section`.
  std::uint32_t accountOf(NodeId section);
  /// Adds the executions of the region that ends now to the tally; returns one.
  ThreadTimes finish();

  /// Has `id`, which is not, be busy with `work` from now on, and then act.
  void occupy(std::uint32_t id, Time work) {
    if (keepsLosses)
      keepReady(id, work);
    clock.schedule(clock.now() + work, id);
  }
  /// The segment of `id` is over: what it is to do now.
  Actor::Then wake(std::uint32_t id);
  /// Has `id`, which did nothing, act now.
  void startNow(std::uint32_t id);

  Time apart(const Actor &actor, Time overhead);
  void spend(std::uint32_t id, Activity activity, Time base, Time work, Time overhead);
  bool spendFused(std::uint32_t id, const TimedChild &child, std::uint64_t count);
  /// Whether `id` is busy with what it owes; if not, it has paid and goes on.
  bool payOwed(std::uint32_t id);
  /// `id` waits for its team, or for a task while `seeksTasks`.
  void await(std::uint32_t id, bool seeksTasks = false);
  /// What `id` waited for since `waitsSince` is there.
  void reportWait(std::uint32_t id, Place place);

  bool acquire(std::uint32_t id, const TimedChild &locked);
  void release(std::uint32_t lock);
  void claim(std::uint32_t id);
  void runAgain(std::uint32_t id);

  /// Some iterations in a row, as one piece.
  struct Piece {
    std::uint64_t count = 0;
    Time base = 0, work = 0, overhead = 0;
  };
  /// Takes the iterations of `frame` up to `end`, or up to one that is not `fused`.
  template <typename Frame, typename Fused>
  Piece takeIterations(Frame &frame, std::uint64_t end, double factor, const Fused &fused) {
    Piece piece;
    while (frame.begin < end && fused(*frame.at.child)) {
      const TimedChild &task = *frame.at.child;
      const std::uint64_t count = std::min(frame.at.left, end - frame.begin);
      const auto times = static_cast<Time>(count);
      piece.base += task.length * times;
      piece.work += scaled(task.length, factor) * times;
      if (!task.traits.isPlain())
        piece.overhead += context.costs.overhead(task.node) * times;
      if (task.traits.hasSection)
        context.tally.addFused(timed.tree, task.node, static_cast<double>(count) * executions,
                               factor);
      piece.count += count;
      frame.begin += count;
      frame.at.left -= count - 1;
      frame.at = frame.at.next();
    }
    return piece;
  }
  void enterIteration(Member &worker);

private:
  std::vector<std::uint32_t> sites;     ///< by account
  std::vector<std::uint32_t> accountAt; ///< by site; where it has none, 0

  struct Ready {
    Clock::Moment since;
    Time work = none; ///< none: it is not ready
    static constexpr Time none = -1;
  };
  bool keepsLosses = false;     ///< several accounts share cores
  std::vector<Ready> readiness; ///< by thread, where `keepsLosses`

  void keepReady(std::uint32_t id, Time work);
  void addLosses(std::uint32_t id);
  void closeAccounts();
  /// Whether threads may have to await a turn on their cores, or keep them from others.
  static bool canShareCores(const RegionContext &context) {
    return context.charges.nextTurn > 0 && context.mayShareCores();
  }
  void endSegment(const Member &worker);
  void waitForCore(std::uint32_t id, const TimedChild &locked);
  void startLocked(std::uint32_t id, const TimedChild &locked, Time overhead);
};

} // namespace prophet
