//===- RaceCheck.cpp - Is the parallel program right? -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/RaceCheck.h"

#include "predictor/support/Text.h"
#include "predictor/verbs/Verbs.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <sstream>

namespace prophet {

namespace fs = std::filesystem;

//===- ThreadSanitizer's report -------------------------------------------===//

/// "    #0 main.omp_outlined /src/app.c:4:38 (app+0x1)": the place, where it is in a source.
static std::string placeIn(const std::string &frame) {
  std::size_t end = frame.rfind(" (", frame.rfind(" (BuildId") - 1); // npos - 1: from the end
  std::size_t begin = frame.rfind(' ', end == frame.npos ? end : end - 1);
  if (frame.find("    #") != 0 || begin == frame.npos)
    return "";
  std::string place = frame.substr(begin + 1, end - begin - 1);
  return place.find(':') == place.npos ? "" : place;
}

/// "  Previous write of size 8 at 0x7f by thread T1:": "write of 8 bytes".
static std::string accessIn(std::string line) {
  std::size_t size = line.find(" of size "), at = line.find(" at 0x");
  if (!line.starts_with("  ") || line.starts_with("   ") || line.starts_with("  Location") ||
      size == line.npos || at == line.npos)
    return "";
  std::string kind = line.substr(2, size - 2);
  if (kind.starts_with("Previous "))
    kind = kind.substr(9);
  kind[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(kind[0])));
  return kind + " of " + line.substr(size + 9, at - size - 9) + " bytes";
}

std::vector<Race> parseRaces(std::string_view report) {
  std::vector<Race> races;
  std::set<std::pair<std::string, std::string>> seen;
  Race current;
  std::string *wanted = nullptr; ///< the place of the access whose frames come now
  auto finish = [&] {
    if (current.place.empty()) { // inlined code may have lost its line
      std::swap(current.place, current.other);
      std::swap(current.what, current.before);
    }
    if (!current.what.empty() && seen.insert(std::minmax(current.place, current.other)).second)
      races.push_back(current);
    current = {};
  };
  std::istringstream lines{std::string(report)};
  for (std::string line; std::getline(lines, line);) {
    if (line.find("ThreadSanitizer: data race") != line.npos && line.starts_with("WARNING"))
      finish();
    if (std::string access = accessIn(line); !access.empty()) {
      wanted = current.what.empty() ? &current.place : &current.other;
      (current.what.empty() ? current.what : current.before) = access;
    } else if (line.starts_with("  Location is global '") && line[22] != '?') {
      current.variable = line.substr(22, line.find('\'', 22) - 22);
    } else if (line.starts_with("  ") && !line.starts_with("    ")) {
      wanted = nullptr;
    } else if (wanted && wanted->empty()) {
      *wanted = placeIn(line);
    }
  }
  finish();
  return races;
}

//===- Outputs ------------------------------------------------------------===//

static std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// Equal but for numbers that differ by at most a millionth of their size.
static bool nearlyEqual(const std::string &a, const std::string &b) {
  std::istringstream wordsA(a), wordsB(b);
  std::string wordA, wordB;
  while (true) {
    bool moreA = static_cast<bool>(wordsA >> wordA), moreB = static_cast<bool>(wordsB >> wordB);
    if (moreA != moreB)
      return false;
    if (!moreA)
      return true;
    if (wordA == wordB)
      continue;
    char *endA = nullptr, *endB = nullptr;
    double valueA = std::strtod(wordA.c_str(), &endA), valueB = std::strtod(wordB.c_str(), &endB);
    if (endA == wordA.c_str() || std::string_view(endA) != endB ||
        !(std::abs(valueA - valueB) <= 1e-6 * std::max(std::abs(valueA), std::abs(valueB))))
      return false;
  }
}

std::string outputDifference(std::string_view serial, std::string_view serialAgain,
                             std::string_view parallel) {
  const auto expected = linesOf(serial), again = linesOf(serialAgain), found = linesOf(parallel);
  if (expected.size() != again.size())
    return ""; // it never writes the same
  for (std::size_t n = 0; n < std::max(expected.size(), found.size()); ++n) {
    if (n >= found.size() || n >= expected.size())
      return fmt::format("serial {} lines, parallel {}", expected.size(), found.size());
    if (expected[n] == again[n] && !nearlyEqual(expected[n], found[n]))
      return fmt::format("line {}: serial '{}', parallel '{}'", n + 1, printable(expected[n], 60),
                         printable(found[n], 60));
  }
  return "";
}

//===- The check ----------------------------------------------------------===//

static std::optional<Error> build(const std::vector<std::string> &command,
                                  const std::string &source) {
  auto run = runCaptured(command, {}, CaptureErrors::Yes);
  if (!run)
    return run.error();
  if (run->end.failed())
    return Error{fmt::format("{}: cannot be built for --check ({}); add what it needs, other "
                             "sources and libraries too, after --: {}",
                             printable(source), fmt::join(command, " "),
                             printable(run->errors, 1000))};
  return std::nullopt;
}

/// The name in the source at a race's place: "hist[i]" of "hist[i] += 1".
static std::string nameAt(const std::string &place) {
  std::size_t columnAt = place.rfind(':'), lineAt = place.rfind(':', columnAt - 1);
  auto text =
      lineAt == place.npos ? Result<std::string>(Error{}) : readWholeFile(place.substr(0, lineAt));
  if (!text)
    return "";
  const auto lines = linesOf(*text);
  const std::size_t line = std::strtoul(place.c_str() + lineAt + 1, nullptr, 10);
  const std::size_t column = std::strtoul(place.c_str() + columnAt + 1, nullptr, 10);
  if (line == 0 || line > lines.size() || column == 0 || column > lines[line - 1].size())
    return "";
  const std::string &source = lines[line - 1];
  auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_[].->").find(c) != std::string_view::npos;
  };
  std::size_t begin = column - 1, end = begin;
  if (isPart(source[begin]) && source[begin] != '-') {
    while (end < source.size() && isPart(source[end]) && source[end] != '-')
      ++end;
    return source.substr(begin, end - begin);
  }
  while (end > 0 && source[end - 1] == ' ') // an operator: what stands before it
    --end;
  for (begin = end; begin > 0 && isPart(source[begin - 1]);)
    --begin;
  return source.substr(begin, end - begin);
}

/// A path as the user writes it: relative to here, where it is below here.
static std::string shown(const std::string &place) {
  const std::string here = fs::current_path().string() + "/";
  return place.starts_with(here) ? place.substr(here.size()) : place;
}

static void say(const Race &race) {
  std::string name = !race.variable.empty() ? race.variable : nameAt(race.place);
  if (name.empty())
    name = nameAt(race.other);
  fmt::print(stderr, "{}: error: data race{}: {}, unordered with the {}{}\n",
             race.place.empty() ? "a line without debug information" : shown(race.place),
             name.empty() ? "" : " on '" + name + "'", race.what, race.before,
             race.other.empty() ? "" : " at " + shown(race.other));
}

static std::string tsanReports(const TemporaryDirectory &directory) {
  std::string all;
  for (const fs::directory_entry &entry : fs::directory_iterator(directory.directory()))
    if (entry.path().filename().string().starts_with("tsan."))
      if (auto text = readWholeFile(entry.path()))
        all += *text;
  return all;
}

Result<bool> checkParallelProgram(const Compilation &compilation, const OpenMPVersion &version,
                                  const std::vector<std::string> &arguments, unsigned threads,
                                  const TemporaryDirectory &directory) {
  std::vector<std::string> sanitized = version.options;
  sanitized.insert(sanitized.end(),
                   {"-fsanitize=thread", "-g", "-O0", "-w", "-Wl,-rpath," + llvmFile("lib")});
  if (auto error =
          build(compilation.link({"-fno-openmp", "-w"}, directory / "serial"), compilation.source))
    return *error;
  if (auto error = build(compilation.link(sanitized, directory / "parallel"), compilation.source))
    return *error;

  std::vector<std::string> command = {directory / "serial"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  auto serial = runCaptured(command, {}, CaptureErrors::No);
  auto again = runCaptured(command, {}, CaptureErrors::Yes);
  if (!serial || !again)
    return (serial ? again : serial).error();
  command[0] = directory / "parallel";
  // Its messages are the serial program's, and the symbolizer's.
  auto parallel =
      runCaptured(command,
                  {{"OMP_NUM_THREADS", std::to_string(std::max(threads, 2u))},
                   {"OMP_TOOL_LIBRARIES", llvmFile("lib/libarcher.so")},
                   {"TSAN_OPTIONS",
                    "ignore_noninstrumented_modules=1 exitcode=0 log_path=" + directory / "tsan" +
                        " external_symbolizer_path=" + llvmFile("bin/llvm-symbolizer")}},
                  CaptureErrors::Yes);
  if (!parallel)
    return parallel.error();

  const std::vector<Race> races = parseRaces(tsanReports(directory));
  for (const Race &race : races)
    say(race);
  bool right = races.empty();
  if (parallel->end.shellStatus() != serial->end.shellStatus()) {
    report(fmt::format("the parallel program {}, the serial one {}", parallel->end.describe(),
                       serial->end.describe()));
    fmt::print(stderr, "{}", parallel->errors);
    right = false;
  }
  std::string difference = outputDifference(serial->output, again->output, parallel->output);
  if (!difference.empty()) {
    report("the parallel program writes something else: " + difference);
    right = false;
  }
  if (right)
    report(fmt::format("checked on {} threads: no data race, and the serial program's output",
                       std::max(threads, 2u)));
  return right;
}

} // namespace prophet
