//===- ValidationFileTest.cpp - Reading what an OpenMP build did ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/validation/ValidationFile.h"

#include "mutator.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// A file with one site, whose "one_thread" is `oneThread`.
std::string fileWith(const std::string &oneThread) {
  return R"({"format": "prophet-validation", "version": 1, "source": "collatz.c", "new": [{}],
 "sites": [{"name": "blocks", "kind": "parallel_for", "file": "collatz.c", "line": 13,
   "threads": [2], "one_thread": )" +
         oneThread + "}]}";
}

std::string problemOf(const std::string &text) {
  const auto file = parseValidation(text);
  return file ? "" : file.error().message;
}

TEST(ValidationFile, HasWhatWasMeasuredOfASite) {
  const auto file = parseValidation(fileWith(R"({"ratio": 1.53, "low": 1.5, "high": 1.55})"));
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->sites.size(), 1u);
  const ValidatedSite &site = file->sites[0];
  EXPECT_EQ(site.name, "blocks");
  EXPECT_EQ(site.kind, "parallel_for");
  EXPECT_EQ(site.file, "collatz.c");
  EXPECT_EQ(site.line, 13u);
  ASSERT_TRUE(site.oneThread);
  EXPECT_EQ(site.oneThread->ratio, 1.53);
  EXPECT_EQ(site.oneThread->used(), 1.53);
}

TEST(ValidationFile, NeedNotHaveARatio) {
  EXPECT_FALSE(parseValidation(fileWith("null"))->sites[0].oneThread);
  std::string text = fileWith("null");
  text.erase(text.find(", \"one_thread\": null"), 20);
  ASSERT_EQ(problemOf(text), "");
  EXPECT_FALSE(parseValidation(text)->sites[0].oneThread);
}

TEST(ValidationFile, ARatioThatMayBeOneIsOne) {
  EXPECT_EQ((OneThreadRatio{1.2, 0.9, 1.5}.used()), 1);
  EXPECT_EQ((OneThreadRatio{1.2, 1, 1.5}.used()), 1);
  EXPECT_EQ((OneThreadRatio{0.9, 0.8, 1}.used()), 1);
  EXPECT_EQ((OneThreadRatio{1.2, 1.1, 1.5}.used()), 1.2);
  EXPECT_EQ((OneThreadRatio{0.9, 0.8, 0.95}.used()), 0.9);
}

TEST(ValidationFile, SaysWhatIsWrong) {
  const auto ratio = [](const char *value) {
    return problemOf(
        fileWith(R"({"low": 1e-9, "high": 1000, "ratio": )" + std::string(value) + "}"));
  };
  EXPECT_EQ(ratio("2"), "");
  for (const char *bad : {"0", "-1", "1001", "1e300", "null", "\"2\"", "[2]", "true"})
    EXPECT_EQ(ratio(bad), "sites[0].one_thread.ratio is missing, or no number above 0 up to 1000")
        << bad;
  for (const char *noJson : {"1e999", "NaN", "Infinity", "2,"})
    EXPECT_EQ(ratio(noJson), "is not JSON, or cut off") << noJson;
  EXPECT_EQ(problemOf(fileWith("{}")),
            "sites[0].one_thread.ratio is missing, or no number above 0 up to 1000");
  EXPECT_EQ(problemOf(fileWith(R"({"ratio": 2, "low": 2.1, "high": 3})")),
            "sites[0].one_thread.ratio does not lie between low and high");
  EXPECT_EQ(problemOf(fileWith(R"({"ratio": 2, "low": 3, "high": 1})")),
            "sites[0].one_thread.ratio does not lie between low and high");
  EXPECT_EQ(problemOf(fileWith("1.5")), "sites[0].one_thread is no object");
  for (const auto &[text, problem] :
       {std::pair("", "is not JSON, or cut off"),
        {"[]", "is no validation file"},
        {R"({"format": "prophet-machine"})", "is no validation file"},
        {R"({"format": "prophet-validation", "version": 2})",
         "is not version 1 of the validation file"},
        {R"({"format": "prophet-validation", "version": 1})", "\"sites\" is missing, or no array"},
        {R"({"format": "prophet-validation", "version": 1, "sites": [3]})",
         "sites[0] is no object"},
        {R"({"format": "prophet-validation", "version": 1, "sites": [{"name": 3}]})",
         "sites[0].name is missing, or no text"},
        {R"({"format": "prophet-validation", "version": 1,
             "sites": [{"name": "a", "kind": "b", "file": "c", "line": -1}]})",
         "sites[0].line is missing, or no line's number"}})
    EXPECT_EQ(problemOf(text), problem);
}

constexpr const char *Pieces[] = {"-1", "1e999", "null", "{}",   "[]",  "\"low\"", "1001",
                                  "0",  "\xff",  ",",    "1e-9", "}",   "]",       "\\u0000",
                                  "\"", "1e308", "true", ":",    "[[[["};

TEST(ValidationFile, DamagedOnesAreReadSoundlyOrGetOneLine) {
  const std::string whole = fileWith(R"({"ratio": 1.53, "low": 1.5, "high": 1.55})");
  Mutator mutator(2013, Pieces);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto file = parseValidation(mutator.mutate(whole));
    if (!file) {
      EXPECT_FALSE(file.error().message.empty());
      EXPECT_EQ(file.error().message.find('\n'), std::string::npos);
      continue;
    }
    ++accepted;
    for (const ValidatedSite &site : file->sites)
      if (site.oneThread) {
        EXPECT_TRUE(std::isfinite(site.oneThread->used()));
        EXPECT_TRUE(site.oneThread->used() > 0 && site.oneThread->used() <= 1e3);
      }
  }
  EXPECT_GT(accepted, 100);
}

} // namespace
