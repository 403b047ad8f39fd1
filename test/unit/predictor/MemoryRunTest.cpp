//===- MemoryRunTest.cpp - The run that measures memory -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/MemoryRun.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace prophet;

namespace {

class MemoryRuns : public testing::Test {
protected:
  const std::string profile = testing::TempDir() + "100%.prophet-memory.json";
  MemoryRuns() { std::remove(profile.c_str()); }
  ~MemoryRuns() override { std::remove(profile.c_str()); }

  static std::string problem(const std::string &build) {
    const auto made = MemoryRun::build(build, "./app");
    return made ? "" : made.error().message;
  }
};

/// Makes a program that writes to its profile how it was called.
const char *const telling = R"(printf '#!/bin/sh\necho "$0 $1 $PROPHET_MEMORY_OUT"' > {}; )"
                            R"(echo ' > "%s"' | sed "s;%s;$OUT;" >> {}; chmod +x {})";

} // namespace

TEST_F(MemoryRuns, MakeAProgramOfTheSameNameAndRunItAsTheOther) {
  ASSERT_EQ(::setenv("OUT", profile.c_str(), 1), 0);
  const auto made = MemoryRun::build(telling, "some/where/it's an app");
  ::unsetenv("OUT");
  ASSERT_TRUE(made) << made.error().message;
  const auto end = made->run({"./app", "3"}, profile);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_FALSE(end->failed());
  std::stringstream text;
  text << std::ifstream(profile).rdbuf();
  std::string pattern = profile; // in which % stands for itself
  pattern.replace(pattern.find('%'), 1, "%%");
  EXPECT_TRUE(text.str().starts_with("/")) << text.str();
  EXPECT_TRUE(text.str().ends_with("/it's an app 3 " + pattern + "\n")) << text.str();
}

TEST_F(MemoryRuns, NeedAProgramAndAProfile) {
  EXPECT_EQ(problem("cp /bin/true {}; false"),
            "--memory-build 'cp /bin/true {}; false' exited with status 1; see that it builds the "
            "program as {}");
  EXPECT_EQ(problem("touch {}"),
            "--memory-build 'touch {}' made no program; see that it builds the program as {}");
  EXPECT_TRUE(problem("cp /bin/true it").starts_with("--memory-build 'cp /bin/true it' has no {}"));
  std::ofstream(profile) << "of another run";
  const auto made = MemoryRun::build("cp /bin/true {}", "./app");
  ASSERT_TRUE(made);
  const auto end = made->run({"./app"}, profile);
  ASSERT_FALSE(end);
  EXPECT_EQ(
      end.error().message,
      "./app: the build for memory exited with status 0 and wrote no memory profile; see what "
      "it says above, or have --memory-build compile with -fplugin-arg-prophet-memory");
}
