//===- TbbWalk.cpp - A tree run by oneTBB ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/TbbWalk.h"

#include "predictor/synthesizer/executor/FakeDelay.h"

#include <algorithm>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

namespace synthesizer {

namespace {

/// Enough nodes have been looked at.
struct Enough {};

} // namespace

TbbWalk::TbbWalk(const Plan &plan, const Run &run, double interrupt, UnitCosts costs)
    : plan(plan), run(run), interrupt(interrupt), costs(costs), locks(plan.locks) {}

Times TbbWalk::execute() {
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
  times.overhead = overhead / run.nsPerUnit;
  return times;
}

std::uint64_t TbbWalk::walk(std::uint64_t most) {
  mostVisits = most;
  try {
    for (const Item &item : plan.program)
      for (std::int64_t i = 0; i < item.repeat; ++i)
        visit(plan.nodes[item.node], 0);
  } catch (const Enough &) {
  }
  return visits.local();
}

/// Time since the start without the walk's own, in units. \pre no team is at work
double TbbWalk::clock() {
  endRegion();
  forgetSurplus(); // what lies before is of another account
  const double time = now() - start - overhead;
  overhead += clockCost();
  return time / run.nsPerUnit;
}

/// The walk of the thread that looked at most nodes counts.
void TbbWalk::endRegion() {
  std::uint64_t most = 0;
  for (std::uint64_t &own : visits)
    most = std::max(most, std::exchange(own, 0));
  overhead += static_cast<double>(most) * costs.accessNode;
}

void TbbWalk::sequence(const std::vector<Child> &children, double factor) {
  for (const Child &child : children)
    for (std::int64_t i = 0; i < child.number; ++i)
      visit(plan.nodes[child.node], factor);
}

void TbbWalk::visit(const Node &node, double factor) {
  if (++visits.local() > mostVisits)
    throw Enough();
  const auto compute = [&] {
    spinFor(static_cast<double>(node.length) * factor * run.nsPerUnit, interrupt);
  };
  switch (node.kind) {
  case Kind::Compute:
    return compute();
  case Kind::Locked: {
    const tbb::mutex::scoped_lock lock(locks[node.ref]);
    return compute();
  }
  case Kind::Holds: {
    const tbb::mutex::scoped_lock lock(locks[node.ref]);
    return sequence(node.children, factor);
  }
  case Kind::Section:
  case Kind::Spawner:
    return section(node, factor);
  case Kind::Task:
  case Kind::Chain: // there are none in programs with tasks
    return sequence(node.children, factor);
  }
}

void TbbWalk::section(const Node &section, double factor) {
  const SiteSettings &settings = run.sites[section.ref];
  if (settings.sharing == Sharing::Serial)
    return sequence(section.children, factor);
  if (isInside)
    return spawn(section, settings.sharing, factor);
  region(section, settings);
}

void TbbWalk::region(const Node &section, const SiteSettings &settings) {
  endRegion(); // serial code so far
  isInside = true;
  tbb::task_arena arena(settings.threads);
  arena.execute([&] { spawn(section, settings.sharing, settings.factor); });
  isInside = false;
  endRegion();
}

void TbbWalk::spawn(const Node &section, Sharing sharing, double factor) {
  if (sharing == Sharing::Taskloop)
    return tbb::parallel_for(0, section.iterations,
                             [&](int number) { iterate(section, number, factor); });
  tbb::task_group group;
  for (const Child &child : section.children) {
    const Node &node = plan.nodes[child.node];
    for (std::int64_t i = 0; i < child.number; ++i)
      if (node.kind == Kind::Task)
        group.run([this, &node, factor] { visit(node, factor); });
      else
        visit(node, factor);
  }
  group.wait();
}

void TbbWalk::iterate(const Node &section, int number, double factor) {
  const auto next = std::upper_bound(section.first.begin(), section.first.end(), number);
  visit(plan.nodes[section.children[next - section.first.begin() - 1].node], factor);
}

} // namespace synthesizer
