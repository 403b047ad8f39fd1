//===- MemoryViewsTest.cpp - Sites inside others', as if alone parallel ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MeasuredProfile.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

using nlohmann::json;

namespace {

const std::vector<std::string> Sites = {"parallel_for|a.c|3|rows|", "parallel_for|a.c|5|columns|",
                                        "tasks|a.c|9|leaves|", "parallel_for|b.c|2|blocks|"};

/// What a program does, in order.
struct Step {
  enum Kind { Open, Close, Task, Use, Pause, Resume } kind;
  std::size_t site = 0; ///< that opens
  std::uint64_t line = 0;
  bool isWrite = false;
};

class Execution {
public:
  explicit Execution(int level) : m(level) {}

  unsigned open(std::size_t site) {
    return memory_open(m, Sites[site].c_str(), 100 - depth++, nullptr);
  }
  void close(unsigned handle) {
    --depth;
    memory_close(m, handle);
  }
  void use(const Step &step) {
    const unsigned kind = step.isWrite ? Write : Read;
    memory_count(m, kind, 1);
    memory_count(m, PROPHET_MEMORY_FLOPS, 2);
    if (reuse_hash(step.line) < m->threshold)
      memory_event_soon(m, step.line, kind);
  }
  memory_profile *get() { return m; }

  json written() {
    memory_finish(m);
    return writtenProfile(m);
  }

private:
  Profile m;
  unsigned depth = 0;
};

/// Everything, or where only the sections of one site are sections.
json run(const std::vector<Step> &steps, int level, std::optional<std::size_t> only) {
  Execution profile(level);
  struct Section {
    std::size_t site;
    unsigned handle;
    bool isOpened;
  };
  std::vector<Section> sections;
  bool isPaused = false;
  for (const Step &step : steps)
    switch (step.kind) {
    case Step::Open: {
      const bool isOpened = !isPaused && (!only || *only == step.site);
      sections.push_back({step.site, isOpened ? profile.open(step.site) : 0, isOpened});
      break;
    }
    case Step::Close:
      if (sections.back().isOpened)
        profile.close(sections.back().handle);
      sections.pop_back();
      break;
    case Step::Task:
      if (!sections.empty() && sections.back().isOpened)
        memory_task(profile.get());
      break;
    case Step::Use:
      profile.use(step);
      break;
    case Step::Pause:
      isPaused = true;
      memory_pause(profile.get());
      break;
    case Step::Resume:
      isPaused = false;
      memory_resume(profile.get());
      break;
    }
  while (!sections.empty()) {
    if (sections.back().isOpened)
      profile.close(sections.back().handle);
    sections.pop_back();
  }
  return profile.written();
}

/// Sections of all sites inside each other and themselves, with tasks, pauses and uses anywhere.
std::vector<Step> randomSteps(unsigned seed, int number) {
  std::mt19937 random(seed);
  std::vector<Step> steps;
  unsigned depth = 0;
  bool isPaused = false;
  for (int i = 0; i < number; ++i) {
    const unsigned what = random() % 100;
    if (what < 3 && depth < 6) {
      steps.push_back({Step::Open, random() % Sites.size()});
      ++depth;
    } else if (what < 5 && depth > 0) {
      steps.push_back({Step::Close});
      --depth;
    } else if (what < 15 && depth > 0) {
      steps.push_back({Step::Task});
    } else if (what == 15) {
      steps.push_back({isPaused ? Step::Resume : Step::Pause});
      isPaused = !isPaused;
    } else {
      steps.push_back({Step::Use, 0, random() % (random() % 3 ? 40 : 4000), random() % 3 == 0});
    }
  }
  return steps;
}

/// From the first part of the site on, with the lines' places for their numbers.
std::vector<json> partsOf(const json &log) {
  std::vector<json> parts;
  for (json part : log["parts"]) {
    if (part.is_number()) // as an earlier one
      part = json(log["parts"][std::size_t(part)]);
    if (parts.empty() && part[0] != 0)
      continue;
    for (std::size_t task = 2; task < part.size(); ++task)
      for (std::size_t i = 1; i < part[task].size(); ++i) {
        const std::uint64_t code = part[task][i];
        part[task][i] = log["lines"][code >> 3].get<std::uint64_t>() << 3 | (code & 7);
      }
    parts.push_back(part);
  }
  return parts;
}

const json *siteIn(const json &sites, const json &like) {
  const auto found =
      std::ranges::find_if(sites, [&](const json &site) { return site["name"] == like["name"]; });
  return found == sites.end() ? nullptr : &*found;
}

/// A site's own view says what the profile would if no other site's sections were there.
TEST(MemoryViews, AreProfilesOfOneSite) {
  std::size_t compared = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const bool rateFalls = seed % 3 == 0; // after 2^16 uses
    const std::vector<Step> steps = randomSteps(seed, rateFalls ? 150000 : 20000);
    const int level = rateFalls ? -1 : seed % 3 == 1 ? 0 : 2;
    const json all = run(steps, level, std::nullopt);
    ASSERT_TRUE(all.contains("inner"));
    ASSERT_EQ(all["rate"], rateFalls ? 0.5 : level ? 0.25 : 1);
    for (std::size_t only = 0; only < Sites.size(); ++only) {
      const json alone = run(steps, level, only);
      ASSERT_EQ(alone["sites"].size(), 1u);
      ASSERT_FALSE(alone.contains("inner")) << "inside itself only";
      const json *inner = siteIn(all["inner"], alone["sites"][0]);
      ASSERT_TRUE(inner) << "it ran inside others";
      json site = *inner;
      site.erase("log");
      EXPECT_EQ(site, alone["sites"][0]) << "seed " << seed;
      EXPECT_EQ((*inner)["log"]["rate"], alone["log"]["rate"]);
      const auto parts = partsOf((*inner)["log"]), expected = partsOf(alone["log"]);
      EXPECT_GT(parts.size(), 10u);
      // Up to when the view was made others' tasks were between, so less was left out.
      const auto [own, other] =
          std::mismatch(parts.rbegin(), parts.rend(), expected.rbegin(), expected.rend());
      EXPECT_GT(own - parts.rbegin(), 0.8 * static_cast<double>(parts.size()));
      if (own != parts.rend() && other != expected.rend()) {
        EXPECT_EQ((*own)[0], -1);
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 48u);
}

/// What the outermost sections do is not changed by others inside of them.
TEST(MemoryViews, LeaveTheOutermostAlone) {
  const std::vector<Step> steps = randomSteps(3, 20000);
  std::vector<Step> flat;
  unsigned depth = 0;
  for (const Step &step : steps) {
    depth += step.kind == Step::Open;
    const bool isInside = depth > 1 && (step.kind == Step::Open || step.kind == Step::Close ||
                                        step.kind == Step::Task);
    depth -= step.kind == Step::Close;
    if (!isInside && step.kind != Step::Pause && step.kind != Step::Resume)
      flat.push_back(step);
  }
  std::vector<Step> nested;
  std::ranges::copy_if(steps, std::back_inserter(nested), [](const Step &step) {
    return step.kind != Step::Pause && step.kind != Step::Resume;
  });
  json all = run(nested, 1, std::nullopt), outermost = run(flat, 1, std::nullopt);
  all.erase("inner");
  EXPECT_EQ(all, outermost);
  EXPECT_FALSE(outermost.contains("inner"));
}

/// A site that first runs as an outermost one has what it did then in its view, too.
TEST(MemoryViews, KnowWhatWasBeforeThem) {
  std::vector<Step> steps;
  const auto section = [&](std::size_t site, std::uint64_t first, bool isInside) {
    if (isInside) {
      steps.push_back({Step::Open, 1});
      steps.push_back({Step::Task});
    }
    steps.push_back({Step::Open, site});
    for (std::uint64_t task = 0; task < 2; ++task) {
      steps.push_back({Step::Task});
      steps.push_back({Step::Use, 0, first + task, true});
    }
    steps.push_back({Step::Close});
    if (isInside)
      steps.push_back({Step::Close});
  };
  steps.push_back({Step::Use, 0, 7});
  section(0, 20, false);
  section(2, 30, false);
  section(0, 20, true);
  const json all = run(steps, 0, std::nullopt);
  ASSERT_EQ(all["inner"].size(), 1u);
  const json &inner = all["inner"][0];
  EXPECT_EQ(inner["name"], "rows");
  EXPECT_EQ(inner["executions"], 2);
  EXPECT_EQ(inner["accesses"], (json{{"reads", 0}, {"writes", 4}}));
  EXPECT_EQ(inner["writebacks"]["never"], 2);
  EXPECT_EQ(inner["log"], json::parse(R"({"rate": 1, "complete": true, "parts":
      [[-1, 1, [0, 0]], [0, 2, [0, 9], [1, 17]], [-1, 1, [0, 25, 33]], 1],
      "lines": [7, 20, 21, 30, 31]})"));
  EXPECT_EQ(all["sites"][0]["executions"], 1) << "as an outermost one";
}

/// There is room for seven; the others are not in the file.
TEST(MemoryViews, AreOfSomeSites) {
  Execution profile(0);
  std::vector<std::string> names;
  for (int i = 0; i < 10; ++i)
    names.push_back("parallel_for|a.c|" + std::to_string(i + 10) + "|inner" + std::to_string(i) +
                    "|");
  const unsigned outer = profile.open(0);
  for (const std::string &name : names) {
    const unsigned handle = memory_open(profile.get(), name.c_str(), 50, nullptr);
    profile.use({Step::Use, 0, 1});
    memory_close(profile.get(), handle);
  }
  profile.close(outer);
  const json all = profile.written();
  ASSERT_EQ(all["inner"].size(), MEMORY_VIEWS - 1u);
  EXPECT_EQ(all["inner"][6]["name"], "inner6");
  EXPECT_EQ(all["inner"][6]["accesses"]["reads"], 1);
  EXPECT_EQ(all["sites"].size(), 1u);
}

/// A longjmp leaves inner sections, and what opens next is where the stack says.
TEST(MemoryViews, EndWithWhatLongjmpLeft) {
  Execution profile(0);
  memory_profile *m = profile.get();
  memory_open(m, Sites[0].c_str(), 100, nullptr);
  memory_open(m, Sites[1].c_str(), 90, nullptr);
  profile.use({Step::Use, 0, 1});
  memory_open(m, Sites[2].c_str(), 80, nullptr);
  profile.use({Step::Use, 0, 2});
  const unsigned again = memory_open(m, Sites[1].c_str(), 95, nullptr); // in the first one
  EXPECT_EQ(again, 2u);
  profile.use({Step::Use, 0, 3});
  memory_open(m, Sites[0].c_str(), 100, nullptr); // beside it
  profile.use({Step::Use, 0, 4});
  memory_close(m, 1);
  profile.use({Step::Use, 0, 5});
  const json all = profile.written();
  ASSERT_EQ(all["inner"].size(), 2u);
  EXPECT_EQ(all["inner"][0]["name"], "columns");
  EXPECT_EQ(all["inner"][0]["executions"], 2);
  EXPECT_EQ(all["inner"][0]["accesses"]["reads"], 3);
  EXPECT_EQ(all["inner"][1]["executions"], 1);
  EXPECT_EQ(all["inner"][1]["accesses"]["reads"], 1);
  EXPECT_EQ(all["sites"][0]["executions"], 1) << "the second one is inside the first";
}

} // namespace
