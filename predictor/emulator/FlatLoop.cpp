//===- FlatLoop.cpp - A loop whose tasks do not meet ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/FlatLoop.h"

#include "predictor/emulator/DynamicQueue.h"
#include "predictor/emulator/StaticSchedule.h"
#include "predictor/emulator/StaticSteal.h"

namespace prophet {

namespace {

/// The tasks of one loop, and what they add up to.
struct Tasks {
  Runs runs;
  double work = 0;     ///< with the burden factor
  double overhead = 0; ///< of inner regions
};

Tasks collectTasks(const RegionContext &context, NodeId section, double factor) {
  const auto children = context.timed.tree.childrenOf(section);
  Tasks tasks;
  tasks.runs.reserve(children.size());
  for (const Child &child : children) {
    const Time work = context.costs.work(child.node, factor);
    const Time overhead = context.costs.overhead(child.node);
    append(tasks.runs, {work + overhead, child.repeat});
    tasks.work += static_cast<double>(work) * static_cast<double>(child.repeat);
    tasks.overhead += static_cast<double>(overhead) * static_cast<double>(child.repeat);
  }
  return tasks;
}

void deal(const Runs &tasks, LoopPlan plan, Time perChunk, std::vector<Time> &finish) {
  switch (plan.dealing) {
  case Dealing::Block:
    return runStatic(tasks, perChunk, finish);
  case Dealing::RoundRobin:
    return runStaticChunk(tasks, plan.chunk, perChunk, finish);
  case Dealing::Queue:
    return runQueue(chunkRuns(tasks, plan.chunk, perChunk), finish);
  case Dealing::Steal:
    return runSteal(chunkRuns(tasks, plan.chunk, perChunk), finish);
  }
}

} // namespace

bool isFlat(const RegionContext &context, NodeId section) {
  const EmulationOptions &options = context.options;
  if (context.listener)
    return false;
  if (options.threads == 1)
    return true;
  return options.threads <= context.cores() && !context.timed.hasLock(section) &&
         (options.maxActiveLevels <= 1 || !context.timed.hasSection(section));
}

ThreadTimes runFlat(const RegionContext &context, NodeId section, double executions) {
  const unsigned threads = context.options.threads;
  const Charges &charges = context.charges;
  const double factor = context.factor(section);
  const Tasks tasks = collectTasks(context, section, factor);
  const std::uint64_t iterations = context.timed.iterations(section);
  const LoopPlan plan = planLoop(context.site(section).kind, context.options, iterations, threads);
  const Charges::Loop &loop = charges.loop(plan.dealing);

  std::vector<Time> finish(threads, loop.start);
  deal(tasks.runs, plan, loop.chunk, finish);
  const Time end = *std::max_element(finish.begin(), finish.end());
  double wait = 0;
  for (Time time : finish)
    wait += static_cast<double>(end - time);

  const auto elapsed = static_cast<double>(charges.fork + end + charges.join);
  const auto serial = static_cast<double>(context.timed.length[section]);
  const auto forkJoin = static_cast<double>(charges.fork + charges.join);
  const auto perChunk = static_cast<double>(loop.chunk);
  const auto chunks = static_cast<double>(chunkCount(plan, iterations, threads));
  ThreadTimes times;
  times.elapsed = elapsed;
  times.useful = serial;
  times.memory = tasks.work - serial;
  times.overhead =
      forkJoin + threads * static_cast<double>(loop.start) + chunks * perChunk + tasks.overhead;
  times.teamWait = forkJoin * (threads - 1);
  times.barrierWait = wait;

  Tally &tally = context.tally;
  tally.times.add(times, executions);
  tally.siteElapsed[context.timed.tree.nodes[section].ref] += executions * elapsed;
  if (context.timed.hasSection(section))
    for (const Child &child : context.timed.tree.childrenOf(section))
      tally.addFused(context.timed.tree, child.node, executions * static_cast<double>(child.repeat),
                     factor);
  return times;
}

} // namespace prophet
