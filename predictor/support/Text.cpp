//===- Text.cpp - Text to values and values to text -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace prophet {

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == limit)
      return out + "...";
    auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += text[i];
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column > 0 && column + 1 + word.size() > width) {
      out += '\n';
      column = 0;
    }
    out += column == 0 ? std::string(indent, ' ') : " ";
    column += (column == 0 ? indent : 1) + word.size();
    out += word;
  }
  return out;
}

Result<std::uint64_t> parseCount(std::string_view text, std::string_view what, std::uint64_t least,
                                 std::uint64_t most) {
  std::uint64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return Error{fmt::format("{} '{}' is not a whole number from {} to {}", what, printable(text),
                             least, most)};
  return value;
}

/// One item of a thread list: "8", "1-16" or "4-64:4".
static Result<bool> addThreads(std::string_view item, std::set<unsigned> &threads) {
  auto dash = item.find('-');
  auto colon = item.find(':');
  auto count = [](std::string_view text) {
    return parseCount(text, "thread count", 1, MaxThreads);
  };
  auto first = count(item.substr(0, std::min(dash, colon)));
  if (!first)
    return first.error();
  if (dash == item.npos && colon == item.npos) {
    threads.insert(static_cast<unsigned>(*first));
    return true;
  }
  if (dash == item.npos || colon < dash)
    return Error{
        fmt::format("thread range '{}' is not FIRST-LAST or FIRST-LAST:STEP", printable(item))};
  auto last = count(item.substr(dash + 1, colon == item.npos ? item.npos : colon - dash - 1));
  if (!last)
    return last.error();
  auto step = colon == item.npos ? Result<std::uint64_t>(1) : count(item.substr(colon + 1));
  if (!step)
    return step.error();
  if (*last < *first)
    return Error{fmt::format("thread range '{}' runs backwards", printable(item))};
  for (std::uint64_t n = *first; n <= *last; n += *step)
    threads.insert(static_cast<unsigned>(n));
  return true;
}

Result<std::vector<unsigned>> parseThreadList(std::string_view text) {
  std::set<unsigned> threads;
  while (true) {
    auto comma = text.find(',');
    if (auto added = addThreads(text.substr(0, comma), threads); !added)
      return Error{"--threads: " + added.error().message + "; write for example 2,4,8 or 1-16"};
    if (comma == text.npos)
      return std::vector<unsigned>(threads.begin(), threads.end());
    text.remove_prefix(comma + 1);
  }
}

/// Levenshtein's distance.
static std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string closest(std::string_view word, const std::vector<std::string> &choices) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3 + 1);
  for (const std::string &choice : choices)
    if (std::size_t distance = editDistance(word, choice); distance < least) {
      least = distance;
      best = choice;
    }
  return best;
}

std::string formatSeconds(double seconds) {
  if (seconds >= 100)
    return seconds < 1e7 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.3g} s", seconds);
  static constexpr struct {
    double unit;
    const char *name;
  } Units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
  for (auto [unit, name] : Units)
    if (seconds >= unit)
      return fmt::format("{:.{}f} {}", seconds / unit, seconds < 10 * unit ? 2 : 1, name);
  return fmt::format("{:.0f} ns", seconds * 1e9);
}

std::string formatSpeedup(double speedup) {
  return fmt::format("{:.{}f}x", speedup, speedup < 99.995 ? 2 : 0);
}

std::string formatThreads(unsigned threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::string formatShare(double share) {
  constexpr double Rounding = 1e-9; // of sums that should be 0
  if (share < 0.001 && share > -0.0005)
    return share < Rounding ? "0 %" : "<0.1 %";
  if (share == 1)
    return "100 %";
  return fmt::format("{:.1f} %", 100 * share);
}

std::string formatCount(double count) {
  if (count < 1e7)
    return fmt::format("{:.0f}", count);
  return fmt::format("{:.3g}", count);
}

std::string formatJsonNumber(double value) {
  if (std::abs(value) < 1e15 && value == std::floor(value))
    return fmt::format("{:.0f}", value == 0 ? 0.0 : value);
  return fmt::format("{}", value);
}

std::string formatJsonString(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace prophet
