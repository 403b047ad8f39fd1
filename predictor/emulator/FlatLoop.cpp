//===- FlatLoop.cpp - A loop whose tasks do not meet ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/FlatLoop.h"

#include "predictor/emulator/DynamicQueue.h"
#include "predictor/emulator/Pinning.h"
#include "predictor/emulator/StaticSchedule.h"
#include "predictor/emulator/StaticSteal.h"

#include <algorithm>
#include <utility>

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
  tasks.runs.resize(children.size());
  Time sum = 0, overheads = 0;
  Run *const first = tasks.runs.data(), *next = first; // locals: a task takes some cycles
  for (const Child &child : children) {
    const Time work = context.costs.work(child.node, factor);
    const Time overhead = context.costs.overhead(child.node);
    if (next > first && next[-1].duration == work + overhead)
      next[-1].count += child.repeat;
    else
      *next++ = {work + overhead, child.repeat};
    sum += work * static_cast<Time>(child.repeat);
    overheads += overhead * static_cast<Time>(child.repeat);
  }
  tasks.runs.resize(static_cast<std::size_t>(next - first));
  tasks.work = static_cast<double>(sum);
  tasks.overhead = static_cast<double>(overheads);
  return tasks;
}

/// Makes every chunk take so long that `turn` passes meanwhile on a core that `onCore` threads
/// share; returns what that adds up to.
double waitForTurns(Runs &chunks, Time turn, double onCore) {
  double added = 0;
  for (Run &chunk : chunks) {
    const Time passed = scaled(chunk.duration, onCore);
    if (passed >= turn)
      continue;
    added += static_cast<double>(turn - passed) * static_cast<double>(chunk.count);
    chunk.duration += turn - passed;
  }
  return added;
}

/// Deals `tasks` out; returns what the threads wait for their turns at the counter.
double deal(Runs tasks, LoopPlan plan, std::uint64_t iterations, unsigned threads,
            const TeamCharges::Loop &costs, double onCore, std::vector<Time> &finish) {
  const Time perChunk = costs.chunk;
  Runs chunks;
  switch (plan.dealing) {
  case Dealing::Block:
    runStatic(tasks, perChunk, finish);
    return 0;
  case Dealing::RoundRobin:
    runStaticChunk(tasks, plan.chunk, perChunk, finish);
    return 0;
  case Dealing::Queue:
    chunks = chunkRuns(std::move(tasks), plan.chunk, perChunk);
    break;
  case Dealing::Steal:
    runSteal(chunkRuns(std::move(tasks), plan.chunk, perChunk), finish);
    return 0;
  case Dealing::Guided:
    chunks =
        guidedRuns(tasks, GuidedChunks(plan.shrinking, iterations, threads, plan.chunk), perChunk);
  }
  const double added = waitForTurns(chunks, costs.turn, onCore);
  runQueue(chunks, finish);
  return added;
}

/// What threads that start together lose until all have ended.
struct Sharing {
  double lag = 0;        ///< how much later than on a core of its own the last one ends
  double preempted = 0;  ///< thread-time spent ready, but without a core
  double wait = 0;       ///< thread-time between a thread's end and the last one's
  double masterWait = 0; ///< of it, the first thread's
  double relieved = 0;   ///< thread-time that was needed less, negative: others did not compute
};

/// What threads share: the cores; and memory, by `relief` (EmulationOptions::relief).
struct Shared {
  unsigned threads, cores;
  std::vector<double> relief;

  double ease(std::size_t ready) const { return ready < relief.size() ? relief[ready] : 1; }
};

/// Processor sharing in closed form: while R threads run on P cores each advances at rate
/// min(1, P/R), so between two ends of threads time passes evenly. `finish`: on a core of its own,
/// of threads that run at least a chunk; the others are through at `start`.
Sharing shareCores(std::vector<Time> finish, Time start, const Shared &shared) {
  const Time master = finish.front();
  double masterLag = 0;
  std::sort(finish.begin(), finish.end());
  const auto end = static_cast<double>(finish.back());
  Sharing result;
  double lags = 0;
  Time before = 0;
  std::size_t ready = shared.threads;
  const auto endOne = [&](Time time) {
    const double ease = shared.ease(ready);
    if (ready > shared.cores || ease != 1) {
      const double share =
          std::max(1.0, static_cast<double>(ready) / static_cast<double>(shared.cores));
      const auto ticks = static_cast<double>(time - before);
      const double all = ticks * static_cast<double>(ready);
      result.lag += ticks * (share * ease - 1);
      result.preempted += all * ease * (share - 1);
      result.relieved += all * (ease - 1);
    }
    result.wait += end - static_cast<double>(time);
    lags += result.lag;
    if (time == master)
      masterLag = result.lag;
    before = time;
    --ready;
  };
  for (std::size_t idle = finish.size(); idle < shared.threads; ++idle)
    endOne(start);
  for (Time time : finish)
    endOne(time);
  result.wait += result.lag * static_cast<double>(shared.threads) - lags;
  result.masterWait = end - static_cast<double>(master) + result.lag - masterLag;
  return result;
}

/// The same where threads stay on their cores, and yield for `blockTime` when they are through.
/// `finish`: by number.
Sharing shareCoresPinned(const std::vector<Time> &finish, Time start, const Shared &shared,
                         const Pinning &pinning, double blockTime) {
  Cores cores(shared.cores);
  cores.reset(pinning);
  cores.relieve(shared.relief);
  const auto work = [&](std::uint32_t id) { return id < finish.size() ? finish[id] : start; };
  for (std::uint32_t id = 0; id < shared.threads; ++id)
    cores.place(id, 0);
  for (std::uint32_t id = 0; id < shared.threads; ++id)
    cores.start(id, work(id));
  std::vector<double> ended(shared.threads);
  while (!cores.idle()) {
    const std::uint32_t id = cores.next();
    ended[id] = cores.now();
    cores.yield(id, cores.now() + blockTime);
  }
  Sharing result;
  result.lag = cores.now() - static_cast<double>(*std::ranges::max_element(finish));
  result.preempted = cores.preempted();
  result.relieved = cores.relieved();
  for (const double time : ended)
    result.wait += cores.now() - time;
  result.masterWait = cores.now() - ended.front();
  return result;
}

/// How many of `threads` can have something to do: a chunk goes to one of them, the first ones.
unsigned mostBusy(LoopPlan plan, std::uint64_t iterations, unsigned threads) {
  const bool isCounted = plan.dealing != Dealing::Guided; // of which it takes time to count them
  const std::uint64_t chunks = isCounted ? chunkCount(plan, iterations, threads) : iterations;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(chunks, 1, threads));
}

} // namespace

bool isFlat(const RegionContext &context, NodeId section) {
  if (context.listener)
    return false;
  const EmulationOptions &options = context.options;
  const unsigned threads = context.teamSize(section);
  const bool inner = context.timed.hasSection(section);
  // A team of one is no active level: inside it, larger ones can be.
  if (threads == 1)
    return !inner || options.widestTeam() == 1;
  if (context.timed.hasLock(section))
    return false;
  // How long an inner section takes depends on when it runs where cores are shared.
  return !inner || (options.maxActiveLevels <= 1 &&
                    (threads <= context.cores() || context.takesInnerWhole()));
}

FlatShares runFlatLoop(const RegionContext &context, NodeId section, unsigned threads,
                       double factor, std::vector<Time> &finish, double onCore) {
  Tasks tasks = collectTasks(context, section, factor);
  const std::uint64_t iterations = context.timed.iterations(section);
  const LoopPlan plan = context.plan(section, threads);
  const TeamCharges::Loop &costs = context.charges.team(threads).loop(plan.dealing);
  for (Time &time : finish)
    time += costs.start;
  const double turns =
      deal(std::move(tasks.runs), plan, iterations, threads, costs, onCore, finish);
  const auto chunks = static_cast<double>(chunkCount(plan, iterations, threads));
  return {tasks.work,
          threads * static_cast<double>(costs.start) + chunks * static_cast<double>(costs.chunk) +
              tasks.overhead,
          turns};
}

void addInside(const RegionContext &context, NodeId section, double factor, double executions) {
  if (context.timed.hasSection(section))
    for (const Child &child : context.timed.tree.childrenOf(section))
      context.tally.addFused(context.timed.tree, child.node,
                             executions * static_cast<double>(child.repeat), factor);
}

ThreadTimes runFlat(const RegionContext &context, const Region &region) {
  const NodeId section = region.start.child->node;
  const double executions = region.executions;
  const unsigned threads = context.teamSize(section);
  const TeamCharges &charges = context.charges.team(threads);
  const Slowdown slowdown = context.slowdown(section, threads);
  const LoopPlan plan = context.plan(section, threads);
  const Time start = charges.loop(plan.dealing).start;

  std::vector<Time> finish(mostBusy(plan, context.timed.iterations(section), threads));
  const FlatShares shares = runFlatLoop(context, section, threads, slowdown.factor, finish);
  const Time end = *std::max_element(finish.begin(), finish.end());
  const Shared shared{threads, context.cores(), context.relief(section)};
  const auto pinning = pinningOf(context, region);
  const Sharing sharing =
      pinning ? shareCoresPinned(finish, start, shared, *pinning, context.charges.blockTime)
              : shareCores(finish, start, shared);

  const Time fork = region.asleep ? charges.asleep.fork : charges.spinning.fork;
  const Time join = charges.waits(sharing.masterWait).join;
  const double elapsed = static_cast<double>(fork + end + join) + sharing.lag;
  const auto serial = static_cast<double>(context.timed.length[section]);
  const auto forkJoin = static_cast<double>(fork + join);
  ThreadTimes times;
  times.elapsed = elapsed;
  times.useful = serial;
  times.outlining = slowdown.outlining(serial, shares.work - serial);
  times.memory = shares.work - serial - times.outlining + sharing.relieved;
  times.overhead = forkJoin + shares.overhead + shares.turns;
  times.teamWait = forkJoin * (threads - 1);
  times.barrierWait = sharing.wait;
  times.preempted = sharing.preempted;
  times.relieved = sharing.relieved;

  Tally &tally = context.tally;
  tally.addTimes({context.site(section), context.site(section)}, times, executions);
  tally.addSection(context.timed, section, executions * elapsed);
  addInside(context, section, slowdown.factor, executions * times.stretch());
  return times;
}

} // namespace prophet
