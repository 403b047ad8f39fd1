//===- RegionTimes.cpp - What OpenMP regions took -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/validation/RegionTimes.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

namespace prophet {

static constexpr std::string_view Header = "prophet-regions 1";

/// The number at the beginning of `text`, which loses it and the blank behind it.
static std::optional<std::uint64_t> takeNumber(std::string_view &text, int base) {
  std::uint64_t number = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (code != std::errc() || stop == text.data() + text.size() || *stop != ' ')
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return number;
}

static std::optional<RegionTime> parseRegion(std::string_view line) {
  const auto address = takeNumber(line, 16);
  const auto regions = address ? takeNumber(line, 10) : std::nullopt;
  const auto ns = regions ? takeNumber(line, 10) : std::nullopt;
  if (!ns || *address == 0 || line.empty())
    return std::nullopt;
  return RegionTime{std::string(line), *address, static_cast<double>(*regions),
                    static_cast<double>(*ns) / 1e9};
}

Result<std::vector<RegionTime>> parseRegionTimes(std::string_view text) {
  std::vector<RegionTime> regions;
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line) || line != Header)
    return Error{"is not what Prophet's tool for OpenMP regions writes"};
  while (std::getline(lines, line) && line != "end") {
    auto region = parseRegion(line);
    if (!region)
      return Error{line.starts_with("lost ") ? "the program has regions in too many places"
                                             : fmt::format("has the line '{}'", line)};
    regions.push_back(std::move(*region));
  }
  if (line != "end")
    return Error{"ends in the middle"};
  return regions;
}

std::string symbolQuestion(const std::vector<RegionTime> &regions) {
  std::string question;
  for (const RegionTime &region : regions)
    question += fmt::format("\"{}\" {:#x}\n", region.object, region.address - 1);
  return question;
}

CodeLines parseSymbols(const std::vector<RegionTime> &regions, std::string_view text) {
  using Json = nlohmann::json;
  CodeLines lines;
  std::istringstream documents{std::string(text)};
  std::string document;
  for (const RegionTime &region : regions) {
    if (!std::getline(documents, document))
      break;
    const Json answer = Json::parse(document, nullptr, false);
    const auto frames = answer.is_object() ? answer.value("Symbol", Json()) : Json();
    if (!frames.is_array() || frames.empty() || !frames[0].is_object())
      continue;
    const Json file = frames[0].value("FileName", Json());
    const Json line = frames[0].value("Line", Json());
    if (file.is_string() && line.is_number_unsigned() && line.get<std::uint64_t>() > 0)
      lines[{region.object, region.address}] = {file.get<std::string>(), line.get<unsigned>()};
  }
  return lines;
}

} // namespace prophet
