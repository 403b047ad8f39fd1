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
// so recursion in the program costs memory but no recursion here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Pool.h"
#include "predictor/emulator/TaskRegions.h"
#include "predictor/emulator/TaskWorker.h"
#include "predictor/emulator/TbbPieces.h"
#include "predictor/emulator/TeamLoop.h"

namespace prophet {

class TaskEngine : SegmentEngine<Worker> {
public:
  explicit TaskEngine(const RegionContext &context);

  /// Whether the region that `section` opens is for this engine.
  bool isFor(NodeId section) const;

  /// Adds the executions of the region `opened` to the tally; returns one.
  ThreadTimes run(const Region &opened);

private:
  const Paradigm paradigm;
  Dice dice;
  std::vector<std::uint8_t> spawns; ///< by node: whether a task is spawned below it
  std::vector<std::uint32_t> idle, loaded;
  std::deque<TaskEntry> shared;  ///< libgomp: the tasks that wait, the oldest in front
  std::uint64_t sharedCount = 0; ///< those that run included
  Pool<TaskGroup> groups;
  Pool<TaskRecord> records;
  Pool<TbbPiece> pieces;
  Pool<TbbSplit> splits;
  NodeId region = 0;
  unsigned size = 0;
  const TeamCharges *charges = nullptr;
  Time joinCost = 0; ///< threads that wait for tasks look for them, and sleep only at once or never
  bool finished = false;
  std::optional<TeamLoop> loop; ///< the worksharing loop that the region is
  unsigned atBarrier = 0;

  /// Paradigms `openmp` and `tasks`: the runtime's rules.
  bool isOpenMP() const { return paradigm == Paradigm::OpenMP || paradigm == Paradigm::Tasks; }
  bool isLibgomp() const { return isOpenMP() && context.options.runtime == OmpRuntime::Libgomp; }
  bool isLibomp() const { return isOpenMP() && !isLibgomp(); }

  // TaskEngine.cpp: regions and frames
  void startTeam();
  void finishRegion(std::uint32_t id);
  void act(std::uint32_t id);
  bool step(std::uint32_t id);
  bool stepChildren(std::uint32_t id);
  bool fuses(NodeId node, const Worker &worker) const;
  void enterSection(std::uint32_t id, NodeId section);
  void pushSpawner(std::uint32_t id, NodeId section);
  bool endFrame(std::uint32_t id);
  void leaveSection(const TaskFrame &frame);
  bool join(std::uint32_t id);

  // TaskEngineLoops.cpp
  void pushLoop(std::uint32_t id, NodeId section, std::uint32_t group);
  bool stepRange(std::uint32_t id);
  bool splitRange(std::uint32_t id);
  bool splitTaskloop(std::uint32_t id);
  bool runIterations(std::uint32_t id, std::uint64_t end);
  void startShares();
  bool stepShare(std::uint32_t id);
  Position positionOf(NodeId section, std::uint64_t iteration, const Child *hint) const;

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
  void endTask(std::uint32_t id, const TaskFrame &ended);
  void openFrame(std::uint32_t id);
  void endStrand(Worker &worker);
  void park(Worker &worker, std::uint32_t group);
  bool stealContinuation(std::uint32_t id);
  bool findWork(std::uint32_t id, bool constrained);
  TaskEntry remove(std::uint32_t id, std::deque<TaskEntry>::iterator place);
  std::optional<TaskEntry> takeOwn(std::uint32_t id, bool constrained);
  std::optional<TaskEntry> steal(std::uint32_t id, bool constrained);
  std::optional<TaskEntry> stealFrom(std::uint32_t victim, const Worker &thief, bool constrained);
  bool isAllowed(const TaskEntry &entry, const Worker &worker) const;
  void setLoaded(std::uint32_t id, bool isLoaded);
  void goIdle(std::uint32_t id);
  void endWait(std::uint32_t id);
  void rouse(std::uint32_t id);
  bool rouseFor(const TaskEntry *entry);
  std::uint32_t newRecord(std::uint32_t parent);

  // TaskEngineShared.cpp
  std::uint64_t roomInQueue() const;
  std::optional<TaskEntry> takeShared(std::uint32_t id, bool isWaiting);
};

} // namespace prophet
