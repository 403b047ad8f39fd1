//===- emulatorToldTest.cpp - What listeners hear of tasks ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"
#include "emulatorPrograms.h"
#include "emulatorTasks.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace prophet;
using namespace prophet::test;

namespace {

using Lines = std::vector<std::string>;

/// Writes down what it hears of tasks, by thread: "2#1" is number 1 of a section of site 2.
class Story : public EventListener {
public:
  std::map<std::uint32_t, Lines> of;

private:
  static std::string name(const Place &place) {
    return fmt::format("{}#{}{}", place.site, place.first,
                       place.count == 1 ? "" : fmt::format("+{}", place.count));
  }
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &part) override {
    if (part.place.whole)
      of[part.thread].push_back(
          fmt::format("{} from {} to {}", name(part.place), part.start, part.end));
  }
  void taskBegins(std::uint32_t thread, const Place &place, double time) override {
    of[thread].push_back(fmt::format("{} begins at {}", name(place), time));
  }
  void taskEnds(std::uint32_t thread, double time) override {
    of[thread].push_back(fmt::format("ends at {}", time));
  }
  void takes(std::uint32_t thread, std::uint32_t from, double since, double time) override {
    of[thread].push_back(fmt::format("takes at {} what {} left at {}", time, from, since));
  }
  void tasksLeave(std::uint32_t thread, std::size_t count, double since) override {
    of[thread].push_back(fmt::format("{} stopped at {}", count, since));
  }
  void taskResumes(std::uint32_t thread, const Place &place, double time) override {
    of[thread].push_back(fmt::format("{} goes on at {}", name(place), time));
  }
  void regionEnds(double) override {}
};

std::map<std::uint32_t, Lines> told(const Tree &tree, const EmulationOptions &options) {
  Story story;
  Emulator(tree).run(options, &story);
  return story.of;
}

/// Spawns A and then 5. A works for 3, spawns 8 and 4, waits for them and works for 1.
Tree aSort() {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId parts = make.section(site, {{make.work(8), 1}, {make.work(4), 1}});
  const NodeId a = make.task({{make.u(3), 1}, {parts, 1}, {make.u(1), 1}});
  return make.root({{make.section(site, {{a, 1}, {make.work(5), 1}}), 1}});
}

TEST(Told, AThiefTakesTheOldestTaskAndWaitersNestTheirs) {
  // Thread 1 takes A, spawns 8 and 4 at 3 and runs 4 while it waits; thread 0, done with the 5 at
  // 5, takes the 8, until 13.
  for (const Paradigm paradigm : {Paradigm::OpenMP, Paradigm::Tasks, Paradigm::Tbb}) {
    auto found = told(aSort(), with(paradigm, 2));
    EXPECT_EQ(found[0],
              (Lines{"0#1 from 0 to 5", "takes at 5 what 1 left at 3", "0#0 from 5 to 13"}));
    EXPECT_EQ(found[1], (Lines{"takes at 0 what 0 left at 0", "0#0 begins at 0", "0#1 from 3 to 7",
                               "ends at 14"}));
  }
}

TEST(Told, LibgompsWaiterRunsWhatItWaitsForAlone) {
  // As above, but thread 0, which waits for A, does not help with its children.
  EmulationOptions options = with(Paradigm::OpenMP, 2);
  options.runtime = OmpRuntime::Libgomp;
  auto found = told(aSort(), options);
  EXPECT_EQ(found[0], (Lines{"0#1 from 0 to 5"}));
  EXPECT_EQ(found[1], (Lines{"takes at 0 what 0 left at 0", "0#0 begins at 0", "0#1 from 3 to 7",
                             "0#0 from 7 to 15", "ends at 16"}));
}

TEST(Told, ATaskGoesOnWhereItsContinuationDoes) {
  // Thread 0 runs A as a child, and from 3 on the 8; thread 1 takes the root's continuation at 0,
  // runs the 5 and leaves the root's end. At 5 it takes A's continuation, runs the 4 until 9, and
  // leaves A's wait. So thread 0 goes on with A when the 8 ends, at 11, then with the root.
  auto found = told(aSort(), with(Paradigm::Cilk, 2));
  EXPECT_EQ(found[0], (Lines{"0#0 begins at 0", "1 stopped at 3", "0#0 from 3 to 11",
                             "takes at 11 what 1 left at 9", "0#0 goes on at 11", "ends at 12",
                             "takes at 12 what 1 left at 5"}));
  EXPECT_EQ(found[1],
            (Lines{"takes at 0 what 0 left at 0", "0#1 from 0 to 5", "takes at 5 what 0 left at 3",
                   "0#0 goes on at 5", "0#1 from 5 to 9", "1 stopped at 9"}));
}

TEST(Told, OneThreadRunsARegionAsOnePiece) {
  for (const Paradigm paradigm : All) {
    auto found = told(aSort(), with(paradigm, 1));
    EXPECT_EQ(found[0], (Lines{"0#0+2 from 0 to 21"})) << paradigmName(paradigm);
  }
}

TEST(Told, LoopsThatAreSplitHaveTheirIterations) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId locking = make.task({{make.u(5), 1}, {make.l(0, 5), 1}});
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 3}, {locking, 1}}), 1}});
  // A task for each iteration: the creator takes the newest, the thief the oldest.
  auto found = told(tree, with(Paradigm::Tasks, 2));
  EXPECT_EQ(found[0], (Lines{"0#3 begins at 0", "ends at 10", "0#2 from 10 to 20"}));
  EXPECT_EQ(found[1], (Lines{"takes at 0 what 0 left at 0", "0#0 from 0 to 10",
                             "takes at 10 what 0 left at 0", "0#1 from 10 to 20"}));
  // Thread 0 halves until it has one iteration; thread 1 takes the upper half.
  found = told(tree, with(Paradigm::Cilk, 2));
  EXPECT_EQ(found[0], (Lines{"0#0 from 0 to 10", "0#1 from 10 to 20"}));
  EXPECT_EQ(found[1], (Lines{"takes at 0 what 0 left at 0", "0#2 from 0 to 10", "0#3 begins at 10",
                             "ends at 20"}));
  found = told(tree, with(Paradigm::Tbb, 2));
  EXPECT_EQ(found[0], (Lines{"0#0 from 0 to 10", "0#1 from 10 to 20"}));
  EXPECT_EQ(found[1], (Lines{"takes at 0 what 0 left at 0", "0#2 from 0 to 10", "0#3 begins at 10",
                             "ends at 20"}));
}

TEST(Told, IterationsThatSpawnHoldTheirTasks) {
  // Two iterations on two threads: 30, and one that spawns 10 and 10 and waits for them.
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), loop = make.site();
  const NodeId spawning = make.task({{make.section(tasks, {{make.work(10), 2}}), 1}});
  const Tree &tree = make.root({{make.section(loop, {{make.work(30), 1}, {spawning, 1}}), 1}});
  auto found = told(tree, with(Paradigm::OpenMP, 2));
  EXPECT_EQ(found[0], (Lines{"1#0 from 0 to 30"}));
  EXPECT_EQ(found[1],
            (Lines{"1#1 begins at 0", "0#1 from 0 to 10", "0#0 from 10 to 20", "ends at 20"}));
}

//===- Of any program -----------------------------------------------------===//

/// Checks that what is told of tasks nests on each thread, in the order of time.
class Nesting : public EventListener {
public:
  double tasks = 0; ///< that began
  std::string wrong;

private:
  struct Row {
    std::vector<double> open; ///< when they began
    double now = 0;
  };
  std::map<std::uint32_t, Row> rows;
  std::size_t away = 0; ///< tasks that stopped and have not gone on

  /// By more than by which real time is rounded where threads share cores.
  static bool isBefore(double time, double other) { return time < other * (1 - 1e-12); }
  void expect(bool holds, const char *what) {
    if (!holds && wrong.empty())
      wrong = what;
  }
  Row &at(std::uint32_t thread, double time) {
    Row &row = rows[thread];
    expect(!isBefore(time, row.now), "goes back in time");
    row.now = time;
    return row;
  }
  void regionBegins(NodeId, double) override { rows.clear(); }
  void interval(const Interval &part) override {
    at(part.thread, part.start);
    at(part.thread, part.end);
    tasks += part.place.whole ? static_cast<double>(part.place.count) : 0;
  }
  void taskBegins(std::uint32_t thread, const Place &, double time) override {
    at(thread, time).open.push_back(time);
    ++tasks;
  }
  void taskEnds(std::uint32_t thread, double time) override {
    Row &row = at(thread, time);
    expect(!row.open.empty(), "ends what has not begun");
    if (!row.open.empty())
      row.open.pop_back();
  }
  void takes(std::uint32_t thread, std::uint32_t from, double since, double time) override {
    at(thread, time);
    expect(thread != from && !isBefore(time, since), "takes what is not there");
  }
  void tasksLeave(std::uint32_t thread, std::size_t count, double since) override {
    std::vector<double> &open = rows[thread].open;
    expect(count > 0 && count <= open.size() && !isBefore(since, open[count - 1]),
           "stops before it began");
    expect(count >= open.size() || !isBefore(open[count], since), "stops after the next began");
    open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(count));
    away += count;
  }
  void taskResumes(std::uint32_t thread, const Place &, double time) override {
    at(thread, time).open.push_back(time);
    expect(away > 0, "goes on with what has not stopped");
    --away;
  }
  void regionEnds(double elapsed) override {
    for (const auto &[thread, row] : rows)
      expect(row.open.empty() && !isBefore(elapsed, row.now), "is open at the end");
    expect(away == 0, "is lost");
  }
};

/// What is wrong with what is told of `program`, if anything is.
std::string wrongIn(const Program &program) {
  if (unsupported(program.tree, program.options))
    return "";
  Nesting nesting;
  const Emulator emulator(program.tree);
  const double heard = emulator.run(program.options, &nesting).ticks;
  const double unheard = emulator.runWithoutGains(program.options).ticks; // perhaps by a formula
  if (std::abs(heard - unheard) > 1e-9 * unheard)
    return fmt::format("{} with a listener, {} without", heard, unheard);
  return nesting.wrong;
}

TEST(Told, TasksNestInAnyProgram) {
  std::mt19937_64 random(seedOfPrograms(8));
  for (std::uint64_t number = 0; number < programsToDraw(1000); ++number) {
    const Program program = drawProgram(random, {.tasks = true});
    const auto isWrong = [](const Program &any) { return !wrongIn(any).empty(); };
    ASSERT_EQ(wrongIn(program), "") << number << '\n' << print(shrink(program, isWrong));
  }
}

/// What takes no time is not heard of where it is one piece.
void giveLengths(Tree &tree) {
  for (Node &node : tree.nodes)
    if (node.kind == NodeKind::U && node.length == 0)
      node.length = 1;
}

/// How many tasks and iterations `tree` has.
double tasksOf(const Tree &tree) {
  std::vector<double> below(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    below[id] = tree.nodes[id].kind == NodeKind::Task;
    for (const Child &child : tree.childrenOf(id))
      below[id] += below[child.node] * static_cast<double>(child.repeat);
  }
  return below[tree.root];
}

TEST(Told, EveryTaskIsToldOnce) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    Tree trees[] = {drawQuicksortProgram(random, seed % 2 ? 0.5 : 0), drawFourierProgram(random),
                    drawFlatTasksProgram(random, 0.5),
                    drawTasksInLoopProgram(random, 0.5, 1 + seed % 3)};
    for (Tree &tree : trees) {
      giveLengths(tree);
      for (const Paradigm paradigm : All) {
        EmulationOptions options = with(paradigm, 2 + seed % 7);
        options.runtime = seed % 3 ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
        options.seed = seed;
        options.overheads.tasks.create = seed % 5 ? 3 : 0;
        Nesting nesting;
        EXPECT_EQ(Emulator(tree).run(options, &nesting).ticks, ticks(tree, options));
        EXPECT_EQ(nesting.wrong, "") << seed << paradigmName(paradigm);
        EXPECT_EQ(nesting.tasks, tasksOf(tree)) << seed << paradigmName(paradigm);
      }
    }
  }
}

/// Notes how often each number begins, of tasks of one section.
class Numbers : public EventListener {
public:
  std::map<std::uint64_t, unsigned> times;

private:
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &part) override {
    if (part.place.whole)
      ++times[part.place.first];
  }
  void regionEnds(double) override {}
};

TEST(Told, NumbersAreThoseOfTheSpawns) {
  // 600 tasks, with code of the spawner's own between them. libomp's deque takes 256, libgomp's
  // queue 193; what does not fit is run at once.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const std::vector<Child> children{
      {make.work(10), 299}, {make.u(7), 1}, {make.work(3), 1}, {make.work(10), 300}};
  const Tree &tree = make.root({{make.section(site, children), 1}});
  for (const Paradigm paradigm : All)
    for (const OmpRuntime runtime : {OmpRuntime::Libomp, OmpRuntime::Libgomp}) {
      EmulationOptions options = with(paradigm, 3);
      options.runtime = runtime;
      Numbers numbers;
      Emulator(tree).run(options, &numbers);
      EXPECT_EQ(numbers.times.size(), 600u) << paradigmName(paradigm);
      for (const auto &[number, times] : numbers.times)
        EXPECT_EQ(times, 1u) << paradigmName(paradigm) << number;
    }
}

} // namespace
