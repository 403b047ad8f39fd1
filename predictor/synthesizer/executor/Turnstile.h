//===- Turnstile.h - Virtual time for real threads --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a real OpenMP runtime, on as many cores as there happen to be, act in
// the order of virtual time: a thread that computes only adds the length to the
// deadline that it carries, and before it does what others can see (asks the
// runtime for a chunk or a lock, forks, leaves a loop) it waits here until its
// deadline is the earliest of all. One thread at a time is past the turnstile, or
// inside the runtime, where it may block: then the next one is let through, but
// not before the blocked one has arrived in the runtime's own queue. A thread that
// the runtime sets free carries on at the time of the one that freed it: deadlines
// pass through locks and joins as maxima.
//
// So who gets which chunk and who gets the lock next is decided by the runtime,
// no wake-up is ever late, and it takes only as long as the threads' switches.
// Threads with one deadline pass by `Worker::order`. Where more of them are
// ready than there are cores, virtual time slows down for all alike.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/RuntimeLock.h"
#include "predictor/synthesizer/executor/Timing.h"

#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>

namespace synthesizer {

class Turnstile : public Timing {
public:
  Turnstile(std::size_t locks, const Run &run);
  ~Turnstile() override;

  void begin(Worker &initial) override;
  double clock(Worker &initial) override;
  double overhead(const Worker &) const override { return 0; }
  void compute(Worker &worker, Time length) override;
  void pay(Worker &worker, Time cost) override;
  void meet(Worker &worker) override;
  void acquire(Worker &worker, std::size_t lock) override;
  void release(Worker &worker, std::size_t lock) override;
  void fork(Worker &master, Team &team) override;
  void enter(Worker &member, Team &team, unsigned number) override;
  void leave(Worker &member, Team &team) override;
  void join(Worker &master, Team &team) override;
  void create(Worker &creator, TaskGroup &group) override;
  void destroy(TaskGroup &group) override;
  void beginTask(Worker &worker, TaskGroup &group) override;
  void endTask(Worker &worker, TaskGroup &group) override;
  void wait(Worker &worker, TaskGroup &group) override;
  void endWait(Worker &worker, TaskGroup &group) override;

  static int yield(Worker *atLock);
  static bool sleeps(const Worker &worker);

protected:
  struct Waiting {
    Time deadline;
    Worker *worker;
    bool operator<(const Waiting &other) const; ///< reversed: the heap's top is the earliest
  };
  struct Lock {
    RuntimeLock real;
    bool held = false;
    std::vector<Worker *> waiters;
    Worker *releaser = nullptr; ///< waits until the next holder has it
    Worker *heir = nullptr; ///< is waking up for it: the real one is its, and may be had meanwhile
  };

  std::mutex mutex;
  std::vector<Waiting> waiting; ///< a heap
  unsigned active = 1;          ///< threads that will come here without anybody's help
  Worker *blocking = nullptr;   ///< on its way into a runtime's queue
  Time reading = 0;             ///< the virtual clock
  double lag = 0;               ///< how far time is ahead of it, for want of cores
  const unsigned cores;
  const LockCosts &costs;
  const double blockTime;
  bool isInRegion = false;             ///< some team is at work
  std::optional<double> sinceRegion{}; ///< when the last one was through, if there was one
  std::vector<Lock> locks;
  /// A thread that has nothing to do until there is a task for it, or what it waits for has come.
  struct Idler {
    Worker *worker;
    const TaskGroup *group; ///< whose tasks it waits for; none: it is at a barrier
  };
  std::vector<Idler> idlers;
  std::uint64_t queued = 0;    ///< tasks that were created and have not begun
  std::uint64_t changes = 0;   ///< of what an idle thread may find
  unsigned vain = 0;           ///< rounds in which all looked in vain while nobody else could go on
  std::minstd_rand dice;       ///< who looks first
  Worker *dismisser = nullptr; ///< oneTBB: sends the team off
  std::vector<Worker *> inside; ///< libgomp: whom it has run a task, or sleep
  bool settled = true;          ///< they sleep, and nothing has been done that wakes them
  std::thread watchman;         ///< sees whether they do
  Signal toWatch;
  std::atomic<bool> ends = false; ///< the watch
  std::set<std::uint32_t> freeOrders;
  std::uint32_t orders = 1;

  void pass(Worker &worker, Time deadline);
  void stand(Worker &worker, Time deadline);
  void await(Worker &worker, Lock &lock);
  bool takeOver(Worker &worker, Lock &lock);
  bool claim(Worker &worker, Lock &lock, bool slept);
  void handOver(Worker &worker, Lock &lock);
  void awaitTurn(Worker &worker);
  void arrive();
  void letNextPass();
  void giveOrders(Team &team);
  void openRegion(Worker &master, const Team &team);
  void closeRegion(Worker &master, const Team &team, double came);
  /// All that has passed, of which the clock does not show what there were no cores for.
  double real() const { return static_cast<double>(reading) + lag; }

  // By runtime: TurnstileTasks.cpp, TurnstileTasksGnu.cpp, TbbTurnstile.cpp
  static bool callForRegion();
  static void goBackToBarrier(Worker &master);
  static unsigned teamSize();
  void startLooking(Worker &member, Team &team);
  void lookAgain(Worker &worker);
  void poll(Worker &worker);
  void sleepUntilNew(Worker &worker, const TaskGroup *group);
  bool letIdlerLook();
  void sendOff(Worker &last, Team &team);
  void endWatch();

  // TurnstileTasksGnu.cpp alone
  void goInside(Worker &worker);
  bool comeOut(Worker &worker);
  void watch();
  bool letPassIfAllSleep();
};

} // namespace synthesizer
