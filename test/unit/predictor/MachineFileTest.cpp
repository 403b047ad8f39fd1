//===- MachineFileTest.cpp - The machine file, written and read ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MachineFile.h"
#include "predictor/emulator/Overheads.h"
#include "predictor/verbs/PredictOptions.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace prophet;

namespace {

const char *const all = R"({"runtime": "libomp", "foreign_cores": 0, "waited_share": 0, "figures": {
  "fork": {"1": 60, "2": 500}, "join": {"1": 5, "2": 6},
  "lock_handoff": {"1": 20, "2": 21},
  "static.start": {"1": 1, "2": 2}, "static_chunk.start": {"1": 3, "2": 3},
  "static_chunk.chunk": {"1": 4, "2": 4}, "dynamic_queue.start": {"1": 5, "2": 5},
  "dynamic_queue.chunk": {"1": 6, "2": 6.25}, "dynamic_steal.start": {"1": 7, "2": 7},
  "dynamic_steal.chunk": {"1": 8, "2": 8}, "dynamic_steal.restart": {"2": 450},
  "tasks.create": {"1": 9, "2": 9},
  "tasks.steal": {"1": 9, "2": 9}, "tasks.wait": {"1": 9, "2": 9},
  "lock_pair": {"1": 11}, "serialized_region": {"1": 12}}})";

RuntimeRounds threeRounds() {
  RuntimeRounds measured{"libomp", {}, {}};
  for (int i = 0; i < 3; ++i) {
    measured.active.add(*parseRound(all, "p"));
    measured.passive.add(*parseRound(all, "p"));
  }
  return measured;
}

std::string machineText(const std::string &old = "") {
  return renderMachine({"A processor", 2}, {threeRounds()}, old);
}

TEST(RuntimeRounds, HaveEachFigureUnderItsTeam) {
  const std::string text = describeRounds(threeRounds());
  const auto column = [&](const std::string &row, const std::string &figure) {
    const std::size_t begin = text.find("\n  " + row);
    return text.find(figure + " ", begin) + figure.size() - begin;
  };
  EXPECT_EQ(column("dynamic_steal.restart", "450"), column("threads", "2"));
  EXPECT_EQ(column("lock_pair", "11"), column("threads", "1"));
}

class MachineFile : public testing::Test {
protected:
  const std::string path = testing::TempDir() + "machine.json";
  ~MachineFile() override { std::remove(path.c_str()); }

  std::string problem(const std::string &text) {
    std::ofstream(path) << text;
    auto table = readMachineOverheads(path, OmpRuntime::Libomp);
    return table ? "" : table.error().message;
  }
  static std::string with(const std::string &from, const std::string &to) {
    std::string text = machineText();
    return text.replace(text.find(from), from.size(), to);
  }
};

TEST_F(MachineFile, IsReadAsItWasWritten) {
  std::ofstream(path) << machineText();
  auto table = readMachineOverheads(path, OmpRuntime::Libomp);
  ASSERT_TRUE(table);
  ASSERT_TRUE(*table);
  EXPECT_EQ((*table)->active.fork.at(2), 500);
  EXPECT_EQ((*table)->active.fork.at(4), 630); // a tree
  EXPECT_EQ((*table)->staticBlock.start.at(2), 2);
  EXPECT_EQ((*table)->staticBlock.chunk.at(2), 0);
  EXPECT_EQ((*table)->queue.chunk.at(2), 6.3); // tenths
  EXPECT_EQ((*table)->steal.restart.at(2), 450);
  EXPECT_EQ((*table)->lockPair, 11);
  EXPECT_EQ((*table)->measured(), 2u);
  EXPECT_FALSE((*table)->disturbed);
  EXPECT_FALSE(*readMachineOverheads(path, OmpRuntime::Libgomp)); // was not measured
}

TEST_F(MachineFile, SaysWhatWasDisturbed) {
  std::string text = machineText();
  const std::string no = "\"disturbed\": false";
  text.replace(text.find(no), no.size(), "\"disturbed\": true");
  std::ofstream(path) << text;
  EXPECT_TRUE((*readMachineOverheads(path, OmpRuntime::Libomp))->disturbed);
}

TEST_F(MachineFile, HasPartsOfThisMachineThatNothingDisturbed) {
  const MachineIdentity machine{"A processor", 2};
  using Parts = std::set<std::string>;
  EXPECT_EQ(undisturbedParts(machine, ""), Parts{});
  EXPECT_EQ(undisturbedParts(machine, machineText()), Parts{"libomp"});
  EXPECT_EQ(undisturbedParts({"A processor", 4}, machineText()), Parts{});
  EXPECT_EQ(undisturbedParts({"Another", 2}, machineText()), Parts{});
  const auto withMemory = [](const std::string &memory) {
    return machineText(R"({"format": "prophet-machine", "version": 1, "memory": )" + memory + "}");
  };
  EXPECT_EQ(undisturbedParts(machine, withMemory(R"({"quality": {"disturbed": false}})")),
            (Parts{"libomp", "memory"}));
  EXPECT_EQ(undisturbedParts(machine, withMemory(R"({"quality": {"disturbed": true}})")),
            Parts{"libomp"});
  EXPECT_EQ(undisturbedParts(machine, withMemory(R"({"quality": 1})")), Parts{"libomp"});
  EXPECT_EQ(undisturbedParts(machine, withMemory("[]")), Parts{"libomp"});
}

TEST_F(MachineFile, KeepsTablesOfWhatWasNotMeasured) {
  const std::string text = machineText(R"({"format": "prophet-machine", "version": 1,
      "overheads": {"libgomp": {"lock_pair": 17}}})");
  EXPECT_NE(text.find("\"lock_pair\": 17"), text.npos);
}

TEST_F(MachineFile, KeepsNoFiguresOfAnotherMachine) {
  for (const char *other : {R"("cores": 9)", R"("name": "Another")"}) {
    const std::string text = machineText(std::string(R"({"format": "prophet-machine", "version": 1,
        "mine": 4, "memory": [3], "caches": [5], "overheads": {"libgomp": {"lock_pair": 17}}, )") +
                                         other + "}");
    EXPECT_NE(text.find("\"mine\": 4"), text.npos);
    for (const char *gone : {"memory", "caches", "libgomp"})
      EXPECT_EQ(text.find(gone), text.npos) << gone;
  }
}

TEST_F(MachineFile, KeepsWhatElseIsInIt) {
  const std::string old =
      R"({"format": "prophet-machine", "version": 1, "mine": 4, "memory": [3]})";
  EXPECT_TRUE(checkMachineText(old));
  const std::string text = machineText(old);
  EXPECT_NE(text.find("\"memory\""), text.npos);
  EXPECT_NE(text.find("\"mine\": 4"), text.npos);
  EXPECT_NE(text.find("\"cores\": 2"), text.npos);
  EXPECT_EQ(text.find("base_slice"), text.npos);
  EXPECT_NE(machineText(R"({"format": "prophet-machine", "version": 1,
                            "overheads": {"libomp": {"base_slice": 3000000}}})")
                .find("\"base_slice\": 3000000"),
            text.npos);
  EXPECT_TRUE(checkMachineText(""));
  EXPECT_FALSE(checkMachineText("{}"));
  EXPECT_FALSE(checkMachineText("text"));
}

TEST_F(MachineFile, ThatIsWrongIsRefusedInOneLine) {
  const auto says = [&](const std::string &text, const std::string &part) {
    const std::string message = problem(text);
    return message.find(part) != message.npos && message.find('\n') == message.npos &&
           message.find("prophet calibrate") != message.npos;
  };
  EXPECT_TRUE(says("", "is no machine file"));
  EXPECT_TRUE(says("[1]", "is no machine file"));
  EXPECT_TRUE(says(with("\"version\": 1", "\"version\": 2"), "not version 1"));
  EXPECT_TRUE(says(R"({"format": "prophet-machine", "version": 1, "overheads": 3})",
                   "\"overheads\" is no object"));
  EXPECT_TRUE(says(R"({"format": "prophet-machine", "version": 1, "overheads": {"libomp": 3}})",
                   "overheads.libomp: \"active\""));
  EXPECT_TRUE(says(with("\"fork\"", "\"spoon\""), "\"active.fork\""));
  EXPECT_TRUE(says(with("\"2\": 500", "\"2\": -500"), "\"active.fork\""));
  EXPECT_TRUE(says(with("\"lock_pair\": 11", "\"lock_pair\": \"11\""), "\"lock_pair\""));
  EXPECT_NE(readMachineOverheads("/nonexistent", OmpRuntime::Libomp).error().message.find("cannot"),
            std::string::npos);
}

TEST_F(MachineFile, OfThisUserIsUsedUnlessAnotherIsNamed) {
  std::ofstream(path) << machineText();
  PredictWords words;
  EXPECT_EQ(words.resolve(2)->overheadsSource, "built-in");
  EXPECT_EQ(words.resolve(2, "/nonexistent")->overheadsSource, "built-in");
  EXPECT_EQ(words.resolve(2, path)->overheadsSource, path);
  EXPECT_EQ(words.resolve(2, path)->base.overheads.lockPair, 11);
  words.machine = "none";
  EXPECT_EQ(words.resolve(2, path)->overheadsSource, "built-in");
  words.machine = path;
  EXPECT_EQ(words.resolve(2)->base.overheads.lockPair, 11);
  words.runtime = "libgomp"; // the file has none of it
  EXPECT_FALSE(words.resolve(2));
  words.machine = "";
  EXPECT_EQ(words.resolve(2, path)->overheadsSource, "built-in");
  words.overheads = "none";
  EXPECT_EQ(words.resolve(2, path)->overheadsSource, "none");
}

} // namespace
