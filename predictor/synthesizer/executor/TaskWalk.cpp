//===- TaskWalk.cpp - A tree run by threads that steal --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/TaskWalk.h"

#include "predictor/synthesizer/executor/FakeDelay.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

namespace synthesizer {

namespace {

/// Enough nodes have been looked at.
struct Enough {};

/// At how many nodes a thread has looked in this region, and how many regions it has opened.
struct alignas(64) Visits {
  std::uint64_t count = 0, calls = 0;
};

std::mutex enlisting;
/// Of every thread that there has been: runtimes end and begin threads as they like.
std::vector<std::unique_ptr<Visits>> everyThreads;

Visits *enlist() {
  const std::lock_guard lock(enlisting);
  return everyThreads.emplace_back(std::make_unique<Visits>()).get();
}

thread_local Visits *const own = enlist();

} // namespace

TaskWalk::TaskWalk(const Plan &plan, const Run &run, double interrupt, UnitCosts costs)
    : plan(plan), run(run), interrupt(interrupt), costs(costs) {}

Times TaskWalk::execute() {
  Times times;
  times.groups.resize(plan.groups);
  start = now();
  for (const Item &item : plan.program)
    for (std::int64_t i = 0; i < item.repeat; ++i) {
      const double before = item.group ? clock() : 0;
      visit(plan.nodes[item.node], 1);
      if (item.group)
        times.groups[*item.group] += clock() - before;
    }
  times.whole = clock();
  times.overhead = overhead == 0 ? 0 : overhead / run.nsPerUnit;
  return times;
}

std::pair<std::uint64_t, double> TaskWalk::measure() {
  measured.emplace(0);
  try {
    for (const Item &item : plan.program)
      for (std::int64_t i = 0; i < item.repeat; ++i)
        visit(plan.nodes[item.node], 1);
  } catch (const Enough &) {
  }
  return {std::exchange(own->count, 0), *measured};
}

double TaskWalk::clock() {
  endRegion();
  forgetSurplus(); // what lies before is of another account
  const double time = now() - start - overhead;
  overhead += clockCost();
  return time / run.nsPerUnit;
}

/// The walk of the thread that it took longest counts.
void TaskWalk::endRegion() {
  const std::lock_guard lock(enlisting);
  double most = 0; // mostly all are above 0, or all below
  for (const auto &thread : everyThreads) {
    const Visits visits = std::exchange(*thread, {});
    const double walk = static_cast<double>(visits.count) * costs.accessNode +
                        static_cast<double>(visits.calls) * costs.recursiveCall;
    if (std::abs(walk) > std::abs(most))
      most = walk;
  }
  overhead += most;
}

/// Not to be inlined: where a call has spawned, Cilk may return from it on another thread, and a
/// compiler that knows of `own` may have kept the first thread's.
[[gnu::noinline]] void TaskWalk::countVisit() {
  if (++own->count > measuredVisits && measured)
    throw Enough();
}

[[gnu::noinline]] void TaskWalk::countCall() { ++own->calls; }

void TaskWalk::compute(Time length, double factor) {
  const double ns = static_cast<double>(length) * factor * run.nsPerUnit;
  if (!measured)
    return spinFor(ns, interrupt);
  spinFor(std::min(ns, longestMeasured), interrupt);
  if ((*measured += std::min(ns, longestMeasured)) > measuredDelays)
    throw Enough();
}

void TaskWalk::sequence(const std::vector<Child> &children, double factor) {
  for (const Child &child : children)
    for (std::int64_t i = 0; i < child.number; ++i)
      visit(plan.nodes[child.node], factor);
}

void TaskWalk::visit(const Node &node, double factor) {
  countVisit();
  switch (node.kind) {
  case Kind::Compute:
    return compute(node.length, factor);
  case Kind::Locked:
    acquire(node.ref);
    compute(node.length, factor);
    return release(node.ref);
  case Kind::Holds:
    acquire(node.ref);
    sequence(node.children, factor);
    return release(node.ref);
  case Kind::Section:
  case Kind::Spawner:
    return section(node, factor);
  case Kind::Task:
  case Kind::Chain: // there are none in programs with tasks
    return sequence(node.children, factor);
  }
}

void TaskWalk::section(const Node &section, double factor) {
  const SiteSettings &settings = run.sites[section.ref];
  if (settings.sharing == Sharing::Serial)
    return sequence(section.children, factor);
  if (isInside)
    return spawn(section, settings.sharing, factor);
  region(section, settings);
}

void TaskWalk::region(const Node &section, const SiteSettings &settings) {
  endRegion(); // serial code so far
  isInside = true;
  countCall();
  open(section, settings);
  isInside = false;
  endRegion();
}

void TaskWalk::open(const Node &section, const SiteSettings &settings) {
  spawn(section, settings.sharing, settings.factor);
}

void TaskWalk::spawn(const Node &section, Sharing, double factor) {
  sequence(section.children, factor);
}

void TaskWalk::iterate(const Node &section, int number, double factor) {
  const auto next = std::upper_bound(section.first.begin(), section.first.end(), number);
  visit(plan.nodes[section.children[next - section.first.begin() - 1].node], factor);
}

double measureAccess(const Plan &plan) {
  Run serial = serialRun(plan.sites(), Sharing::Serial);
  serial.nsPerUnit = nsPerUnit(plan);
  return costOfVisit([&] { return TaskWalk(plan, serial, longInterrupt, {}).measure(); });
}

bool wakesThreads(const Plan &) { return false; }

} // namespace synthesizer
