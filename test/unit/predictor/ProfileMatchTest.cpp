//===- ProfileMatchTest.cpp - Whose sites a memory profile has ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ProfileMatch.h"

#include "emulatorTrees.h"

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
