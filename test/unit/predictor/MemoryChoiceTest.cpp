//===- MemoryChoiceTest.cpp - Which memory model burdens a program --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/MemoryChoice.h"
#include "emulatorOptions.h"
#include "emulatorTrees.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// A loop of 4 s at 3 GHz, with 4e8 misses, which is the only one of its program.
class MemoryChoices : public testing::Test {
protected:
  const std::string folder = testing::TempDir();
  const std::string path = folder + "choices.prophet.json";
  const std::string profile = folder + "choices.prophet-memory.json";
  PredictRequest request;
  Site site;
  bool runs = true;

  MemoryChoices() {
    site.name = "a";
    site.memory = {"papi", 1, 1e10, 12e9, 4e8};
    request.threads = {2};
    request.machine = withCurves();
    request.machineSource = "m.json";
  }
  ~MemoryChoices() override { std::remove(profile.c_str()); }

  /// That moves as much as they like, and that has caches.
  static memmodel::Machine withCurves() {
    memmodel::Machine machine;
    machine.caches = {{2, 65536, 1}, {3, 1 << 20, 64}};
    auto &memory = machine.memory.emplace();
    memory.curves = {{1, {{0, 80}, {100, 80}}}};
    memory.saturationSeen = true;
    memory.classGbs = {12, 6, 4, 0.8};
    memory.transferNs = 1000;
    return machine;
  }
  std::shared_ptr<const Tree> tree() const {
    TreeMaker make;
    make.site();
    make.tree.sites[0] = site;
    const NodeId section = make.section(0, {{make.work(1e9), 4}});
    return std::make_shared<Tree>(
        make.root(runs ? std::vector<Child>{{section, 1}} : std::vector<Child>{{make.u(1), 1}}));
  }
  /// Of the same loop, twice with 64 tasks that write a line each, the second time the other way
  /// round.
  void writeProfile() const {
    const std::string none = R"({"cold": 0, "reuse": [], "writes": {"cold": 0, "reuse": []}})";
    std::string use = R"("accesses": {"reads": 0, "writes": 128}, "classes": {"stream": )" + none;
    for (const char *name : {"stride", "indirect", "chase"})
      use += std::string(", \"") + name + "\": " + none;
    use += R"(}, "writebacks": {"never": 0, "reuse": []})";
    std::string parts;
    for (const bool back : {false, true}) {
      parts += back ? ", [0, 64" : "[0, 64";
      for (int task = 0; task < 64; ++task)
        parts += fmt::format(", [{}, {}]", task, (back ? 63 - task : task) * 8 + 1);
      parts += "]";
    }
    std::ofstream(profile)
        << R"({"format": "prophet-memory-profile", "version": 1, "complete": true, "line": 64, )"
           R"("rate": 1, "sampled_lines": 64, "bins": {"exact": 64, "per_octave": 32}, )"
           R"("program": {}, "sites": [{"name": "a", "kind": "parallel_for", "file": "", )"
           R"("line": 0, "executions": 1, )"
        << use << R"(}], "outside": {)" << use << R"(}, "log": {"rate": 1, "complete": true, )"
        << R"("parts": [)" << parts << "]}}";
  }
  MemoryChoice choose() const {
    auto choice = chooseMemory(tree(), path, request);
    EXPECT_TRUE(choice) << choice.error().message;
    return choice ? std::move(*choice) : MemoryChoice{};
  }
  std::string use() const {
    const MemoryUse chosen = choose().use;
    return chosen.model + chosen.why;
  }
  std::string problem() const {
    const auto choice = chooseMemory(tree(), path, request);
    return choice ? "" : choice.error().message;
  }
};

const std::string byCounts = "curve by counted misses and the curves of m.json";
const std::string byPaper = "paper by counted misses and the coefficients of m.json";
const std::string noModel = "none: there is no memory profile ('prophet run --memory-build' makes "
                            "one), and no site has counts of cache misses";

} // namespace

TEST_F(MemoryChoices, NeedAllCountsOfASiteThatRan) {
  EXPECT_EQ(use(), byCounts);
  runs = false;
  EXPECT_EQ(use(), noModel);
  runs = true;
  site.memory->cycles = 0;
  EXPECT_EQ(use(), noModel);
  site.memory->cycles = 12e9;
  site.memory->instructions = 0;
  EXPECT_EQ(use(), noModel);
}

TEST_F(MemoryChoices, ByCountsAreOfIrregularLines) {
  // 3.2 of 4 s are lines of 80 ns, of which five are under way at once; with 108 ns it takes 5.12
  // s, in which two threads move 5 GB/s.
  site.memory->llcMisses = 2e8;
  request.machine->memory->curves = {{1, {{0, 80}, {3.2, 80}, {5, 108}, {10, 400}}}};
  const MemoryChoice choice = choose();
  ASSERT_TRUE(choice.model);
  EXPECT_NEAR(choice.model->factors(optionsWith(OmpRuntime::Libomp, 2, {}))[0].at(2), 1.28, 1e-9);
}

TEST_F(MemoryChoices, ByThePapersModelAreOfNoMoreThanTheCores) {
  // The figures of docs/memory-model.md: 2e10 cycles at 2.8 GHz.
  request.machine = memmodel::presetMachine("westmere");
  site.memory->cycles = 11.2e9;
  site.memory->llcMisses = 4e8 * 11.2 / 20;
  const auto factors = [&](unsigned cores, std::vector<unsigned> threads = {2}) {
    request.base.cores = cores;
    request.threads = std::move(threads);
    return choose();
  };
  MemoryChoice choice = factors(0, {2, 12});
  EXPECT_EQ(choice.use.model + choice.use.why, byPaper);
  ASSERT_EQ(choice.burdens.size(), 1u);
  ASSERT_EQ(choice.burdens[0].size(), 4u);
  EXPECT_NEAR(choice.burdens[0].at(2), 1.063417304503, 1e-9);
  EXPECT_NEAR(choice.burdens[0].at(12), 2.831016409895, 1e-9);
  EXPECT_TRUE(choice.warnings.empty());
  choice = factors(3);
  ASSERT_EQ(choice.burdens[0].size(), 2u);
  EXPECT_NEAR(choice.burdens[0].at(2), 1.063417304503, 1e-9);
  EXPECT_NEAR(choice.burdens[0].at(3), (1.063417304503 + 1.526834145255) / 2, 1e-9);
  EXPECT_EQ(factors(1).burdens[0], (std::map<unsigned, double>{{1, 1}}));
  ASSERT_EQ(factors(0, {2, 16}).warnings.size(), 1u);
  EXPECT_EQ(factors(0, {2, 16}).warnings[0],
            "m.json: has coefficients for up to 12 threads: more have the burden factors of that "
            "many");
  EXPECT_TRUE(factors(12, {2, 16}).warnings.empty());
  request.machine->lineBytes = 32; // half the traffic, 1792 MB/s, is too little
  EXPECT_EQ(factors(0).burdens[0].at(12), 1);
}

TEST_F(MemoryChoices, ByThePapersModelNeedNoCurves) {
  request.machine->paper = memmodel::westmere();
  EXPECT_EQ(use(), byCounts);
  request.memory = MemoryMode::Paper;
  EXPECT_EQ(use(), byPaper);
  writeProfile(); // has no effect
  EXPECT_EQ(use(), byPaper);
}

TEST_F(MemoryChoices, PreferAProfileThatWasGivenToWhatTheTreeCarries) {
  site.burden = {{2, 1.5}};
  EXPECT_EQ(use(), "burden by the factors that the tree carries");
  writeProfile();
  EXPECT_EQ(use(), "burden by the factors that the tree carries");
  request.memoryProfile = profile;
  EXPECT_EQ(use(), "curve by the memory profile " + profile + " and the curves of m.json");
}

TEST_F(MemoryChoices, HaveCountsWhereTheMachineIsNotFitForTheProfile) {
  writeProfile();
  EXPECT_EQ(use(), "curve by the memory profile " + profile + " and the curves of m.json");
  request.machine->caches.clear();
  EXPECT_EQ(use(), byCounts);
  const std::string why = "m.json has no \"caches\"; run 'prophet calibrate', or leave out the "
                          "memory profile";
  site.memory.reset();
  EXPECT_EQ(use(), "none: " + why);
  request.memory = MemoryMode::Curve;
  EXPECT_EQ(problem(), why);
  request.memory = MemoryMode::Auto;
  request.memoryProfile = profile;
  EXPECT_EQ(problem(), why);
  site.memory = {"papi", 1, 1e10, 12e9, 4e8};
  EXPECT_EQ(problem(), why);
}

TEST_F(MemoryChoices, ReplayTheThreadsThatAreAskedFor) {
  // With five threads by turns twelve lines do not change their owner, with four and six all do.
  writeProfile();
  request.machine->memory->transferNs = 4e9 / 64;
  const Schedule oneByOne{Schedule::Kind::StaticChunk, 1};
  const auto factor = [&] {
    return choose().model->factors(optionsWith(OmpRuntime::Libomp, 5, oneByOne))[0].at(5);
  };
  EXPECT_NEAR(factor(), 2, 1e-9);
  request.threads = {2, 5};
  EXPECT_NEAR(factor(), 1 + 52 / 64., 1e-9);
}

TEST(MemoryChoice, WarnsOfFactorsWithoutEffectAlone) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  make.tree.sites[outer].burden = {{2, 1.5}};
  const NodeId task = make.task({{make.section(inner, {{make.work(10), 4}}), 1}});
  const Tree &tree = make.root({{make.section(outer, {{task, 2}}), 1}});
  const auto warnings = [&] {
    const auto choice = chooseMemory(std::make_shared<Tree>(tree), "", {});
    return choice ? choice->warnings : std::vector<std::string>{choice.error().message};
  };
  EXPECT_TRUE(warnings().empty());
  make.tree.sites[inner].burden = {{2, 1.5}};
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_TRUE(warnings()[0].starts_with("the burden factors of 'site1' have no effect"));
}
