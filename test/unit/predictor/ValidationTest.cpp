//===- ValidationTest.cpp - Predicted beside measured ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/validation/ValidationText.h"

#include "emulatorTrees.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr std::string_view Regions = "prophet-regions 1\n"
                                     "1139 200 153000000 /home/me/my app\n"
                                     "11ef 3 2000000000 /usr/lib/libx.so.1\n"
                                     "end\n";

TEST(RegionTimes, HaveAddressCountTimeAndFile) {
  const auto regions = parseRegionTimes(Regions);
  ASSERT_TRUE(regions);
  ASSERT_EQ(regions->size(), 2u);
  EXPECT_EQ((*regions)[0].address, 0x1139u);
  EXPECT_EQ((*regions)[0].regions, 200);
  EXPECT_DOUBLE_EQ((*regions)[0].seconds, 0.153);
  EXPECT_EQ((*regions)[0].object, "/home/me/my app");
  EXPECT_EQ(symbolQuestion(*regions),
            "\"/home/me/my app\" 0x1138\n\"/usr/lib/libx.so.1\" 0x11ee\n");
}

TEST(RegionTimes, NoPartOfAFileIsTakenForAWholeOne) {
  for (std::size_t length = 0; length + 1 < Regions.size(); ++length)
    EXPECT_FALSE(parseRegionTimes(Regions.substr(0, length))) << length;
}

TEST(RegionTimes, DamagedFilesAreRefusedOrRead) {
  for (std::size_t at = 0; at < Regions.size(); ++at)
    for (char c : {'\0', ' ', '\n', '-', '9', 'z', '\xff'}) {
      std::string text(Regions);
      text[at] = c;
      const auto regions = parseRegionTimes(text);
      for (const RegionTime &region : regions ? *regions : std::vector<RegionTime>()) {
        EXPECT_FALSE(region.object.empty());
      }
    }
}

TEST(RegionTimes, SayWhenThereWereTooManyPlaces) {
  const auto regions = parseRegionTimes("prophet-regions 1\nlost 5\nend\n");
  ASSERT_FALSE(regions);
  EXPECT_EQ(regions.error().message, "the program has regions in too many places");
}

TEST(CodeLines, AreTheInnermostFunctions) {
  const std::vector<RegionTime> regions = {{"app", 16, 1, 1}, {"app", 32, 1, 1}, {"app", 48, 1, 1}};
  const CodeLines lines = parseSymbols(
      regions, "{\"Symbol\":[{\"FileName\":\"/a/t.c\",\"Line\":5},{\"FileName\":\"/a/t.c\","
               "\"Line\":12}]}\nno json\n{\"Symbol\":[{\"FileName\":\"\",\"Line\":0}]}\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines.at({"app", 16}), (CodeLine{"/a/t.c", 5}));
}

/// A tree of two loops of 100 ticks each, at lines 7 and 9 of t.c, and 100 ticks outside.
const Tree &twoLoops(TreeMaker &make) {
  std::vector<Child> children = {{make.u(100), 1}};
  for (unsigned line : {7u, 9u}) {
    const auto site = make.site();
    make.tree.sites[site].file = "t.c";
    make.tree.sites[site].line = line;
    make.tree.sites[site].name = "t.c:" + std::to_string(line);
    children.push_back({make.section(site, {{make.work(50), 2}}), 1});
  }
  return make.root(children);
}

TEST(SitesTimes, AreThoseOfTheRegionsAtTheirLines) {
  TreeMaker make;
  const Tree &tree = twoLoops(make);
  const std::vector<RegionTime> regions = {{"app", 1, 2, 3}, {"app", 2, 1, 5}, {"app", 3, 1, 1}};
  const CodeLines lines = {
      {{"app", 1}, {"/x/t.c", 7}}, {{"app", 2}, {"/x/t.c", 7}}, {{"app", 3}, {"/x/u.c", 9}}};
  const auto times = timesOfSites(tree, regions, lines, 0);
  ASSERT_TRUE(times[0]); // two copies of one loop, inlined or of a template
  EXPECT_EQ(times[0]->regions, 3);
  EXPECT_EQ(times[0]->seconds, 8);
  EXPECT_FALSE(times[1]); // another file's line 9
}

TEST(SitesTimes, AreThoseOfAPragmaBesideTheAnnotation) {
  TreeMaker make;
  const Tree &tree = twoLoops(make); // lines 7 and 9
  const auto at = [&](unsigned line, unsigned beside) {
    const auto times =
        timesOfSites(tree, {{"app", 1, 2, 3}}, {{{"app", 1}, {"t.c", line}}}, beside);
    return times[0] ? 7 : times[1] ? 9 : 0;
  };
  EXPECT_EQ(at(7, 0), 7);
  EXPECT_EQ(at(6, 0), 0); // a region with two loops in it, say
  EXPECT_EQ(at(6, 1), 7);
  EXPECT_EQ(at(8, 1), 0); // beside both
  EXPECT_EQ(at(10, 1), 9);
  EXPECT_EQ(at(11, 1), 0);
}

/// A round in which everything takes `slow` times as long: 3 s serial, 1 s in each loop; of the
/// OpenMP program the first loop takes 1.5 times as long as the serial one's.
ValidationRound round(double slow) {
  ValidationRound result;
  result.serialSeconds = 3 * slow;
  result.serialSites = {{1, slow}, {1, slow}};
  result.oneThread = {3.6 * slow, {SiteTime{1, 1.5 * slow}, SiteTime{1, slow}}};
  result.runs = {{2.5 * slow, {SiteTime{1, 0.8 * slow}, SiteTime{1, 0.5 * slow}}}};
  return result;
}

/// The two loops as predicted for `threads` threads without overheads.
PredictionPoint predicted(const Tree &tree, unsigned threads) {
  PredictionPoint point;
  point.threads = point.cores = threads;
  EmulationOptions options;
  options.threads = threads;
  point.estimate = emulate(tree, options);
  return point;
}

TEST(Validations, CompareRoundByRound) {
  TreeMaker make;
  const Tree &tree = twoLoops(make);
  const Validation validation = validate(tree, predicted(tree, 1).estimate, {predicted(tree, 2)},
                                         {round(1), round(1.7), round(0.9)});
  // 300 ticks become 200; 3 s became 2.5 s.
  EXPECT_DOUBLE_EQ(validation.points[0].predicted.estimate.speedup, 1.5);
  EXPECT_DOUBLE_EQ(validation.points[0].speedup.median, 1.2);
  EXPECT_NEAR(validation.points[0].speedup.low, 1.2, 1e-12); // the machine's speed cancels out
  EXPECT_NEAR(validation.points[0].error(), 0.25, 1e-12);
  EXPECT_NEAR(validation.meanError(), 0.25, 1e-12);
  EXPECT_NEAR(validation.oneThreadSpeedup.median, 3 / 3.6, 1e-12);
  EXPECT_NEAR(validation.sites[0].oneThread->median, 1.5, 1e-12);
  EXPECT_NEAR(validation.sites[1].oneThread->median, 1, 1e-12);
  EXPECT_NEAR(validation.points[0].sites[0]->median, 1 / 0.8, 1e-12);
  // 2.5 - 1.3 s outside beside 3 - 2 s, and that by 1, 1.7 and 0.9.
  EXPECT_NEAR(validation.outsideSeconds->median, 0.2, 1e-12);
  EXPECT_NEAR(validation.outsideSeconds->high, 0.34, 1e-12);
}

TEST(Validations, KnowNothingOfASiteThatRanAnotherNumberOfTimes) {
  TreeMaker make;
  const Tree &tree = twoLoops(make);
  ValidationRound other = round(1);
  other.oneThread.sites[0]->regions = 4;
  other.oneThread.sites[1].reset();
  const Validation validation = validate(tree, predicted(tree, 1).estimate, {}, {round(1), other});
  EXPECT_FALSE(validation.sites[0].oneThread);
  EXPECT_EQ(validation.sites[0].why, "its rounds ran it another number of times");
  const Validation first = validate(tree, predicted(tree, 1).estimate, {}, {other});
  EXPECT_EQ(first.sites[0].why, "the OpenMP program opened 4 regions there, the serial one 1");
  EXPECT_EQ(first.sites[1].why, "no parallel region of the OpenMP program was opened at its line");
}

TEST(Validations, KnowNoRatioThatNoCompilerMakes) {
  TreeMaker make;
  const Tree &tree = twoLoops(make);
  ValidationRound strange = round(1);
  strange.oneThread.sites[0]->seconds = 2000;
  const Validation validation = validate(tree, predicted(tree, 1).estimate, {}, {strange});
  EXPECT_FALSE(validation.sites[0].oneThread);
  EXPECT_NE(validation.sites[0].why.find("a thousand times"), std::string::npos);
}

TEST(Validations, AreJsonAndATable) {
  TreeMaker make;
  const Tree &tree = twoLoops(make);
  Validation validation = validate(tree, predicted(tree, 1).estimate, {predicted(tree, 2)},
                                   {round(1), round(1), round(1), round(1), round(1)});
  validation.source = "t.c";
  validation.warnings = {"a \"quoted\" one"};
  const auto json = nlohmann::json::parse(renderValidationJson(tree, validation, nullptr));
  EXPECT_EQ(json["format"], "prophet-validation");
  EXPECT_EQ(json["version"], 1);
  EXPECT_DOUBLE_EQ(json["sites"][0]["one_thread"]["ratio"], 1.5);
  EXPECT_EQ(json["sites"][0]["line"], 7);
  EXPECT_DOUBLE_EQ(json["estimates"][0]["predicted"], 1.5);
  EXPECT_DOUBLE_EQ(json["estimates"][0]["measured"]["speedup"], 1.2);
  EXPECT_EQ(json["warnings"][0], "a \"quoted\" one");
  Validation few = validation;
  few.rounds = 4;
  EXPECT_TRUE(
      nlohmann::json::parse(renderValidationJson(tree, few, nullptr))["sites"][0]["one_thread"]
          .is_null());
  const auto both = nlohmann::json::parse(renderValidationJson(tree, validation, &validation));
  EXPECT_DOUBLE_EQ(both["estimates"][0]["predicted_with_ratios"], 1.5);
  const std::string table = renderValidationTable(tree, validation, nullptr, Style(false));
  EXPECT_NE(table.find("1.50x    1.20x (1.20x to 1.20x)     +25.0 %"), table.npos) << table;
  EXPECT_NE(table.find("t.c:7  t.c:7: 1.500 times as long"), table.npos) << table;
  EXPECT_NE(table.find("200.0 ms longer"), table.npos) << table;
}

} // namespace
