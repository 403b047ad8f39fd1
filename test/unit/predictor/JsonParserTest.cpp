//===- JsonParserTest.cpp - Against another parser of JSON ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/JsonParser.h"
#include "predictor/tree/PlainJson.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <span>

using namespace prophet;

namespace {

/// Writes down what it is told, by this parser or by nlohmann::json's.
struct Script {
  std::vector<std::string> events;

  bool add(std::string event) {
    events.push_back(std::move(event));
    return true;
  }
  bool null() { return add("null"); }
  bool boolean(bool value) { return add(value ? "true" : "false"); }
  bool count(std::uint64_t value) { return add("count " + std::to_string(value)); }
  bool number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "number %a", value == 0 ? 0 : value); // one zero
    return add(text);
  }
  bool string(std::string_view value) { return add("string " + std::string(value)); }
  bool key(std::string_view value) { return add("key " + std::string(value)); }
  bool beginObject() { return add("{"); }
  bool endObject() { return add("}"); }
  bool beginArray() { return add("["); }
  bool endArray() { return add("]"); }

  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return count(value); }
  bool number_float(double value, const std::string &) { return number(value); }
  bool binary(std::vector<std::uint8_t> &) { return false; }
  bool start_object(std::size_t) { return beginObject(); }
  bool end_object() { return endObject(); }
  bool start_array(std::size_t) { return beginArray(); }
  bool end_array() { return endArray(); }
  bool parse_error(std::size_t, const std::string &, const std::exception &) { return false; }
};

/// Whether PlainJson reads `text`, and what it says of it.
bool readsPlainly(ByteSource &source, Script &script) { return PlainJson(source, script).parse(); }
bool readsPlainly(const std::string &text) {
  Script script;
  ByteSource source(text);
  return readsPlainly(source, script);
}

/// \returns whether PlainJson reads `text`, too.
bool compare(const std::string &text) {
  Script mine, plain, theirs;
  ByteSource source(text), again(text);
  const std::string problem = parseJson(source, mine);
  const bool valid = nlohmann::json::sax_parse(text, &theirs);
  EXPECT_EQ(problem.empty(), valid) << text << "\n" << problem;
  if (valid) {
    EXPECT_EQ(mine.events, theirs.events) << text;
  }
  const bool isPlain = readsPlainly(again, plain);
  EXPECT_TRUE(valid || !isPlain) << text;
  if (isPlain) {
    EXPECT_EQ(plain.events, mine.events) << text;
  }
  return isPlain;
}

/// Compares 20,000 damaged copies of `whole`. \returns how many of them PlainJson reads.
int compareDamaged(const std::string &whole) {
  std::mt19937 random(1);
  static constexpr char Bytes[] = "{}[]:,\"\\0123456789.eE+-truefalsn \n\xc3\xa9\x01u";
  int plain = 0;
  for (int n = 0; n < 20000 && !testing::Test::HasFailure(); ++n) {
    std::string text = whole;
    for (unsigned change = 1 + random() % 3; change > 0; --change) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 4);
      else if (random() % 2)
        text[at] = Bytes[random() % (sizeof Bytes - 1)];
      else
        text.insert(at, 1, Bytes[random() % (sizeof Bytes - 1)]);
      if (text.empty())
        text = " ";
    }
    plain += compare(text);
  }
  return plain;
}

/// Numbers at the limits of the grammar, of integers and of doubles.
constexpr const char *HardNumbers[] = {"0",
                                       "-0",
                                       "00",
                                       "01",
                                       "-",
                                       "-1",
                                       "1.",
                                       ".5",
                                       "1.5",
                                       "1e",
                                       "1e5",
                                       "1E+5",
                                       "1e-5",
                                       "0.1e-07",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "-9223372036854775809",
                                       "1e308",
                                       "1e309",
                                       "-1e309",
                                       "1e-400",
                                       "4.9e-324",
                                       "123456789012345678901234567890",
                                       "+1"};

/// Objects and arrays, too short or too long.
constexpr const char *HardStructure[] = {"1 2",       "[1,]",  "[,]",
                                         "[1 2]",     "{}",    "{\"a\":1,}",
                                         "{\"a\" 1}", "{1:2}", "{\"a\":1 \"b\":2}",
                                         "",          " ",     "\xef\xbb\xbf[1]",
                                         "[",         "]",     "}",
                                         "[[[]]]",    "[{}]]"};

/// What is none of JSON's words, but some parser's.
constexpr const char *HardWords[] = {"tru",     "truex", "nullnull", "//",
                                     "[1]/**/", "NaN",   "Infinity", "'a'"};

/// Escapes, surrogates, control characters and UTF-8, right and wrong.
constexpr const char *HardStrings[] = {"\"\\u0041\\n\\/\\\\\\\"\"",
                                       "\"\\ud83d\\ude00\"",
                                       "\"\\ud83d\"",
                                       "\"\\ude00\"",
                                       "\"\\ud83dx\"",
                                       "\"\\ud83d\\u0041\"",
                                       "\"\\u12g4\"",
                                       "\"\\x\"",
                                       "\"\t\"",
                                       "\"\x7f\"",
                                       "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
                                       "\"\xc0\x80\"",
                                       "\"\xed\xa0\x80\"",
                                       "\"\xff\"",
                                       "\"\xf4\x90\x80\x80\"",
                                       "\"\xe2\x82\"",
                                       "\"a",
                                       "\"a\\"};

std::string problemOf(const std::string &text) {
  Script script;
  ByteSource source(text);
  return parseJson(source, script);
}

} // namespace

TEST(JsonParser, agreesOnWhatIsHard) {
  for (const auto &texts :
       {std::span<const char *const>(HardNumbers), {HardStructure}, {HardWords}, {HardStrings}})
    for (const char *text : texts)
      compare(text);
  for (const std::string_view text : {std::string_view("[\0]", 3), {"\"a\0\"", 4}, {"\0[1]", 4}})
    compare(std::string(text));
}

TEST(JsonParser, agreesOnDamagedTexts) {
  EXPECT_EQ(compareDamaged(R"( {"a": [1, 2.5e3, -7, true, null, {"b": "x\u00e9\n"}, []],
    "children": [[0, 1], [1, 1000]], "c": {"d": {}}, "n": 1e-7} )"),
            0); // escapes are not plain
}

TEST(PlainJson, readsWhatIsPlainAsTheOtherParsersDo) {
  EXPECT_GT(compareDamaged(R"( {"a": [1, 2.5e3, -7, true, null, {"b": "x)"
                           "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
                           R"("}, []], "f": false,
    "children": [[0, 1], [1, 1000]], "c": {"d": {}}, "n": 1e-7, "m": 123456789012345678} )"),
            1000);
}

TEST(PlainJson, leavesTheRestToTheOtherParser) {
  EXPECT_TRUE(readsPlainly("[0, 18, 123456789012345678, -3, 0.25, 1e3, \"a b\", {}]"));
  for (const char *text : {"[1234567890123456789]", "[\"\\n\"]", "[\"\xc3\"]", "\xef\xbb\xbf[1]",
                           "[1e-400]", "[1] [2]", "[1", "[01]", ""})
    EXPECT_FALSE(readsPlainly(text)) << text;
}

TEST(PlainJson, tokensGoOverTheEndsOfBlocks) {
  std::string text = "[";
  for (int n = 0; n < 100'000; ++n) // blocks of a quarter of a MiB end in each kind of token
    text += std::to_string(n * 7919L) + ", \"token\", 2.5e-3,true,null,false ,{\"key\" : []},\n";
  text += "-1]";
  const std::string path = testing::TempDir() + "plain.json";
  std::ofstream(path) << text;
  Script whole, blocks;
  ByteSource memory(text);
  EXPECT_TRUE(readsPlainly(memory, whole));
  auto file = ByteSource::open(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(readsPlainly(**file, blocks));
  EXPECT_TRUE(blocks.events == whole.events);
  (*file)->rewind();
  Script again;
  EXPECT_EQ(parseJson(**file, again), "");
  EXPECT_TRUE(again.events == whole.events);
  std::remove(path.c_str());
}

TEST(JsonParser, saysWhereTextIsWrong) {
  EXPECT_EQ(problemOf("[1,\n x]"), "line 2, column 2 (byte 6): Invalid value; write valid JSON");
  EXPECT_EQ(problemOf("[1,\n ]"), "line 2, column 2 (byte 6): Invalid value; write valid JSON");
  EXPECT_EQ(problemOf("{\"a\" 1}"),
            "line 1, column 6 (byte 6): Missing a colon after a name of object "
            "member; write valid JSON");
  EXPECT_EQ(problemOf("[1] 2"), "line 1, column 5 (byte 5): The document root must not be followed "
                                "by other values; write valid JSON");
  EXPECT_EQ(problemOf(std::string("[1]\0", 4)),
            "line 1, column 4 (byte 4): The document root must not be followed by other values; "
            "write valid JSON");
  EXPECT_EQ(problemOf("[\n1e999]"), "line 2, column 1 (byte 3): Number too big to be stored in "
                                    "double; write a number that a double can hold");
  EXPECT_EQ(problemOf("[1,"), "is cut off at byte 3; run the annotated program again to write it "
                              "whole");
}
