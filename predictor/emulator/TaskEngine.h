//===- TaskEngine.h - Event by event emulation of tasks ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions in which tasks are spawned, as libomp, oneTBB and OpenCilk run them.
// Discrete events over the same clock as Engine.h; a team's workers have deques
// and steal. Looking for a task in vain takes no time: an idle worker takes the
// next task it may at the moment it is there. Workers keep stacks of their own,
// so recursion in the program costs memory but no recursion here. Under OpenMP a
// worker that meets a loop may open a team inside; until that has joined, it takes
// no task of its outer team.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/TaskRecords.h"
#include "predictor/emulator/TaskRegions.h"
#include "predictor/emulator/TaskWorker.h"
#include "predictor/emulator/TbbPieces.h"
#include "predictor/emulator/TeamEngine.h"

#include <unordered_map>

namespace prophet {

class TaskEngine : TeamEngine<Worker> {
public:
  explicit TaskEngine(const RegionContext &context);

  /// Whether the region that begins at `start` is for this engine.
  bool isFor(const Position &start) const;

  /// Adds the executions of the region `opened` to the tally; returns one.
  ThreadTimes run(const Region &opened);

private:
  const Paradigm paradigm;
  Dice dice;
  std::vector<std::uint8_t> traits; ///< by node: SpawnTrait
  Pool<TaskGroup> groups;
  TaskRecords records;
  Pool<TbbPiece> pieces;
  Pool<TbbSplit> splits;
  std::vector<std::uint32_t> roused; ///< libomp: were idle, and act at this moment
  std::size_t rousedInTasks = 0;     ///< those that wait inside a task
  std::unordered_map<std::uint32_t, Parking> parkings; ///< by group, for listeners
  /// Through sections that run serially: there can be more threads than cores in the region.
  bool stepsInside = false;
  bool finished = false; ///< the region

  /// Paradigms `openmp` and `tasks`: the runtime's rules.
  bool isOpenMP() const { return prophet::isOpenMP(paradigm); }
  bool isLibgomp() const { return isOpenMP() && context.options.runtime == OmpRuntime::Libgomp; }
  /// Whether a team of one thread leaves its tasks for its next wait.
  bool defersAlone() const { return isLibgomp() && paradigm == Paradigm::OpenMP; }
  bool isLibomp() const { return isOpenMP() && !isLibgomp(); }

  TaskTeam &teamOf(std::uint32_t id) { return teams[workers[id].team]; }
  unsigned sizeOf(std::uint32_t id) const { return teams[workers[id].team].size; }
  /// Whether tasks are spawned in the team that would execute `section`, or the region at `start`.
  bool spawnsIn(NodeId section) const;
  bool spawnsIn(const Position &start) const;
  /// Whether `holds` for any section of the region that begins at `start`.
  template <typename Predicate>
  bool anySection(const Position &start, const Predicate &holds) const {
    bool found = holds(start.child->node);
    for (auto link = context.chains.next(start); link && !found;
         link = context.chains.next(link->section))
      found = holds(link->section.child->node);
    return found;
  }

  // TaskEngineTeams.cpp
  void openRegion(std::uint32_t master, Position start, bool asleep);
  void startTeam(std::uint32_t master);
  void startAlone(std::uint32_t master);
  void startShares(const TaskTeam &team);
  bool stepShare(std::uint32_t id);
  void finishTeam(std::uint32_t last);
  void freeMembers(const TaskTeam &team, std::uint32_t last);
  void leaveRegion(std::uint32_t master);

  // TaskEngine.cpp: frames
  void act(std::uint32_t id);
  bool step(std::uint32_t id);
  bool stepChildren(std::uint32_t id);
  bool fuses(const TimedChild &child, const Worker &worker) const;
  bool opens(NodeId section, const Worker &worker) const;
  void enterSection(std::uint32_t id, const TimedChild &section);
  void pushSerial(std::uint32_t id, const TimedChild &section);
  std::uint32_t newGroup(const TimedChild &section, const Worker &spawner);
  void pushSpawner(std::uint32_t id, const TimedChild &section);
  bool endFrame(std::uint32_t id);
  void leaveSection(const TaskFrame &frame);
  bool join(std::uint32_t id);

  // TaskEngineLoops.cpp
  void pushRange(std::uint32_t id, const TimedChild &section, std::uint32_t group);
  bool stepRange(std::uint32_t id);
  bool splitRange(std::uint32_t id);
  bool splitTaskloop(std::uint32_t id);
  bool spawnTaskloop(std::uint32_t id);
  bool runIterations(std::uint32_t id, std::uint64_t end);
  Position positionOf(NodeId section, std::uint64_t iteration, const TimedChild *hint) const;

  // TaskEngineTbb.cpp
  std::uint32_t newPiece(const TbbPiece &piece);
  void beginPiece(std::uint32_t id, bool stolen);
  void endPiece(std::uint32_t ended);
  void splitPiece(std::uint32_t id, std::uint64_t middle, TbbPiece right);
  bool stepPiece(std::uint32_t id);

  // TaskEngineSteal.cpp: deques and thieves
  bool payOnce(std::uint32_t id, Time cost);
  bool payCreation(std::uint32_t id);
  std::uint64_t roomFor(const Worker &creator) const;
  bool spawn(std::uint32_t id);
  void push(std::uint32_t id, const TaskEntry &entry);
  bool startTask(std::uint32_t id, const TaskEntry &entry, std::uint32_t group);
  void beginRange(std::uint32_t id, const TaskEntry &entry);
  void endTask(std::uint32_t id);
  bool findWork(std::uint32_t id, bool constrained);
  TaskEntry remove(TaskTeam &team, std::uint32_t number, std::deque<TaskEntry>::iterator place,
                   Which which);
  std::optional<TaskEntry> takeOwn(std::uint32_t id, bool constrained);
  std::optional<TaskEntry> steal(std::uint32_t id, bool constrained);
  std::optional<TaskEntry> stealFrom(std::uint32_t victim, const Worker &thief, bool constrained);
  bool isAllowed(const TaskEntry &entry, const Worker &worker) const;
  void setLoaded(TaskTeam &team, std::uint32_t number, bool isLoaded);
  void goIdle(std::uint32_t id);
  void endWait(std::uint32_t id);
  void rouse(std::uint32_t id);
  std::uint32_t nextRoused(std::uint32_t id);
  bool rouseFor(TaskTeam &team, const TaskEntry *entry);

  // TaskEngineCilk.cpp: continuations
  void openFrame(std::uint32_t id);
  void closeFrame(std::uint32_t id);
  void endStrand(std::uint32_t id);
  void park(std::uint32_t id, std::uint32_t number);
  bool stealContinuation(std::uint32_t id);

  // TaskEngineShared.cpp
  void pushLone(std::uint32_t id, const TimedChild &section);
  bool spawnAlone(std::uint32_t id);
  bool joinAlone(std::uint32_t id);
  std::optional<TaskEntry> takeShared(std::uint32_t id, bool isWaiting);

  // TaskEngineTold.cpp: what a listener hears, where there is one
  double realTicks() const { return timed.grid.ticks(clock.real()); }
  Place placeOf(const TaskFrame &told) const { return {told.section->ref, told.begin, 1}; }
  const TimedChild &loopOf(std::uint32_t id, const TaskFrame &frame);
  std::uint64_t tasksOf(const TimedChild &section) const;
  void tellTask(std::uint32_t id, const TaskEntry &entry, bool isWhole);
  void tellBegin(std::uint32_t id, const TimedChild &section, std::uint64_t number);
  void tellEnd(std::uint32_t id);
  void tellIteration(std::uint32_t id, std::uint64_t number);
  void tellWhole(std::uint32_t id, const TimedChild &section, std::uint64_t first,
                 std::uint64_t count);
  void tellLeft(std::uint32_t id, std::size_t above, double since);
  void tellStolen(std::uint32_t thief, std::uint32_t victim, std::size_t above);
  void tellParked(std::uint32_t id, std::uint32_t group);
  void tellResumed(std::uint32_t id, std::uint32_t group);
};

} // namespace prophet
