//===- emulatorPatterns.cpp - Random programs of the paper's patterns -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"

namespace prophet::test {

namespace {

/// Uniform in [0, bound); the standard distributions differ between libraries.
std::uint64_t below(std::mt19937_64 &random, std::uint64_t bound) { return random() % bound; }
bool chance(std::mt19937_64 &random, double probability) {
  return static_cast<double>(below(random, 1000)) < probability * 1000;
}

/// Figure 9's ComputeOverhead: how much iteration `i` has to do.
std::uint64_t computeOverhead(const Test1 &test, std::size_t i, std::mt19937_64 &random) {
  const std::uint64_t span = test.most - test.least;
  switch (test.pattern) {
  case Test1::Pattern::Random:
    return test.least + below(random, span + 1);
  case Test1::Pattern::Rising:
    return test.least + span * i / test.iterations;
  case Test1::Pattern::Falling:
    return test.most - span * i / test.iterations;
  case Test1::Pattern::Sawtooth:
    return test.least + span * (i % 7) / 6;
  case Test1::Pattern::Equal:
    return test.most;
  case Test1::Pattern::Mixed: // plateaus, with an outlier now and then
    return below(random, 16) == 0 ? 10 * test.most : test.least + span * (i / 8 % 3) / 2;
  }
  return 0;
}

} // namespace

Test1 drawTest1(std::mt19937_64 &random, double locked) {
  Test1 test{};
  test.iterations = 1 + below(random, 120);
  test.pattern = static_cast<Test1::Pattern>(below(random, 6));
  test.least = below(random, 20);
  test.most = test.least + below(random, 200);
  for (unsigned &ratio : test.ratios)
    ratio = static_cast<unsigned>(below(random, 8));
  for (bool &lock : test.locks)
    lock = chance(random, locked);
  test.sameLock = chance(random, 0.5);
  return test;
}

std::vector<Task> iterationsOf(const Test1 &test, std::mt19937_64 &random) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < test.iterations; ++i) {
    const auto overhead = static_cast<double>(computeOverhead(test, i, random));
    Task task;
    for (int part = 0; part < 5; ++part) {
      const bool critical = part % 2 == 1;
      if (!critical)
        task.push_back({-1, overhead * test.ratios[part]});
      else if (test.locks[part / 2])
        task.push_back({test.sameLock ? 0 : part / 2, overhead * test.ratios[part]});
    }
    tasks.push_back(task);
  }
  return tasks;
}

NodeId addSection(TreeMaker &make, std::uint32_t site, const std::vector<Task> &tasks,
                  bool compress) {
  const auto same = [](const Task &a, const Task &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](Segment x, Segment y) {
      return x.lock == y.lock && x.length == y.length;
    });
  };
  std::vector<Child> children;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (compress && i > 0 && same(tasks[i], tasks[i - 1])) {
      ++children.back().repeat;
      continue;
    }
    std::vector<Child> parts;
    for (const Segment &part : tasks[i])
      parts.push_back({part.lock < 0 ? make.u(part.length)
                                     : make.l(static_cast<std::uint32_t>(part.lock), part.length),
                       1});
    children.push_back({make.task(parts), 1});
  }
  return make.section(site, children);
}

Tree drawTest1Program(std::mt19937_64 &random, double locked, unsigned loops) {
  TreeMaker make;
  std::vector<Child> children;
  for (unsigned loop = 0; loop < loops; ++loop) {
    const auto site = make.site(SiteKind::ParallelFor, loop + 1 < loops);
    const std::vector<Task> tasks = iterationsOf(drawTest1(random, locked), random);
    children.push_back({addSection(make, site, tasks, below(random, 2) == 0), 1});
  }
  return make.root(children);
}

Tree drawSectionsProgram(std::mt19937_64 &random, double locked) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Sections);
  return make.root(
      {{addSection(make, site, iterationsOf(drawTest1(random, locked), random), false), 1}});
}

Tree drawLockInLockProgram(std::mt19937_64 &random) {
  TreeMaker make;
  const auto site = make.site();
  const auto piece = [&] { return static_cast<double>(below(random, 100)); };
  std::vector<Child> tasks;
  for (std::uint64_t i = 0, count = 1 + below(random, 100); i < count; ++i) {
    std::vector<Child> held{{make.u(piece()), 1}};
    if (chance(random, 0.5))
      held.push_back({make.l(1, piece()), 1 + below(random, 2)});
    std::vector<Child> parts{{make.u(4 * piece()), 1}, {make.l(0, held), 1}};
    if (chance(random, 0.5))
      parts.push_back({make.l(1, piece()), 1});
    tasks.push_back({make.task(parts), 1});
  }
  return make.root({{make.section(site, tasks), 1}});
}

namespace {

class Quicksort {
public:
  Quicksort(TreeMaker &make, std::mt19937_64 &random, double locked)
      : make(make), random(random), locked(locked), site(make.site(SiteKind::Tasks)) {}

  /// What one call does.
  std::vector<Child> partsOf(std::uint64_t elements) {
    std::vector<Child> parts{{make.u(static_cast<double>(elements + below(random, 10))), 1}};
    if (elements > few) { // the pivot lies in the middle eight tenths
      const std::uint64_t left = elements / 10 + below(random, elements * 8 / 10);
      const NodeId first = make.task(partsOf(left)), second = make.task(partsOf(elements - left));
      parts.push_back({make.section(site, {{first, 1}, {second, 1}}), 1});
    } else {
      parts.push_back({make.u(static_cast<double>(elements * 8)), 1});
    }
    if (chance(random, locked))
      parts.push_back({make.l(0, static_cast<double>(1 + below(random, 200))), 1});
    return parts;
  }

private:
  TreeMaker &make;
  std::mt19937_64 &random;
  const double locked;
  const std::uint32_t site;
  static constexpr std::uint64_t few = 200;
};

} // namespace

Tree drawQuicksortProgram(std::mt19937_64 &random, double locked) {
  TreeMaker make;
  Quicksort sort(make, random, locked);
  return make.root(sort.partsOf(5000 + below(random, 20000)));
}

Tree drawFourierProgram(std::mt19937_64 &random) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const std::uint64_t leaf = 2000 + below(random, 4000), split = below(random, 200);
  // No two calls take quite the same time, else all threads would meet at all times.
  const auto about = [&](std::uint64_t length) {
    return static_cast<double>(length + below(random, length / 16 + 1));
  };
  std::vector<std::vector<Child>> calls(std::uint64_t(1) << (4 + below(random, 4)));
  for (auto &call : calls)
    call = {{make.u(about(leaf)), 1}};
  for (std::uint64_t elements = 500; calls.size() > 1; elements *= 2) {
    std::vector<std::vector<Child>> callers;
    for (std::size_t i = 0; i < calls.size(); i += 2) {
      const NodeId first = make.task(calls[i]), second = make.task(calls[i + 1]);
      const NodeId halves = make.section(site, {{first, 1}, {second, 1}});
      callers.push_back({{make.u(about(split)), 1}, {halves, 1}, {make.u(about(elements)), 1}});
    }
    calls = callers;
  }
  return make.root(calls.front());
}

Tree drawFlatTasksProgram(std::mt19937_64 &random, double locked) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Test1 shape = drawTest1(random, locked);
  const std::uint64_t between = below(random, 30);
  const NodeId loop = addSection(make, site, iterationsOf(shape, random), false);
  std::vector<Child> children;
  for (const Child &task : make.tree.childrenOf(loop)) {
    children.push_back({make.u(static_cast<double>(below(random, between + 1))), 1});
    children.push_back(task);
  }
  return make.root({{make.section(site, children), 1}});
}

Tree drawTasksInLoopProgram(std::mt19937_64 &random, double locked, unsigned loops) {
  TreeMaker make;
  std::vector<Child> program;
  const auto flowing = make.site(SiteKind::ParallelFor, true), last = make.site(),
             inner = make.site(SiteKind::Tasks);
  while (program.size() < loops) {
    std::vector<Child> iterations;
    for (std::uint64_t k = 0, count = 1 + below(random, 24); k < count; ++k) {
      const Test1 shape = drawTest1(random, locked);
      const NodeId tasks = addSection(make, inner, iterationsOf(shape, random), true);
      const NodeId before = make.u(static_cast<double>(below(random, 500)));
      iterations.push_back({make.task({{before, 1}, {tasks, 1}}), 1});
    }
    const bool isLast = program.size() + 1 == loops;
    program.push_back({make.section(isLast ? last : flowing, iterations), 1});
  }
  return make.root(program);
}

namespace {

class TeamsInTasks {
public:
  TeamsInTasks(std::mt19937_64 &random, double locked)
      : random(random), locked(locked), outer(make.site(SiteKind::Tasks)), around(make.site()),
        inside(make.site()), leaves(make.site(SiteKind::Tasks)) {}

  Tree draw() {
    const bool isLoop = chance(random, 0.3);
    std::vector<Child> children;
    for (std::uint64_t k = 0, count = 1 + below(random, 10); k < count; ++k) {
      children.push_back({make.task(partsWith(chance(random, 0.6))), 1});
      if (!isLoop && chance(random, 0.3)) // the spawner's own
        children.push_back(chance(random, 0.5) ? Child{loop(), 1} : piece(300));
    }
    return make.root({{make.section(isLoop ? around : outer, children), 1}});
  }

private:
  std::mt19937_64 &random;
  const double locked;
  TreeMaker make;
  const std::uint32_t outer, around, inside, leaves;

  Child piece(std::uint64_t most) {
    return {make.u(static_cast<double>(1 + below(random, most))), 1};
  }

  std::vector<Child> partsWith(bool team) {
    std::vector<Child> parts{piece(600)};
    if (team)
      parts.push_back({loop(), 1});
    if (chance(random, locked))
      parts.push_back({make.l(0, static_cast<double>(1 + below(random, 100))), 1});
    parts.push_back(piece(300));
    return parts;
  }

  NodeId loop() {
    std::vector<Child> iterations;
    for (std::uint64_t k = 0, count = 1 + below(random, 16); k < count; ++k) {
      std::vector<Child> parts = partsWith(false);
      if (chance(random, 0.4)) {
        std::vector<Child> tasks;
        for (std::uint64_t i = 0, spawned = 1 + below(random, 6); i < spawned; ++i)
          tasks.push_back({make.task(partsWith(false)), 1});
        parts.push_back({make.section(leaves, tasks), 1});
      }
      iterations.push_back({make.task(parts), 1});
    }
    return make.section(inside, iterations);
  }
};

} // namespace

Tree drawTeamsInTasksProgram(std::mt19937_64 &random, double locked) {
  return TeamsInTasks(random, locked).draw();
}

Tree drawTest2Program(std::mt19937_64 &random, double locked) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const Test1 shape = drawTest1(random, locked);
  std::vector<Child> tasks;
  for (std::uint64_t k = 0, count = 1 + below(random, 12); k < count; ++k) {
    const NodeId a = make.u(static_cast<double>(below(random, 500)));
    std::vector<Child> parts{{a, 1}};
    if (below(random, 4) != 0) // do_nested_parallelism
      parts.push_back({addSection(make, inner, iterationsOf(shape, random), true), 1});
    parts.push_back({make.u(static_cast<double>(below(random, 500))), 1});
    tasks.push_back({make.task(parts), 1});
  }
  return make.root({{make.section(outer, tasks), 1}});
}

} // namespace prophet::test
