//===- ProfileMatchTest.cpp - Whose sites a memory profile has ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ProfileMatch.h"

#include "emulatorTrees.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// The numbers in a profile, whose sites are in `files`, of the sites of a tree whose sites are in
/// `treeFiles`, all at one line.
std::vector<std::uint32_t> matched(const std::vector<std::string> &treeFiles,
                                   const std::vector<std::string> &files) {
  TreeMaker make;
  std::vector<Child> children;
  for (const std::string &file : treeFiles) {
    const auto site = make.site();
    Site &made = make.tree.sites[site];
    made.name = "loop";
    made.file = file;
    made.line = 7;
    children.push_back({make.section(site, {{make.work(100), 4}}), 1});
  }
  const Tree &tree = make.root(children);
  auto profile = std::make_shared<memmodel::MemoryProfile>();
  for (const std::string &file : files) {
    memmodel::SiteUse &use = profile->sites.emplace_back();
    use.name = "loop";
    use.kind = "parallel_for";
    use.file = file;
    use.line = 7;
    use.executions = 1;
  }
  std::vector<std::uint32_t> numbers;
  for (const auto &known : matchProfile(tree, outermostUses(tree), {profile, "p"}).known)
    numbers.push_back(known.profile);
  return numbers;
}

using Numbers = std::vector<std::uint32_t>;

} // namespace

TEST(ProfileMatch, KnowsAFileInAnotherFolder) {
  EXPECT_EQ(matched({"/home/me/app.c"}, {"../app.c"}), Numbers{0});
  EXPECT_EQ(matched({"app.c"}, {"/build/app.c"}), Numbers{0});
  EXPECT_EQ(matched({"app.c"}, {"lapp.c"}), Numbers{});
  EXPECT_EQ(matched({""}, {""}), Numbers{0});
}

TEST(ProfileMatch, TellsFilesOfOneNameByTheirFolders) {
  const std::vector<std::string> files = {"/build/a/loops.c", "/build/b/loops.c"};
  EXPECT_EQ(matched({"src/b/loops.c", "src/a/loops.c"}, files), (Numbers{1, 0}));
  EXPECT_EQ(matched({"/build/a/loops.c", "/build/b/loops.c"}, files), (Numbers{0, 1}));
  EXPECT_EQ(matched({"a/loops.c", "b/loops.c"}, {"/build/b/loops.c"}), Numbers{0}); // b's
}

/// A tree of one loop of four tasks, and a profile of it.
struct Matched {
  Tree tree;
  FoundProfile found;
  std::shared_ptr<memmodel::MemoryProfile> profile = std::make_shared<memmodel::MemoryProfile>();

  Matched() {
    TreeMaker make;
    const auto site = make.site();
    make.tree.sites[site].name = "loop";
    tree = make.root({{make.section(site, {{make.work(100), 4}}), 1}});
    memmodel::SiteUse &use = profile->sites.emplace_back();
    use.name = "loop";
    use.kind = "parallel_for";
    use.executions = 1;
    profile->log.emplace().parts = {{0, 4, 0, 0}};
    profile->sampledLines = 1;
    found = {profile, "p"};
  }

  std::vector<std::string> warnings() const {
    return matchProfile(tree, outermostUses(tree), found).warnings;
  }
};

using Warnings = std::vector<std::string>;

TEST(ProfileMatch, WarnsOfOtherNumbersOfIterations) {
  Matched program;
  EXPECT_EQ(program.warnings(), Warnings{});
  program.profile->log->parts[0].size = 5;
  EXPECT_EQ(
      program.warnings(),
      Warnings{"p: ran 'loop' (:0) another number of times than the tree's run, or with other "
               "numbers of iterations; use the same input for both"});
  program.profile->log->parts[0].site = memmodel::AccessLog::Outside;
  EXPECT_EQ(program.warnings(), Warnings{});
}

TEST(ProfileMatch, WarnsOfASampleWithoutALine) {
  Matched program;
  program.profile->sampledLines = 0;
  EXPECT_EQ(program.warnings(), Warnings{}); // a program that uses next to no memory
  program.profile->rate = 0x1p-20;
  EXPECT_EQ(program.warnings(),
            Warnings{"p: has no cache line in its sample of 1 of 1048576, so memory slows nothing "
                     "down; make it without PROPHET_MEMORY_RATE"});
}

TEST(ProfileMatch, WarnsOfARunThatWasCutShort) {
  Matched program;
  program.profile->complete = false;
  EXPECT_EQ(program.warnings(),
            Warnings{"p: covers its run only up to where that was cut short, by a signal or within "
                     "a section; make it again, of a run that ends well"});
}

TEST(ProfileMatch, WarnsOfMuchMemoryThatIsReadBeforeItIsWritten) {
  Matched program;
  const auto readFirst = [&](double microseconds, double lines) {
    program.tree.timebaseHz = 400 / microseconds * 1e6;
    program.profile->sites[0].readFirst = lines;
    return program.warnings();
  };
  EXPECT_EQ(readFirst(100000, 300 * 64), Warnings{}); // 3 % are 300 pages of 10 us
  EXPECT_EQ(readFirst(100000, 301 * 64),
            Warnings{"p: the first to write to memory that was read before is 'loop' (:0) (1 MB): "
                     "where it was new, as of calloc, threads wait there for the system, page by "
                     "page, which is not in these figures; write to it before it is read, as by "
                     "memset"});
  EXPECT_EQ(readFirst(1000, 16383), Warnings{}); // less than a megabyte
  EXPECT_EQ(readFirst(1000, 16384).size(), 1u);
  program.profile->sites[0].classes[0].cold = 1e9; // that are written first cost no more than alone
  EXPECT_EQ(readFirst(1000, 0), Warnings{});
}

TEST(ProfileMatch, WarnsOfASourceThatIsNewer) {
  const std::string path = testing::TempDir() + "newer.c";
  std::ofstream(path) << "int x;\n";
  Matched program;
  program.tree.sites[0].file = program.profile->sites[0].file = path;
  program.found.written = std::filesystem::last_write_time(path);
  EXPECT_EQ(program.warnings(), Warnings{});
  program.found.written -= std::chrono::seconds(1);
  EXPECT_EQ(program.warnings(), Warnings{"p: is older than " + path +
                                         "; if the program has changed since, make it "
                                         "anew"});
  std::remove(path.c_str());
}

namespace {

/// Loops, one inside the other, and a profile that has each of them alone, too.
struct Nest {
  TreeMaker make;
  std::uint32_t outer = make.site(), inner = make.site();
  std::shared_ptr<memmodel::MemoryProfile> profile = std::make_shared<memmodel::MemoryProfile>();

  Nest() {
    profile->sites.resize(1);
    profile->inner.resize(2);
    for (std::uint32_t site = 0; site < 2; ++site)
      profile->inner[site].name = "site" + std::to_string(site);
    profile->sites[0].name = "site0";
    profile->sites[0].executions = 3;
    for (memmodel::SiteUse *use :
         {static_cast<memmodel::SiteUse *>(&profile->inner[0]),
          static_cast<memmodel::SiteUse *>(&profile->inner[1]), &profile->sites[0]})
      use->kind = "parallel_for";
    profile->inner[0].executions = profile->inner[1].executions = 3;
    for (memmodel::InnerSite &use : profile->inner)
      use.log.emplace();
    profile->log.emplace();
  }
  /// Three times the outer loop, in whose one task the other one has a task of so many ticks of 2
  /// ns.
  Tree tree(double ticks) {
    const NodeId section = make.section(inner, {{make.work(ticks), 1}});
    const NodeId task = make.task({{section, 1}, {make.u(1000), 1}});
    Tree made = make.root({{make.section(outer, {{task, 1}}), 3}});
    made.timebaseHz = 5e8;
    return made;
  }
  ProfileMatch match(const Tree &tree) const {
    return matchProfile(tree, outermostUses(tree), {profile, "p"});
  }
};

} // namespace

TEST(ProfileMatch, KnowsHowLongAllExecutionsTake) {
  Nest nest;
  const Tree tree = nest.tree(500);
  const std::vector<OutermostUse> uses = outermostUses(tree);
  EXPECT_NEAR(uses[nest.outer].seconds, 3 * 3e-6, 1e-12);
  EXPECT_EQ(uses[nest.outer].executions, 3);
  EXPECT_EQ(uses[nest.inner].executions, 0);
  EXPECT_NEAR(nest.match(tree).known.at(0).serialNs, 9000, 1e-6);
  EXPECT_TRUE(nest.match(tree).warnings.empty());
  nest.profile->sites[0].executions = 6; // of which the tree has a half
  EXPECT_NEAR(nest.match(tree).known.at(0).serialNs, 18000, 1e-6);
  EXPECT_EQ(nest.match(tree).warnings.size(), 1u);
}

TEST(ProfileMatch, HasInnerSitesThatRanInsideOfOthersAndTakeTime) {
  Nest nest;
  const auto matched = [&](double ticks) {
    std::vector<std::uint32_t> sites;
    for (const InnerUse &use : nest.match(nest.tree(ticks)).inner)
      sites.push_back(use.known.site);
    return sites;
  };
  EXPECT_EQ(matched(500), std::vector{nest.inner}); // the other one runs in none
  EXPECT_TRUE(matched(0).empty());
  nest.profile->inner[1].executions = 0;
  EXPECT_TRUE(matched(500).empty());
}

TEST(ProfileMatch, NamesASiteOnce) {
  Nest nest;
  const NodeId loop = nest.make.section(nest.inner, {{nest.make.work(500), 1}});
  const NodeId around = nest.make.section(nest.outer, {{nest.make.task({{loop, 1}}), 3}});
  const Tree &tree = nest.make.root({{around, 1}, {loop, 2}});
  memmodel::SiteUse &use = nest.profile->sites.emplace_back(nest.profile->inner[1]);
  use.executions = 4; // alone; and five in all
  nest.profile->sites[0].executions = 1;
  const ProfileMatch match = nest.match(tree);
  ASSERT_EQ(match.warnings.size(), 1u);
  EXPECT_EQ(
      match.warnings[0],
      "p: ran 'site1' (:0) another number of times than the tree's run, or with other numbers "
      "of iterations; use the same input for both");
}

TEST(ProfileMatch, HasNoWarningsOfAnotherProgram) {
  Nest nest;
  nest.profile->sites[0].name = "another";
  nest.profile->inner.clear();
  const ProfileMatch match = nest.match(nest.tree(500));
  EXPECT_TRUE(match.known.empty());
  EXPECT_TRUE(match.warnings.empty());
}
