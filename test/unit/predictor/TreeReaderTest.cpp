//===- TreeReaderTest.cpp - What the reader accepts and how it says no --===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/TreeReader.h"

#include <gtest/gtest.h>
#include <string>

using namespace prophet;

static Result<Tree> parse(const std::string &text) {
  ByteSource source(text);
  return parseTree(source, "t");
}

/// A file with the usual head and `rest`.
static std::string file(const std::string &rest) {
  return R"({"format": "prophet-program-tree", "version": 1, "timebase_hz": 1e9, )" + rest + "}";
}

static std::string errorOf(const std::string &text) {
  auto tree = parse(text);
  return tree ? "no error" : tree.error().message;
}

TEST(TreeReader, readsTheFormatsExample) {
  auto tree = readTree(PROPHET_TEST_INPUTS "/mandel.json");
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->nodes.size(), 5u);
  EXPECT_EQ(tree->root, 4u);
  EXPECT_EQ(tree->tolerance, 0.05);
  EXPECT_EQ(tree->command, (std::vector<std::string>{"./mandel", "512"}));
  EXPECT_EQ(tree->sites[0].name, "rows");
  EXPECT_EQ(tree->sites[0].line, 12u);
  EXPECT_EQ(tree->locks, std::vector<std::string>{"histogram"});
  EXPECT_EQ(tree->nodes[1].kind, NodeKind::L);
  EXPECT_EQ(tree->nodes[1].length, 300);
  EXPECT_EQ(tree->childrenOf(3)[0].node, 2u);
  EXPECT_EQ(tree->childrenOf(3)[0].repeat, 1000u);
  EXPECT_EQ(tree->serialLengths()[4], 1200 + 1000 * 2700);
  EXPECT_TRUE(tree->warnings.empty());
}

TEST(TreeReader, acceptsKeysInAnyOrder) {
  auto tree = parse(R"({"root": 2, "nodes": [{"children": [], "kind": "task"},
    {"children": [[0, 3]], "site": 0, "kind": "section"}, {"children": [[1, 1]], "kind": "root"}],
    "sites": [{"kind": "parallel_for"}], "timebase_hz": 1, "version": 1,
    "format": "prophet-program-tree"})");
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->nodes[1].childCount, 1u);
  EXPECT_EQ(tree->sites[0].name, "site 0");
}

TEST(TreeReader, ignoresUnknownKeysAtAnyDepth) {
  std::string deep = std::string(200000, '[') + std::string(200000, ']');
  auto tree = parse(file(R"("future": {"root": [1, {"nodes": )" + deep + R"(}]},
    "program": {"started": "now", "more": {"command": 3}},
    "nodes": [{"kind": "root", "children": [], "note": {"kind": ["L"], "length": -1}}], "root": 0)"));
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->nodes.size(), 1u);
}

TEST(TreeReader, takesWholeNumbersWrittenWithExponent) {
  auto tree = parse(file(R"("nodes": [{"kind": "U", "length": 2},
    {"kind": "root", "children": [[0, 1e9]]}], "root": 1.0)"));
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->childrenOf(1)[0].repeat, 1000000000u);
}

TEST(TreeReader, aLockMayHoldAnotherLock) {
  auto tree = parse(file(R"("locks": ["a", "b"], "nodes": [{"kind": "U", "length": 2},
    {"kind": "L", "lock": 1, "length": 3}, {"kind": "L", "lock": 0, "children": [[0, 1], [1, 2]]},
    {"kind": "root", "children": [[2, 1]]}], "root": 3)"));
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->serialLengths()[2], 8);
}

TEST(TreeReader, aSectionOfTasksMayHoldWhatItsSpawnerRuns) {
  auto tree = parse(file(R"("nodes": [{"kind": "U", "length": 2}, {"kind": "task", "children": []},
    {"kind": "section", "site": 0, "children": [[0, 1], [1, 1]]},
    {"kind": "root", "children": [[2, 1]]}], "root": 3, "sites": [{"kind": "tasks"}])"));
  EXPECT_TRUE(tree);
}

TEST(TreeReader, readsBurdenFactors) {
  auto tree = parse(file(R"("nodes": [{"kind": "root", "children": []}], "root": 0,
    "sites": [{"kind": "parallel_for", "memory": {"source": "papi", "bytes": 12},
               "burden": {"2": 1.1, "4": 1.35}}])"));
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->sites[0].burden, (std::map<unsigned, double>{{2, 1.1}, {4, 1.35}}));
}

TEST(TreeReader, readsCounts) {
  auto tree = parse(file(R"("nodes": [{"kind": "root", "children": []}], "root": 0,
    "sites": [{"kind": "parallel_for", "memory": {"source": "papi", "executions": 2,
               "instructions": 7e9, "cycles": 5000000000, "llc_misses": 31, "miss_event": "X"}},
              {"kind": "parallel_for"}])"));
  ASSERT_TRUE(tree) << tree.error().message;
  const SiteCounts &counts = *tree->sites[0].memory;
  EXPECT_EQ(counts.source, "papi");
  EXPECT_EQ(counts.executions, 2);
  EXPECT_EQ(counts.instructions, 7e9);
  EXPECT_EQ(counts.cycles, 5e9);
  EXPECT_EQ(counts.llcMisses, 31);
  EXPECT_FALSE(tree->sites[1].memory);
}

TEST(TreeReader, warnsOfWhatTheProfileLacks) {
  auto tree = parse(file(R"("complete": false, "profiler": {"dropped_events": 3,
    "other_thread_events": 4, "sections_in_locks": 5},
    "nodes": [{"kind": "root", "children": []}], "root": 0)"));
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->warnings.size(), 5u);
  EXPECT_NE(tree->warnings[0].find("dropped 3 events"), std::string::npos);
  EXPECT_NE(tree->warnings[1].find("4 events of other threads"), std::string::npos);
  EXPECT_NE(tree->warnings[2].find("5 parallel sections ran inside"), std::string::npos);
  EXPECT_NE(tree->warnings[3].find("incomplete"), std::string::npos);
  EXPECT_NE(tree->warnings[4].find("no parallel section"), std::string::npos);
}

TEST(TreeReader, warnsOfWhatTheProgramGotWrong) {
  for (const char *key : {"recursive_locks", "misplaced_tasks", "unfinished_tasks",
                          "mismatched_ends", "abandoned_sections"}) {
    auto tree = parse(file(R"("profiler": {")" + std::string(key) +
                           R"(": 7}, "nodes": [{"kind": "U", "length": 1},
      {"kind": "root", "children": [[0, 1]]}], "root": 1)"));
    ASSERT_TRUE(tree);
    EXPECT_NE(tree->warnings[0].find("7 "), std::string::npos) << key;
  }
}

TEST(TreeReader, survivesDeepNesting) {
  std::string nodes = R"({"kind": "task", "children": []})";
  const int depth = 20000;
  for (int i = 0; i < depth; ++i)
    nodes += R"(, {"kind": "section", "site": 0, "children": [[)" + std::to_string(2 * i) +
             R"(, 1]]}, {"kind": "task", "children": [[)" + std::to_string(2 * i + 1) + ", 1]]}";
  nodes += R"(, {"kind": "section", "site": 0, "children": [[)" + std::to_string(2 * depth) +
           R"(, 1]]}, {"kind": "root", "children": [[)" + std::to_string(2 * depth + 1) + ", 1]]}";
  auto tree = parse(file(R"("sites": [{"kind": "parallel_for"}], "nodes": [)" + nodes +
                         R"(], "root": )" + std::to_string(2 * depth + 2)));
  EXPECT_TRUE(tree);
}

TEST(TreeReader, acceptsTwoToThe63ExecutedNodesAndNoMore) {
  auto withRepeat = [](const char *repeat) {
    return file(R"("nodes": [{"kind": "U", "length": 0}, {"kind": "root", "children": [[0, )" +
                std::string(repeat) + R"(]]}], "root": 1)");
  };
  EXPECT_TRUE(parse(withRepeat("9223372036854775807")));
  EXPECT_EQ(errorOf(withRepeat("9223372036854775808")),
            "t: node 1: its repeats multiply to more than 2^63 executed nodes; lower the repeats");
}

TEST(TreeReader, keepsErrorsOnOneLine) {
  EXPECT_EQ(errorOf(file(R"("nodes": [{"kind": "a\nb"}], "root": 0)")),
            "t: node 0: unknown kind \"a\\x0ab\"; write U, L, task, section or root");
}

TEST(TreeReader, refusesElementsOfTheWrongType) {
  EXPECT_EQ(errorOf(file(R"("nodes": [3])")), "t: node 0 is not an object; write {\"kind\": ...}");
  EXPECT_EQ(errorOf(file(R"("nodes": [[]])")), "t: node 0 is not an object; write {\"kind\": ...}");
  EXPECT_EQ(errorOf(file(R"("sites": [null])")),
            "t: site 0 is not an object; write {\"name\": ..., \"kind\": ...}");
  EXPECT_EQ(errorOf(file(R"("locks": [3])")), "t: lock 0 is not a string; write its name");
  EXPECT_EQ(errorOf(file(R"("locks": [["a"]])")), "t: lock 0 is not a string; write its name");
  EXPECT_EQ(errorOf(file(R"("nodes": {})")), "t: \"nodes\" is an object; write an array");
  EXPECT_EQ(errorOf(file(R"("complete": 1)")),
            "t: \"complete\" is a whole number; write true or false");
  EXPECT_EQ(errorOf(file(R"("root": -1)")),
            "t: \"root\" is not a whole number from 0; write a whole number");
}

TEST(TreeReader, refusesChildrenThatAreNoPairs) {
  auto withChild = [](const std::string &child) {
    return file(R"("nodes": [{"kind": "U", "length": 1}, {"kind": "root", "children": [)" + child +
                R"(]}], "root": 1)");
  };
  EXPECT_EQ(errorOf(withChild("[0]")), "t: node 1: child 0 has 1 numbers; write [node, repeat]");
  EXPECT_EQ(errorOf(withChild("[0,1,1]")),
            "t: node 1: child 0 has 3 numbers; write [node, repeat]");
  EXPECT_EQ(errorOf(withChild("[0.5,1]")),
            "t: node 1: child 0: its node is not a whole number from 0; write [node, repeat]");
  EXPECT_EQ(errorOf(withChild("[0,[1]]")),
            "t: node 1: child 0: its repeat is not a whole number from 1 to 2^63; write [node, "
            "repeat]");
}

TEST(TreeReader, refusesFieldsOfAnotherKindOfNode) {
  EXPECT_EQ(errorOf(file(R"("nodes": [{"kind": "task", "children": [], "length": 4}], "root": 0)")),
            "t: node 0: \"length\" does not belong to a node of kind task; leave it out");
}

TEST(TreeReader, refusesAnEmptyFileAndSkipsAByteOrderMark) {
  EXPECT_EQ(errorOf(""), "t: is empty; run the annotated program to its end to write it");
  EXPECT_TRUE(
      parse("\xef\xbb\xbf" + file(R"("nodes": [{"kind": "root", "children": []}], "root": 0)")));
}
