//===- TraceTest.cpp - Traces of random programs --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read as viewers do: by time, and what begins at one moment in the file's order.
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Trace.h"
#include "emulatorPatterns.h"
#include "emulatorPrograms.h"
#include "emulatorTasks.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace prophet;
using namespace prophet::test;

namespace {

using Json = nlohmann::json;

/// Times are in microseconds, in the file to the picosecond.
constexpr double rounding = 2e-6;

class Viewer {
public:
  explicit Viewer(const std::string &trace);
  std::string wrong; ///< the first thing that is, if any
  std::size_t slices = 0, arrows = 0;
  double computed = 0; ///< by what holds no other slices, without merged ones

private:
  struct Slice {
    double end, length;
    bool isComputing, holdsOthers;
  };
  struct Row {
    std::vector<Slice> open;
    bool isAwaited = false; ///< an arrow ends where the next slice begins,
    double awaitedAt = 0;   ///< which is here
  };
  std::map<int, Row> rows;
  std::map<int, double> begun; ///< arrows that have not ended

  void expect(bool holds, const char *what, const Json &event) {
    if (!holds && wrong.empty())
      wrong = fmt::format("{}: {}", what, event.dump());
  }
  void close(Row &row, double time);
  void addSlice(const Json &event);
  void addArrow(const Json &event);
};

Viewer::Viewer(const std::string &trace) {
  const Json file = Json::parse(trace);
  std::vector<std::pair<double, const Json *>> events;
  for (const Json &event : file["traceEvents"])
    if (event["ph"] != "M")
      events.emplace_back(event["ts"], &event);
  std::sort(events.begin(), events.end());
  for (const auto &[time, event] : events)
    (*event)["ph"] == "X" ? addSlice(*event) : addArrow(*event);
  for (auto &[thread, row] : rows) {
    close(row, 1e300);
    expect(!row.isAwaited, "an arrow leads to nothing on row", thread);
  }
  expect(begun.empty(), "arrows without an end", begun.size());
}

/// Ends what has ended at `time`.
void Viewer::close(Row &row, double time) {
  for (; !row.open.empty() && row.open.back().end <= time + rounding; row.open.pop_back())
    if (const Slice &slice = row.open.back(); slice.isComputing && !slice.holdsOthers)
      computed += slice.length;
}

void Viewer::addSlice(const Json &event) {
  static const std::set<std::string> computing{"task", "compute", "lock", "serial"};
  ++slices;
  Row &row = rows[event["tid"]];
  const double start = event["ts"], length = event["dur"];
  close(row, start);
  if (!row.open.empty()) {
    expect(start + length <= row.open.back().end + rounding, "does not nest", event);
    row.open.back().holdsOthers = true;
  }
  expect(!row.isAwaited || start == row.awaitedAt, "an arrow ends before it", event);
  row.isAwaited = false;
  row.open.push_back({start + length, length, computing.contains(event["cat"]), false});
}

void Viewer::addArrow(const Json &event) {
  Row &row = rows[event["tid"]];
  const double time = event["ts"];
  if (event["ph"] == "s") {
    ++arrows;
    expect(!row.open.empty() && row.open.back().end >= time - rounding, "begins in nothing", event);
    expect(begun.emplace(event["id"], time).second, "begins twice", event);
    return;
  }
  const auto found = begun.find(event["id"]);
  expect(found != begun.end(), "ends before it begins", event);
  expect(!row.isAwaited, "one of two that lead to one slice", event);
  row.isAwaited = true;
  row.awaitedAt = time;
  if (found != begun.end())
    begun.erase(found);
}

std::string traceOf(const Tree &tree, const EmulationOptions &options, std::size_t limit) {
  TraceRecorder recorder(options.threads, limit, options.paradigm);
  Emulator(tree).run(options, &recorder);
  return recorder.json("random", "");
}

constexpr std::size_t unlimited = 10'000'000;

TEST(Trace, NestsForAnyProgram) {
  std::mt19937_64 random(seedOfPrograms(4));
  for (std::uint64_t number = 0; number < programsToDraw(100); ++number) {
    Program program = drawProgram(random, {.tasks = true});
    if (unsupported(program.tree, program.options))
      continue;
    program.tree.timebaseHz = 1e6;
    for (const std::size_t limit : {unlimited, std::size_t(300), std::size_t(40)}) {
      const Viewer seen(traceOf(program.tree, program.options, limit));
      ASSERT_EQ(seen.wrong, "") << number << '\n' << print(program);
      EXPECT_LE(seen.slices + 2 * seen.arrows, 4 * limit + 30 * program.options.threads);
    }
  }
}

TEST(Trace, HasAllOfEveryTask) {
  std::size_t arrows = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    std::mt19937_64 random(seed);
    Tree trees[] = {drawQuicksortProgram(random, seed % 2 ? 0.5 : 0), drawFourierProgram(random),
                    drawTasksInLoopProgram(random, 0.5)};
    for (Tree &tree : trees)
      for (const Paradigm paradigm : All) {
        tree.timebaseHz = 1e6;
        EmulationOptions options = with(paradigm, 2 + seed % 7);
        options.seed = seed;
        options.overheads.tasks = {1, 10, 3};
        const Viewer seen(traceOf(tree, options, unlimited));
        EXPECT_EQ(seen.wrong, "");
        const double work = tree.serialLengths()[tree.root];
        EXPECT_NEAR(seen.computed, work, 1e-9 * work) << seed << paradigmName(paradigm);
        arrows += seen.arrows;
      }
  }
  EXPECT_GT(arrows, 500u);
}

TEST(Trace, IsBoundedWhereTasksNestDeeply) {
  // Each task spawns the next one at once: thousands around a moment's work.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  NodeId task = make.work(100);
  for (int level = 0; level < 5000; ++level)
    task = make.task({{make.section(site, {{task, 1}}), 1}});
  const Tree &tree = make.root({{make.section(site, {{task, 1}}), 1}});
  for (const Paradigm paradigm : All) {
    const Viewer seen(traceOf(tree, with(paradigm, 2), 1000));
    EXPECT_EQ(seen.wrong, "");
    EXPECT_LE(seen.slices, 1000u);
    EXPECT_EQ(seen.computed, 0.1);
  }
}

} // namespace
