//===- TaskWorker.h - Threads, tasks and deques of the task engine -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Dice.h"
#include "predictor/emulator/Team.h"

namespace prophet {

/// libomp's deques hold no more; a task that finds its creator's full is executed at once.
inline constexpr std::uint64_t dequeCapacity = 256;

/// How many more tasks may wait in libgomp's queue of a team, where `count` do or run.
inline std::uint64_t roomInQueue(std::uint64_t count, unsigned teamSize) {
  const std::uint64_t most = 64ull * teamSize + 1; // GOMP_task runs what comes after these at once
  return count < most ? most - count : 0;
}

/// Where a strand of execution is in the tree.
struct TaskFrame {
  enum class Kind : std::uint8_t {
    Sequence, ///< the children of a task or of a lock that is held
    Serial,   ///< the children of a section that does not spawn
    Spawner,  ///< the children of a section whose tasks are spawned; at its end it waits for them
    Range,    ///< iterations of a loop, which may be split
    Share,    ///< a share of a worksharing loop
  };
  Kind kind = Kind::Sequence;
  bool isTask = false;       ///< its end is the end of a task (or of a loop's piece) that was taken
  bool isRegion = false;     ///< its end is the region's
  bool open = false;         ///< continuation stealing: what is left of it may be stolen
  bool paid = false;         ///< the overhead of its next step is in Worker::owed already
  bool isUndeferred = false; ///< it was executed where it was created: its group did not count it
  bool isInner : 1 = false;  ///< Serial: a serialised parallel region, whose team is one thread
  bool isInRegion : 1 = false;         ///< Sequence, Serial, Spawner: as Frame's
  bool isAlone : 1 = false;            ///< Spawner, or a task of one: of a team of one thread
  bool isTold : 1 = false;             ///< Sequence: the listener has heard of its beginning
  bool isFull : 1 = false;             ///< Range, libgomp: its tasks run where they are created
  bool countsTasks = false;            ///< Range: `begin` and `end` are numbers of tasks
  std::uint32_t lock = nobody;         ///< Sequence: to be released at its end
  std::uint32_t group = nobody;        ///< of the tasks that it spawns, or is one of
  std::uint32_t outerRecord = nobody;  ///< Worker::record before this task
  const TimedChild *section = nullptr; ///< all but Share; Sequence: whose task it is, for listeners
  Position at{};    ///< what comes next; of ranges: the task of iteration `begin`
  double since = 0; ///< real time of its start; of tasks, for listeners
  /// Range, Share: what is left. `begin` of a Spawner is its next task's number, of a Sequence for
  /// listeners its own.
  std::uint64_t begin = 0, end = 0;
  std::uint64_t grain = 0;       ///< Range, Cilk: what is not split any more
  std::uint64_t turn = onItsWay; ///< Share: chunks it has taken
  std::uint32_t loop = 0;        ///< Share: which loop of the region
  std::uint32_t piece = nobody;  ///< Range, oneTBB
  std::uint64_t rangeEnd = 0;    ///< ... which it runs up to here before it looks at others
  Time nextTurn = 0;             ///< Share: before then it gets no other chunk

  std::uint32_t heldLock() const { return lock; }
};

/// Tasks, or a piece of a loop, that wait in a deque.
struct TaskEntry {
  const TimedChild *task;           ///< nullptr: a piece of the loop whose tasks its group is
  std::uint32_t group;              ///< that hears of each one's end
  std::uint32_t creator;            ///< record of the task that created it
  std::uint32_t maker;              ///< the worker that did
  bool countsTasks = false;         ///< as TaskFrame's
  std::uint32_t piece = nobody;     ///< of a piece of a loop, oneTBB's
  std::uint64_t count = 1;          ///< equal tasks
  std::uint64_t begin = 0, end = 0; ///< of a piece of a loop; of tasks, the first one's number
  double since = 0;                 ///< real time of its creation, for listeners

  bool isRange() const { return !task; }
  /// Whether `next`, left by the same thread, is more of the same tasks.
  bool isExtendedBy(const TaskEntry &next) const {
    return task && task == next.task && group == next.group && creator == next.creator &&
           begin + count == next.begin && since == next.since;
  }
};

enum class Which : std::uint8_t { Oldest, Newest };

/// Takes the `which` of the tasks at `place`.
inline TaskEntry takeOne(std::deque<TaskEntry> &tasks, std::deque<TaskEntry>::iterator place,
                         Which which) {
  TaskEntry taken = *place;
  if (which == Which::Newest)
    taken.begin += taken.count - 1;
  else
    ++place->begin;
  taken.count = 1;
  if (--place->count > 0)
    return taken;
  if (place == tasks.begin())
    tasks.pop_front();
  else if (std::next(place) == tasks.end())
    tasks.pop_back();
  else
    tasks.erase(place);
  return taken;
}

/// What one section waits for.
struct TaskGroup {
  Slowdown slowdown;                   ///< of the loop that spawned it
  std::uint32_t account = 0;           ///< ... and where its tasks' time is added up
  std::uint64_t pending = 0;           ///< tasks not yet done
  std::uint32_t waiter = nobody;       ///< the idle worker that waits for them
  bool isParked = false;               ///< continuation stealing: nobody executes the section's end
  std::vector<TaskFrame> parked{};     ///< ... and this is what waits
  std::uint32_t parkedFor = nobody;    ///< Worker::strandGroup of what is parked
  const TimedChild *section = nullptr; ///< that it is of
};

/// Who left a section's end to others, and when, in real time.
struct Parking {
  std::uint32_t worker;
  double since;
};

/// What one member of a team has created and nobody has begun. It stays with the team while the
/// thread is the master of another one inside it.
struct TaskDeque {
  std::deque<TaskEntry> tasks;       ///< own end is the back
  std::uint64_t count = 0;           ///< in `tasks`
  std::uint32_t lastVictim = nobody; ///< from which its owner last stole
  std::uint32_t loadedAt = nobody;   ///< place in TaskTeam::loaded
};

/// libgomp: the tasks that a serialised region's thread has left for itself.
struct LoneQueue {
  std::deque<TaskEntry> waiting; ///< the oldest in front
  std::uint64_t count = 0;       ///< those that run included
};

/// A team whose members run each other's tasks, and nobody else's.
struct TaskTeam : Team {
  const TimedChild *section = nullptr; ///< that opened it; of a chain, the first
  bool spawns = false;                 ///< tasks are spawned in it
  std::vector<TaskDeque> deques;       ///< by number in the team
  std::vector<std::uint32_t> idle;     ///< workers
  std::vector<std::uint32_t> loaded;   ///< numbers of those from whom something can be stolen
  std::deque<TaskEntry> shared;        ///< libgomp: the tasks that wait, the oldest in front
  std::uint64_t sharedCount = 0;       ///< those that run included
  struct {
    std::uint32_t record, inner;
    std::size_t base;
    std::vector<LoneQueue> lone;
  } outerTask{}; ///< where the master was before
};

/// Places of frames in a stack, ascending: taken away from both ends. Costs nothing while empty.
class OpenFrames {
public:
  bool empty() const { return first == places.size(); }
  std::size_t front() const { return places[first]; }
  void push_back(std::size_t place) { places.push_back(place); }
  void pop_back() {
    places.pop_back();
    tidy();
  }
  void pop_front() {
    ++first;
    tidy();
  }
  /// All lie that much lower.
  void lower(std::size_t by) {
    for (std::size_t n = first; n < places.size(); ++n)
      places[n] -= by;
  }

private:
  std::vector<std::size_t> places;
  std::size_t first = 0;

  void tidy() {
    if (2 * first < places.size() + empty())
      return;
    places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(first));
    first = 0;
  }
};

struct Worker : Actor {
  using OwnTeam = TaskTeam;
  std::uint32_t team = nobody;
  std::uint32_t number = 0;      ///< in its team
  std::uint32_t record = nobody; ///< the task it is in
  std::uint32_t inner = 0;       ///< serialised parallel regions of its team that it is in
  std::vector<LoneQueue> lone;   ///< of its team, by `inner`
  std::vector<TaskFrame> stack;
  std::size_t base = 0;               ///< frames below were stolen, or are its outer team's
  std::uint32_t strandGroup = nobody; ///< hears of the end of what the stack executes
  OpenFrames open;                    ///< their places in the stack
  std::uint32_t idleAt = nobody;      ///< place in TaskTeam::idle
  std::uint32_t rousedAt = nobody;    ///< place in TaskEngine::roused
  std::uint32_t comes = 0;            ///< so many of its next events are of those in there

  bool isEmpty() const { return stack.size() == base; }
};

} // namespace prophet
