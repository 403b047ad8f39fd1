//===- BodyRatiosTest.cpp - Whose loop bodies a validation file knows ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/BodyRatios.h"

#include "emulatorTrees.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// Sites "a" of line 3, "b" of line 7, and "c" of line 5 inside "b".
Tree treeOfThree() {
  TreeMaker make;
  const auto a = make.site(), b = make.site(), c = make.site();
  for (const auto &[site, name, line] : {std::tuple(a, "a", 3), {b, "b", 7}, {c, "c", 5}}) {
    make.tree.sites[site].name = name;
    make.tree.sites[site].file = "app.c";
    make.tree.sites[site].line = static_cast<std::uint32_t>(line);
  }
  const NodeId inner = make.task({{make.section(c, {{make.work(1), 2}}), 1}});
  return make.root(
      {{make.section(a, {{make.work(10), 2}}), 1}, {make.section(b, {{inner, 2}}), 1}});
}

std::string site(const char *name, int line, const char *oneThread) {
  return fmt::format(R"({{"name": "{}", "kind": "parallel_for", "file": "/src/app.c", "line": {},
      "one_thread": {}}})",
                     name, line, oneThread);
}

const std::string a = site("a", 3, R"({"ratio": 1.5, "low": 1.4, "high": 1.6})"),
                  b = site("b", 7, R"({"ratio": 0.8, "low": 0.7, "high": 0.9})"),
                  noise = site("b", 7, R"({"ratio": 1.1, "low": 0.9, "high": 1.2})"),
                  unknown = site("b", 7, "null");

/// A validation file of these sites.
class Validation {
public:
  Validation(const std::string &sites) : path(testing::TempDir() + "body-ratios.json") {
    std::ofstream(path) << R"({"format": "prophet-validation", "version": 1, "sites": [)" << sites
                        << "]}";
  }
  ~Validation() { std::remove(path.c_str()); }

  Result<BodyRatios> chosen(Paradigm paradigm = Paradigm::OpenMP) const {
    PredictRequest request;
    request.validation = path;
    request.base.paradigm = paradigm;
    return chooseBodyRatios(treeOfThree(), "app.prophet.json", request);
  }

private:
  std::string path;
};

using Ratios = std::vector<double>;

TEST(BodyRatios, AreThoseOfTheSamePlaces) {
  const auto ratios = Validation(b + ", " + a).chosen();
  ASSERT_TRUE(ratios) << ratios.error().message;
  EXPECT_EQ(ratios->bySite, (Ratios{1.5, 0.8, 1}));
  EXPECT_TRUE(ratios->warnings.empty()) << "c is only inside b";
  EXPECT_EQ(Validation(a + ", " + noise).chosen()->bySite, (Ratios{1.5, 1, 1}));
  EXPECT_EQ(Validation(a + ", " + unknown).chosen()->bySite, (Ratios{1.5, 1, 1}));
}

TEST(BodyRatios, AreNoneWhereAllAreOne) {
  const auto ratios = Validation(site("a", 3, "null") + ", " + noise).chosen();
  EXPECT_EQ(ratios->bySite, Ratios{});
  EXPECT_NE(ratios->path, "") << "the file was used";
}

TEST(BodyRatios, SayWhatTheFileLacks) {
  const auto ratios = Validation(a + ", " + site("b", 8, "null")).chosen();
  ASSERT_EQ(ratios->warnings.size(), 1u);
  EXPECT_NE(ratios->warnings[0].find("has nothing of 'b' (app.c:7), whose loop body"),
            std::string::npos);
  const auto error = Validation(site("a", 4, "null")).chosen();
  ASSERT_FALSE(error);
  EXPECT_NE(error.error().message.find("has no site of this program"), std::string::npos);
}

TEST(BodyRatios, AreOfOpenMP) {
  EXPECT_EQ(Validation(a + ", " + b).chosen(Paradigm::Tasks)->bySite, (Ratios{1.5, 0.8, 1}));
  EXPECT_EQ(Validation(a + ", " + b).chosen(Paradigm::Tbb)->bySite, Ratios{});
  EXPECT_TRUE(checkValidation("a.json", Paradigm::Cilk));
  EXPECT_FALSE(checkValidation("none", Paradigm::Cilk));
}

} // namespace
