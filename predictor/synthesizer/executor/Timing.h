//===- Timing.h - How the threads of an executor pass their time *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk over the tree (Walk.h) calls this where time passes and where threads
// meet; OpenMP's own constructs are between fork and enter, leave and join.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Plan.h"

#include <atomic>
#include <cstddef>
#include <semaphore.h>
#include <sys/types.h>

namespace synthesizer {

/// A semaphore that one thread waits for.
class Signal {
public:
  Signal() { sem_init(&semaphore, 0, 0); }
  ~Signal() { sem_destroy(&semaphore); }
  Signal(const Signal &) = delete;
  void give() { sem_post(&semaphore); }
  void take() {
    while (sem_wait(&semaphore) != 0) // a system call that a signal interrupted
      ;
  }

private:
  sem_t semaphore;
};

/// What the end of a section of tasks waits for.
struct TaskGroup {
  std::uint64_t pending = 0;  ///< tasks that were created and have not ended
  double factor = 1;          ///< of its tasks' lengths
  TaskGroup *outer = nullptr; ///< oneTBB: what its waiter waits for when it is done
};

/// Where in the program a thread is, as far as tasks go.
struct TaskPlace {
  bool isTask = false;   ///< or in code that the whole team runs
  unsigned sections = 0; ///< of tasks, that this task has opened and not waited for
};

struct Team;
class Turnstile;

/// A thread in its role as member of one team. Lives on the stack of that thread.
struct Worker {
  Worker();
  const pid_t id; ///< of its thread

  double factor = 1; ///< of the lengths that it computes
  /// What tasks cost in its team; null: nothing by themselves.
  const SiteCosts *costs = nullptr;
  TaskPlace place;

  // What the walk itself costs:
  std::uint64_t visits = 0; ///< nodes it has looked at,
  std::uint64_t calls = 0;  ///< and sections it has opened,
  double overhead = 0;      ///< both apart from what came before its team

  // Of virtual time:
  Time carried = 0;                      ///< its deadline: all it has computed up to now
  bool moved = false;                    ///< `carried` has grown since others could see it last
  double waitsSince = 0;                 ///< for a lock
  std::uint32_t order = 0;               ///< of workers with one deadline the lowest goes first
  Signal turn;                           ///< its deadline has come
  Signal met;                            ///< whom it waits for has come
  Signal look;                           ///< the lock that it waits for has been released
  std::atomic<bool> dozes = false;       ///< waits for `look`, where it should spin
  std::atomic<Worker *> asker = nullptr; ///< wants to know whether it got the lock
  std::uint64_t begun = 0;               ///< tasks
  std::vector<bool> deferred;            ///< of the tasks that it is in
  std::uint64_t seen = 0;                ///< Turnstile::changes when it last looked for a task
  unsigned looks = 0;                    ///< so often it may still look
  TaskGroup *awaits = nullptr;           ///< oneTBB: what it waits for
  Team *leaves = nullptr;                ///< the team at whose barrier it looks for tasks,
  Turnstile *turnstile = nullptr;        ///< and where it does
};

/// A region's team.
struct Team {
  unsigned size = 1;
  Worker *master = nullptr;
  const SiteCosts *costs = nullptr; ///< of the site that opens its region; null: none
  bool isOutermost = false;         ///< of all that there are
  bool spawns = false;              ///< its threads look for tasks while they wait
  double masterCame = 0;            ///< to the barrier
  Time start = 0;
  std::vector<std::uint32_t> orders; ///< by number in the team
  unsigned arrived = 1, left = 0;
  std::vector<Worker *> members; ///< by number in the team
  Worker *last = nullptr;        ///< has left when all others had
  bool hasTasks = false;         ///< tasks are spawned in it: who has left looks for them
  Team *outer = nullptr;         ///< at whose barrier its master ran a task that opened it,
  bool isPolled = false;         ///< ... looking for more of them in between
  double overheadBefore = 0;     ///< its master's
};

class Timing {
public:
  virtual ~Timing() = default;

  virtual void begin(Worker &initial) = 0;
  /// Time since begin without the walk's own, in units. \pre no team is at work
  virtual double clock(Worker &initial) = 0;

  /// What `clock` has left out.
  virtual double overhead(const Worker &initial) const = 0;

  virtual void compute(Worker &worker, Time length) = 0;
  /// Something that the runtime does has cost so much, where it takes no time by itself.
  virtual void pay(Worker &, Time) {}
  /// What `worker` does next is seen by others: it must not be early.
  virtual void meet(Worker &worker) = 0;
  virtual void acquire(Worker &worker, std::size_t lock) = 0;
  virtual void release(Worker &worker, std::size_t lock) = 0;

  /// `master` is about to open a region for `team`, whose size is known.
  virtual void fork(Worker &master, Team &team) = 0;
  virtual void enter(Worker &member, Team &team, unsigned number) = 0;
  /// \pre behind this the member only goes to the barrier at the region's end.
  virtual void leave(Worker &member, Team &team) = 0;
  virtual void join(Worker &master, Team &team) = 0;

  /// `creator` is about to create a task of `group`; `destroy` if it is not to be run after all.
  virtual void create(Worker &, TaskGroup &) {}
  virtual void destroy(TaskGroup &) {}
  /// Code of a task begins and ends, on the thread that the runtime has chosen.
  virtual void beginTask(Worker &, TaskGroup &) {}
  virtual void endTask(Worker &, TaskGroup &) {}
  /// `worker` is about to wait for `group` by taskwait or a taskgroup's end, and has done so.
  virtual void wait(Worker &, TaskGroup &) {}
  virtual void endWait(Worker &, TaskGroup &) {}
};

} // namespace synthesizer
