//===- emulatorTasksLawsTest.cpp - Tasks, by law --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"
#include "emulatorTasks.h"

#include <gtest/gtest.h>
#include <random>

using namespace prophet;
using namespace prophet::test;

namespace {

/// Draws trees of tasks with spawner's own code, nested sections and perhaps locks and loops.
class RandomTasks {
public:
  RandomTasks(unsigned seed, bool locks, int depth = 4)
      : random(seed), locks(locks), deepest(depth) {
    tasks = make.site(SiteKind::Tasks);
    loop = make.site();
    const NodeId section = draw(depth);
    tree = &make.root({{make.u(3), 1}, {section, 1}, {make.u(2), 1}});
  }
  const Tree *tree;
  TreeMaker make;

private:
  std::mt19937 random;
  bool locks;
  int deepest;
  std::uint32_t tasks, loop;

  unsigned upTo(unsigned most) { return random() % (most + 1); }
  NodeId draw(int depth) {
    const bool isLoop = depth < deepest && upTo(4) == 0;
    std::vector<Child> children;
    for (unsigned n = 1 + upTo(3); n > 0; --n) {
      std::vector<Child> body{{make.u(upTo(20)), 1}};
      if (depth > 0 && upTo(2) > 0)
        body.push_back({draw(depth - 1), 1});
      if (locks && upTo(2) == 0)
        body.push_back({make.l(upTo(1), upTo(5)), 1});
      body.push_back({make.u(upTo(6)), 1});
      children.push_back({make.task(body), 1 + upTo(2)});
      if (!isLoop && upTo(1))
        children.push_back({make.u(upTo(4)), 1});
    }
    return make.section(isLoop ? loop : tasks, children);
  }
};

/// The length of the longest chain of dependences, loops parallel where `loops`.
double span(const Tree &tree, bool loops) {
  std::vector<double> longest(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    const Node &node = tree.nodes[id];
    const bool parallel =
        node.kind == NodeKind::Section && (loops || tree.sites[node.ref].kind == SiteKind::Tasks);
    double own = node.length, end = 0;
    for (const Child &child : tree.childrenOf(id)) {
      if (parallel && tree.nodes[child.node].kind == NodeKind::Task)
        end = std::max(end, own + longest[child.node]);
      else
        own += longest[child.node] * static_cast<double>(child.repeat);
    }
    longest[id] = std::max(own, end);
  }
  return longest[tree.root];
}

TEST(TasksLaws, WorkSpanAndGreedyBoundsHold) {
  for (unsigned seed = 0; seed < programsToDraw(100); ++seed) {
    const RandomTasks drawn(seed, false);
    const Tree &tree = *drawn.tree;
    const double work = tree.serialLengths()[tree.root];
    for (Paradigm paradigm : All) {
      const double longest = span(tree, paradigm != Paradigm::OpenMP);
      EXPECT_EQ(ticks(tree, with(paradigm, 1)), work);
      for (unsigned threads : {2u, 3u, 7u}) {
        EmulationOptions options = with(paradigm, threads);
        options.runtime = seed % 2 ? OmpRuntime::Libgomp : OmpRuntime::Libomp;
        options.seed = seed;
        const double found = ticks(tree, options);
        EXPECT_GE(found, work / threads * (1 - 1e-12)) << seed << paradigmName(paradigm);
        EXPECT_GE(found, longest) << seed << paradigmName(paradigm);
        EXPECT_LE(found, work) << seed << paradigmName(paradigm);
        // No thread of Cilk's is idle, or holds up what waits for its children, while there is
        // something to do. Where children are stolen, a waiter that runs another task does.
        if (paradigm == Paradigm::Cilk) {
          EXPECT_LE(found, work / threads + longest) << seed << " on " << threads;
        }
      }
    }
  }
}

TEST(TasksLaws, TheGreedyBoundHoldsForOneLevelOfTasks) {
  for (unsigned seed = 0; seed < programsToDraw(100); ++seed) {
    const RandomTasks drawn(seed, false, 0);
    const Tree &tree = *drawn.tree;
    const double work = tree.serialLengths()[tree.root];
    for (Paradigm paradigm : All)
      for (unsigned threads : {2u, 3u, 7u})
        EXPECT_LE(ticks(tree, with(paradigm, threads)), work / threads + span(tree, true))
            << seed << paradigmName(paradigm) << threads;
  }
}

TEST(TasksLaws, LocksEndAndNothingIsLost) {
  for (unsigned seed = 0; seed < programsToDraw(100); ++seed) {
    const RandomTasks drawn(seed, true);
    const Tree &tree = *drawn.tree;
    const double work = tree.serialLengths()[tree.root];
    for (Paradigm paradigm : All)
      for (unsigned threads : {2u, 5u}) {
        EmulationOptions options = with(paradigm, threads);
        options.runtime = seed % 3 ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
        options.seed = seed;
        options.cores = 1 + seed % threads;
        const Estimate found = emulate(tree, options);
        EXPECT_GE(found.ticks, work / options.cores * (1 - 1e-12)) << seed;
        EXPECT_LE(found.ticks, work * (1 + 1e-12)) << seed;
        const LossShares &loss = found.loss;
        EXPECT_NEAR(loss.useful * threads * found.ticks, work, 1e-6 * work) << seed;
        EXPECT_NEAR(loss.useful + loss.serial + loss.imbalance + loss.lock + loss.overhead +
                        loss.memory + loss.cores + loss.outlining,
                    1, 1e-9);
      }
  }
}

TEST(TasksLaws, LengthsScaleEverything) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const RandomTasks drawn(seed, true);
    Tree larger = *drawn.tree;
    for (Node &node : larger.nodes)
      node.length *= 8;
    for (Paradigm paradigm : All)
      EXPECT_EQ(ticks(larger, with(paradigm, 3)), 8 * ticks(*drawn.tree, with(paradigm, 3)));
  }
}

} // namespace
