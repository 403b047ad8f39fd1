//===- MessCurvesTest.cpp - Curves that others have measured --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/MessCurves.h"

#include <gtest/gtest.h>

using namespace prophet::memmodel;

namespace {

std::string messProblem(const std::string &text, const std::string &file) {
  std::string problem;
  EXPECT_FALSE(readMess(text, file, 1, problem));
  return problem;
}

} // namespace

TEST(MessCurves, areReadFromEachOfTheirForms) {
  std::string problem;
  const auto csv = readMess("type,rd_percentage,pause,bandwidth_mean,bandwidth_std,latency_mean\n"
                            "DDR4,100,0,90.5,1,250\nDDR4,50,0,70,1,300\n\n",
                            "x.csv", 0.5, problem);
  ASSERT_TRUE(csv) << problem;
  EXPECT_EQ((*csv)[0].readShare, 0.5);
  EXPECT_EQ((*csv)[1].points[0], (CurvePoint{90.5, 125}));
  const auto json = readMess(R"({"100": [[90.5, 125]]})", "x", 1, problem);
  ASSERT_TRUE(json) << problem;
  EXPECT_EQ((*json)[0].points, (*csv)[1].points);
  const auto text = readMess("90500 125\n-4.6 65\n", "skylake/bwlat_60.txt", 1, problem);
  ASSERT_TRUE(text) << problem;
  EXPECT_EQ((*text)[0].readShare, 0.6);
  EXPECT_EQ((*text)[0].points, (*csv)[1].points);
}

TEST(MessCurves, areReadAsOthersWriteThem) {
  std::string problem;
  const auto csv = readMess("read_pct_rounded,bandwidth_mean,latency_mean\r\n100,90.5,125\r\n",
                            "x.csv", 1, problem);
  ASSERT_TRUE(csv) << problem;
  EXPECT_EQ((*csv)[0].points, (std::vector<CurvePoint>{{90.5, 125}}));
  const auto text = readMess("90500 125\n", "sky_lake.2/bwlat_60.txt", 1, problem);
  ASSERT_TRUE(text) << problem;
  EXPECT_EQ((*text)[0].readShare, 0.6);
}

TEST(MessCurves, leaveOutWhatNoMemoryDoes) {
  std::string problem;
  const auto json = readMess(
      R"({"50": [[0, 70]], "100": [[1, 80], [2, 0], [3, -1], [2e6, 90], [4, 2e6], [5, 100]]})", "x",
      1, problem);
  ASSERT_TRUE(json) << problem;
  ASSERT_EQ(json->size(), 1u); // of the other one nothing is left
  EXPECT_EQ((*json)[0].readShare, 1);
  EXPECT_EQ((*json)[0].points, (std::vector<CurvePoint>{{1, 80}, {5, 100}}));
}

TEST(MessCurves, otherFilesAreRefused) {
  EXPECT_NE(messProblem("hello", "x.txt").find("is no file of the Mess benchmark"),
            std::string::npos);
  EXPECT_NE(messProblem("a,b\n1,2\n", "x.csv").find("is no file of the Mess"), std::string::npos);
  EXPECT_NE(messProblem("", "bwlat_60.txt").find("is no file of the Mess"), std::string::npos);
  EXPECT_EQ(messProblem("90500 125\nx\n", "bwlat_60.txt"),
            "line 2 has no bandwidth and latency; remove it");
  const std::string columns = "rd_percentage,bandwidth_mean,latency_mean\n";
  for (const char *row : {"100,90.5\n", "100,90.5,x\n", "100,90.5ns,125\n"})
    EXPECT_EQ(messProblem(columns + "100,80,120\n" + row, "x.csv"),
              "line 3 has no bandwidth and latency; remove it");
  for (const char *json : {R"({"100": [[90, 125]], "a": [[90, 125]]})",
                           R"({"100": [[90, 125]], "50": 7})", R"({"100": [[90, 125], [90]]})"})
    EXPECT_NE(messProblem(json, "x.json").find("is no file of the Mess"), std::string::npos);
  for (const char *file : {"bwlat_600.txt", "bwlat_-5.txt"})
    EXPECT_EQ(messProblem("90500 125\n", file), "has a read percentage that is none; correct it");
}
