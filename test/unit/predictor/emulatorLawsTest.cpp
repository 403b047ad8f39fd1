//===- emulatorLawsTest.cpp - What holds for every program ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each law on random programs of the widest class it holds for, which its comment
// says. PROPHET_TEST_PROGRAMS and PROPHET_TEST_SEED draw more and others.
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/report/Span.h"

#include <gtest/gtest.h>
#include <map>

using namespace prophet;
using namespace prophet::test;

namespace {

/// The law's allowance for the last step of a sum, relative.
constexpr double rounding = 1e-12;

/// Loops, sections and locks; and the same with sections of tasks, under all paradigms.
constexpr Shape loops{}, tasks{.tasks = true};

double ticks(const Program &program) {
  return Emulator(program.tree).runWithoutGains(program.options).ticks;
}

double serialOf(const Program &program) { return program.tree.serialLengths()[program.tree.root]; }

/// Checks `holds` for as many programs of each shape; prints the first for which it does not, made
/// small.
void forPrograms(std::uint64_t count, std::initializer_list<Shape> shapes,
                 const std::function<bool(const Program &)> &holds) {
  const std::uint64_t seed = seedOfPrograms(3);
  for (const Shape &shape : shapes) {
    std::mt19937_64 random(seed);
    for (std::uint64_t number = 0; number < programsToDraw(count); ++number) {
      const Program program = drawProgram(random, shape);
      if (holds(program))
        continue;
      const auto fails = [&](const Program &smaller) { return !holds(smaller); };
      FAIL() << "program " << number << " of seed " << seed << ":\n"
             << print(shrink(program, fails));
    }
  }
}

/// `program` on 1 to 64 threads, and as many cores or fewer, where its teams do not nest.
Program onAnyTeam(Program program) {
  EmulationOptions &options = program.options;
  if (options.maxActiveLevels > 1)
    return program;
  std::mt19937_64 random(program.tree.nodes.size() + program.tree.children.size() + options.cores);
  options.threads = 1 + random() % 64;
  options.cores = random() % 2 ? options.threads : 1 + random() % options.threads;
  return program;
}

/// `program` with regions that compute faster or slower than it, some of them just as fast.
Program outlined(Program program) {
  std::mt19937_64 random(program.tree.nodes.size() + program.options.threads);
  for (std::size_t site = 0; site < program.tree.sites.size(); ++site)
    program.options.bodyRatios.push_back(random() % 3 ? 0.4 + 0.01 * double(random() % 200) : 1);
  return program;
}

TEST(ProgramLaws, WorkOverCoresIsALowerBound) { // of every program
  forPrograms(300, {loops, tasks}, [](const Program &drawn) {
    const Program program = onAnyTeam(drawn);
    return ticks(program) * program.options.cores >= serialOf(program) * (1 - rounding);
  });
  forPrograms(300, {loops, tasks}, [](const Program &drawn) {
    const Program program = outlined(onAnyTeam(drawn));
    const double most = gainOfCores(program.tree, program.options);
    return ticks(program) * most >= serialOf(program) * (1 - rounding);
  });
}

TEST(ProgramLaws, WhatIsReportedAsSpanIsALowerBound) { // of every program
  const auto holds = [](const Program &program) {
    const Span span = findSpan(program.tree, program.options);
    return ticks(program) >= std::max(span.spanTicks, span.lockTicks) * (1 - rounding);
  };
  forPrograms(1500, {loops, tasks}, [&](const Program &drawn) { return holds(onAnyTeam(drawn)); });
  forPrograms(1000, {loops, tasks},
              [&](const Program &drawn) { return holds(outlined(onAnyTeam(drawn))); });
}

TEST(ProgramLaws, WhatOneLockGuardsIsALowerBound) { // of every program
  forPrograms(150, {loops, tasks}, [](const Program &program) {
    const Tree &tree = program.tree;
    const std::vector<double> lengths = tree.serialLengths();
    std::vector<double> executions(tree.nodes.size()), held(tree.locks.size());
    executions[tree.root] = 1;
    for (NodeId id = tree.root + 1; id-- > 0;) {
      if (tree.nodes[id].kind == NodeKind::L)
        held[tree.nodes[id].ref] += executions[id] * lengths[id];
      for (const Child &child : tree.childrenOf(id))
        executions[child.node] += executions[id] * static_cast<double>(child.repeat);
    }
    const double found = ticks(program);
    return std::all_of(held.begin(), held.end(),
                       [&](double length) { return found >= length * (1 - rounding); });
  });
}

TEST(ProgramLaws, NoProgramIsSlowerThanSerial) {
  // At every moment a core works, so this holds where no work is added: code between nowait loops
  // is run by every thread.
  Shape withoutNowait = loops;
  withoutNowait.nowait = false;
  forPrograms(150, {withoutNowait, tasks}, [](const Program &program) {
    for (const Site &site : program.tree.sites)
      if (site.nowait && program.options.paradigm == Paradigm::OpenMP)
        return true;
    return ticks(program) <= serialOf(program) * (1 + rounding);
  });
}

TEST(ProgramLaws, MoreCoresAreNeverSlower) {
  // Of every program, since threads that share cores advance alike: what happens, and in which
  // order, does not depend on the cores, only how long it takes.
  forPrograms(60, {loops, tasks}, [](const Program &program) {
    Program fewer = program, more = program;
    more.options.cores += 1;
    const double found = ticks(more), before = ticks(fewer);
    more.options.cores = 1000;
    return found <= before * (1 + rounding) && ticks(more) <= found * (1 + rounding);
  });
}

TEST(ProgramLaws, OneThreadIsTheSerialProgram) { // every program under every paradigm, to the bit
  forPrograms(100, {loops, tasks}, [](const Program &program) {
    Program alone = program;
    alone.options.threads = 1;
    const Estimate found = Emulator(alone.tree).run(alone.options);
    bool same = found.ticks == found.serialTicks && found.speedup == 1;
    for (const SiteEstimate &site : found.sites)
      same &= std::abs(site.ticks - site.serialTicks) <= rounding * found.ticks;
    return same && found.serialTicks == serialOf(program);
  });
}

TEST(ProgramLaws,
     LengthsScaleEverything) { // of every program, if the unit of time shrinks with them
  forPrograms(80, {loops, tasks}, [](const Program &program) {
    const double once = ticks(program);
    for (double factor : {0.25, 3.0, 1000.0}) {
      Program larger = program;
      larger.tree.timebaseHz *= factor;
      for (Node &node : larger.tree.nodes)
        node.length *= factor;
      if (std::abs(ticks(larger) - factor * once) > rounding * factor * once)
        return false;
    }
    return true;
  });
}

/// `tree` with every repeat and every shared node written out, and the equal ones among each node's
/// children in another order.
Tree writtenOut(const Tree &tree, std::mt19937_64 random) {
  Tree result = tree;
  result.nodes.clear();
  result.children.clear();
  const std::function<NodeId(NodeId)> copy = [&](NodeId id) {
    std::vector<Child> children;
    std::map<NodeId, std::vector<NodeId>> copies;
    for (const Child &child : tree.childrenOf(id))
      for (std::uint64_t i = 0; i < child.repeat; ++i)
        copies[child.node].push_back(copy(child.node));
    for (auto &[of, equal] : copies)
      std::ranges::shuffle(equal, random);
    for (const Child &child : tree.childrenOf(id))
      for (std::uint64_t i = 0; i < child.repeat; ++i) {
        children.push_back({copies[child.node].back(), 1});
        copies[child.node].pop_back();
      }
    Node node = tree.nodes[id];
    node.firstChild = result.children.size();
    node.childCount = children.size();
    result.children.insert(result.children.end(), children.begin(), children.end());
    result.nodes.push_back(node);
    return static_cast<NodeId>(result.nodes.size() - 1);
  };
  result.root = copy(tree.root);
  return result;
}

TEST(ProgramLaws, EqualTasksMayChangePlaces) {
  // What is written as one node, or one run, stands for pieces of the same length in any order. Of
  // every program without tasks: with them, the dice of thieves may fall in another way.
  forPrograms(150, {loops}, [](const Program &program) {
    const double expected = ticks(program);
    const Tree other = writtenOut(program.tree, std::mt19937_64(program.tree.nodes.size()));
    return std::abs(ticks({other, program.options}) - expected) <= rounding * expected;
  });
}

} // namespace
