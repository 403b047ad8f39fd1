//===- DramSimulator.cpp - A queueing model of a memory system ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DramSimulator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <random>

namespace dram {

using namespace prophet::memmodel;

namespace {

constexpr double lineBytes = 64;
constexpr std::size_t writeBuffer = 16; ///< lines on their way back, of one core

/// A line on its way.
struct Request {
  std::size_t thread;
  double issued;
  bool write;
};

/// Something that happens at a time.
struct Event {
  enum class Kind : unsigned char { Go, Arrive, Open, Back } kind;
  double time;
  std::size_t channel; ///< but of Go
  double rowHits;      ///< of Arrive
  Request request;     ///< of Go: its thread alone
  bool operator>(const Event &other) const { return time > other.time; }
};

/// A core with one workload.
struct Thread {
  const Core *core;
  const Workload *workload;
  double misses = 0, latencies = 0, lines = 0;
  std::array<double, accessClasses> done{}; ///< misses by class
  double issued = 0;                        ///< when its batch was
  double now = 0;                           ///< when its last batch was computed with
  std::size_t kind = 0, reads = 0;          ///< of the batch: its class, lines under way
  std::size_t writes = 0;                   ///< under way
  double owedWrites = 0;
  double paused = 0;    ///< the misses up to which it has had its pauses
  bool waiting = false; ///< for room in the write buffer

  /// The class that is most behind its share: little chance, so that short runs tell.
  std::size_t pick() const {
    std::size_t most = 0;
    double deficit = -1e300;
    for (std::size_t c = 0; c < accessClasses; ++c)
      if (const double behind = workload->mix[c] * (misses + (*core)[c].window) - done[c];
          workload->mix[c] > 0 && behind > deficit) {
        deficit = behind;
        most = c;
      }
    return most;
  }
};

class Simulation {
public:
  Simulation(const Memory &memory, const Core &core, std::vector<const Workload *> workloads,
             std::uint64_t seed)
      : memory(memory), random(seed), channels(memory.channels) {
    for (Channel &channel : channels)
      channel.banks.assign(memory.banks, 0);
    for (const Workload *workload : workloads) {
      threads.push_back({&core, workload});
      for (double &done : threads.back().done)
        done = static_cast<double>(random() % 50); // no two threads alike
      if (workload->chunk > 0)
        threads.back().paused = -std::uniform_real_distribution<double>(0, workload->chunk)(random);
      go(threads.size() - 1, static_cast<double>(random() % 100));
    }
  }

  /// Until each of the first `counting` threads has had `misses`.
  void run(unsigned misses, std::size_t counting) {
    while (std::any_of(threads.begin(), threads.begin() + static_cast<long>(counting),
                       [&](const Thread &thread) { return thread.misses < misses; }))
      for (int i = 0; i < 64; ++i) {
        const Event event = events.top();
        events.pop();
        handle(event);
      }
  }

  std::vector<Thread> threads;

private:
  struct Channel {
    std::vector<double> banks; ///< when each is free
    double bus = 0;            ///< when it is free
    bool writing = false;
  };
  const Memory &memory;
  std::mt19937_64 random;
  std::vector<Channel> channels;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;

  void go(std::size_t thread, double time) {
    events.push({Event::Kind::Go, time, 0, 0, {thread, time, false}});
  }

  void send(std::size_t thread, double time, bool write) {
    const Thread &sender = threads[thread];
    events.push({Event::Kind::Arrive,
                 time + memory.path / 2,
                 random() % channels.size(),
                 (*sender.core)[sender.kind].rowHits,
                 {thread, time, write}});
  }

  void handle(const Event &event) {
    switch (event.kind) {
    case Event::Kind::Go:
      return issue(event.request.thread, event.time);
    case Event::Kind::Arrive:
      return open(event);
    case Event::Kind::Open:
      return transfer(event);
    case Event::Kind::Back:
      return comeBack(event);
    }
  }

  /// A batch of reads.
  void issue(std::size_t number, double time) {
    Thread &thread = threads[number];
    thread.kind = thread.pick();
    thread.issued = time;
    thread.reads = static_cast<std::size_t>((*thread.core)[thread.kind].window);
    const auto batch = static_cast<double>(thread.reads);
    for (std::size_t i = 0; i < thread.reads; ++i)
      send(number, time, false);
    thread.misses += batch;
    thread.done[thread.kind] += batch;
    thread.owedWrites += batch * thread.workload->writeBacks;
  }

  /// A bank takes requests as they arrive.
  void open(const Event &event) {
    double &bank = channels[event.channel].banks[random() % memory.banks];
    const bool hit = std::uniform_real_distribution<double>()(random) < event.rowHits;
    bank = std::max(bank, event.time) + (hit ? memory.rowHit : memory.row);
    events.push({Event::Kind::Open, bank, event.channel, 0, event.request});
  }

  /// The bus takes lines as their rows are open.
  void transfer(const Event &event) {
    Channel &channel = channels[event.channel];
    const bool turns = channel.writing != event.request.write;
    channel.bus = std::max(channel.bus, event.time) + (turns ? memory.turn : 0) + memory.burst;
    channel.writing = event.request.write;
    events.push(
        {Event::Kind::Back, channel.bus + memory.path / 2, event.channel, 0, event.request});
  }

  void comeBack(const Event &event) {
    const std::size_t number = event.request.thread;
    Thread &thread = threads[number];
    ++thread.lines;
    if (event.request.write) {
      --thread.writes;
    } else {
      thread.latencies += event.time - event.request.issued;
      thread.waiting = --thread.reads == 0;
    }
    if (!thread.waiting)
      return;
    for (; thread.owedWrites >= 1 && thread.writes < writeBuffer; --thread.owedWrites) {
      send(number, event.time, true);
      ++thread.writes;
    }
    if (thread.owedWrites < 1)
      compute(number, event.time);
  }

  /// All of the batch is there at `time`.
  void compute(std::size_t number, double time) {
    Thread &thread = threads[number];
    const Workload &workload = *thread.workload;
    thread.waiting = false;
    double ns = 0;
    if (workload.compute > 0)
      for (double i = 0; i < (*thread.core)[thread.kind].window; ++i)
        ns += std::exponential_distribution<double>(1 / workload.compute)(random);
    thread.now =
        std::max(time, thread.issued + workload.overlap * ns) + (1 - workload.overlap) * ns;
    for (; workload.chunk > 0 && thread.misses - thread.paused >= workload.chunk;
         thread.paused += workload.chunk)
      thread.now += workload.pause;
    go(number, thread.now);
  }
};

} // namespace

Run run(const Memory &memory, const Core &core, const Workload &workload, unsigned threads,
        unsigned misses, std::uint64_t seed) {
  Simulation simulation(memory, core, {threads, &workload}, seed);
  simulation.run(misses, threads);
  Run result;
  for (const Thread &thread : simulation.threads) {
    result.ns += thread.now * misses / (thread.misses * threads);
    result.gbs += thread.lines * lineBytes / thread.now;
  }
  for (std::size_t c = 0; c < accessClasses; ++c)
    result.traffic.misses[c] = workload.mix[c] * misses;
  result.traffic.writeBacks = workload.writeBacks * misses;
  return result;
}

CurvePoint loaded(const Memory &memory, const Core &core, double writeBacks, unsigned generators,
                  double compute) {
  Workload chase, stream;
  chase.mix[static_cast<std::size_t>(AccessClass::Chase)] = 1;
  stream.mix[static_cast<std::size_t>(AccessClass::Stream)] = 1;
  stream.compute = compute;
  stream.writeBacks = writeBacks;
  std::vector<const Workload *> workloads(generators + 1, &stream);
  workloads[0] = &chase;
  Simulation simulation(memory, core, workloads, 1);
  simulation.run(1000, 1);
  double gbs = 0;
  for (const Thread &thread : simulation.threads)
    gbs += thread.lines * lineBytes / simulation.threads[0].now;
  return {gbs, simulation.threads[0].latencies / simulation.threads[0].misses};
}

MemorySystem calibrate(const Memory &memory, const Core &core, unsigned threads) {
  std::vector<MeasuredCurve> curves;
  for (double writeBacks : {0.0, 1.0 / 3, 0.5, 1.0}) {
    MeasuredCurve curve{1 / (1 + writeBacks), {loaded(memory, core, 0, 0, 0)}};
    for (double compute : {400., 200., 120., 80., 50., 35., 25., 18., 12., 8., 5., 3., 1., 0.})
      curve.points.push_back(loaded(memory, core, writeBacks, threads - 1, compute));
    curves.push_back(std::move(curve));
  }
  MemorySystem machine{CurveFamily(curves)};
  for (std::size_t c = 0; c < accessClasses; ++c) {
    Workload alone;
    alone.mix[c] = 1;
    machine.classGbs[c] = run(memory, core, alone, 1, 4000, 2).gbs;
  }
  machine.measuredThreads = threads;
  return machine;
}

} // namespace dram
