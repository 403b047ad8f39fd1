//===- TreeWriterTest.cpp - The file is what the format says -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recording.h"
#include "runtime/src/site.h"

#include <prophet/tree_format.h>

namespace {

nlohmann::json site(const char *text) {
  return nlohmann::json::parse(
      written([&](struct text *out) { site_write(out, text, false, nullptr, nullptr); }));
}

TEST(TreeWriter, HeaderSaysWhatWasRun) {
  Recording r(50000, 24);
  const nlohmann::json &tree = r.finish();
  EXPECT_EQ(tree["format"], PROPHET_TREE_FORMAT);
  EXPECT_EQ(tree["version"], PROPHET_TREE_VERSION);
  EXPECT_EQ(tree["tolerance"], 0.05);
  EXPECT_EQ(tree["program"]["command"], (nlohmann::json{"app", "x"}));
  EXPECT_EQ(tree["host"]["logical_cpus"], 2);
  EXPECT_EQ(tree["profiler"]["noise_ticks"], 24);
  EXPECT_EQ(tree["profiler"]["waited_ticks"], 55);
}

TEST(TreeWriter, FieldsOfASiteMayBeQuoted) {
  const nlohmann::json quoted =
      site("parallel_for|\"a%20|b.c\"|12|\"the \\\"big\\\" C:\\\\ loop\"|");
  EXPECT_EQ(quoted["file"], "a%20|b.c");
  EXPECT_EQ(quoted["line"], 12);
  EXPECT_EQ(quoted["name"], "the \"big\" C:\\ loop");
  EXPECT_EQ(site("sections|\"dir/a.c\"|3||nowait")["name"], "a.c:3");
  EXPECT_EQ(site("sections|\"dir/a.c\"|3||nowait")["nowait"], true);
  EXPECT_EQ(site("parallel_for|\"cut off")["file"], "cut off");
}

TEST(TreeWriter, ChildrenComeBeforeParents) {
  Recording r;
  for (int i = 0; i < 5; ++i) {
    unsigned section = r.run(i).section();
    unsigned task = r.task();
    unsigned inner = r.run(i).section(Recording::inner);
    r.work(i);
    r.endSection(inner);
    r.endTask(task);
    r.endSection(section);
  }
  const nlohmann::json &nodes = r.finish()["nodes"];
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const auto &child : nodes[i].value("children", nlohmann::json::array())) {
      EXPECT_LT(child[0].get<std::size_t>(), i);
      EXPECT_GE(child[1].get<std::uint64_t>(), 1u);
    }
  EXPECT_EQ(r.tree["root"], nodes.size() - 1);
}

TEST(TreeWriter, SiteFieldsAreDecoded) {
  nlohmann::json s = site("sections|src/a%7Cb.c|42|two words|nowait schedule(static, 4) "
                          "private(x, y) reduction(%7C:s)");
  EXPECT_EQ(s, (nlohmann::json{{"name", "two words"},
                               {"kind", "sections"},
                               {"file", "src/a|b.c"},
                               {"line", 42},
                               {"nowait", true},
                               {"schedule", "static,4"},
                               {"vars", "private(x, y) reduction(|:s)"}}));
}

TEST(TreeWriter, NamelessSiteIsNamedByItsPlace) {
  nlohmann::json s = site("parallel_for|/home/me/src/lu.c|17||");
  EXPECT_EQ(s["name"], "lu.c:17");
  EXPECT_EQ(s["nowait"], false);
  EXPECT_FALSE(s.contains("schedule"));
  EXPECT_FALSE(s.contains("vars"));
}

TEST(TreeWriter, LongClausesAreKeptWhole) {
  std::string vars = "private(" + std::string(3000, 'x') + "\xC3\xA9)";
  EXPECT_EQ(site(("tasks|a.c|1||" + vars).c_str())["vars"], vars);
}

TEST(TreeWriter, EqualTextsAreOneSite) {
  Recording r;
  std::string a = Recording::outer, b = Recording::outer;
  for (const std::string &site : {std::cref(a), std::cref(b)}) {
    unsigned section = r.section(site.c_str());
    r.work(1);
    r.endSection(section);
  }
  EXPECT_EQ(r.show(), "root[2*s0[task[U(1)]]]");
  EXPECT_EQ(r.tree["sites"].size(), 1u);
}

TEST(Text, StringsAreValidJson) {
  auto json = [](const char *text) { return written([&](struct text *o) { text_json(o, text); }); };
  EXPECT_EQ(json("a\"b\\c\n\x7f"), "\"a\\\"b\\\\c\\u000a\\u007f\"");
  EXPECT_EQ(json("\xC3\xA9 \xF0\x9F\x98\x80"), "\"\xC3\xA9 \xF0\x9F\x98\x80\"");
  EXPECT_EQ(json("\xFF \xC3 \xC0\x80 \xED\xA0\x80"),
            "\"\\ufffd \\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd\"");
}

TEST(Text, DecimalsHaveNoTrailingZeros) {
  auto decimal = [](std::uint64_t whole, std::uint32_t billionths) {
    return written([&](struct text *o) { text_decimal(o, whole, billionths); });
  };
  EXPECT_EQ(decimal(12, 0), "12");
  EXPECT_EQ(decimal(12, 500000000), "12.5");
  EXPECT_EQ(decimal(0, 1), "0.000000001");
  EXPECT_EQ(decimal(UINT64_MAX, 10), "18446744073709551615.00000001");
}

} // namespace
