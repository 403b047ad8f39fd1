//===- AccessLog.cpp - The references of a serial run ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/AccessLog.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace prophet::memmodel {

using nlohmann::json;

namespace {

/// Reads parts one by one; `problem` says what stopped it.
class LogReader {
public:
  LogReader(AccessLog &log, std::size_t sites) : log(log), sites(sites) {}
  std::string problem;

  void readPart(const json &part) {
    const std::string name = "part " + std::to_string(log.parts.size());
    constexpr std::uint64_t mostTasks = std::uint64_t(1) << 53; // exact as a double
    if (isCount(part)) {
      const auto same = part.get<std::uint64_t>();
      if (same >= log.parts.size())
        return fail(name + " is the same as " + part.dump() + ", which is not before it");
      log.parts.push_back(AccessLog::Part(log.parts[same]));
      return;
    }
    if (!part.is_array() || part.size() < 2 || !part[0].is_number_integer() || !isCount(part[1]) ||
        part[1].get<std::uint64_t>() > mostTasks)
      return fail(name + " is no [site, tasks, ...], nor the number of one before it");
    const bool wraps = part[0].is_number_unsigned() && part[0].get<std::uint64_t>() >= sites;
    const auto site = part[0].get<std::int64_t>();
    if (wraps || site < -1 || site >= static_cast<std::int64_t>(sites))
      return fail(name + " is of site " + part[0].dump() + ", which is not there");
    AccessLog::Part &added = log.parts.emplace_back();
    added.site = site < 0 ? AccessLog::Outside : static_cast<std::uint32_t>(site);
    added.size = part[1].get<std::uint64_t>();
    added.first = log.tasks.size();
    for (std::size_t i = 2; i < part.size() && problem.empty(); ++i)
      readTask(part[i], name, added);
    added.count = log.tasks.size() - added.first;
  }

  /// Behind the parts.
  void readPlaces(const json &places) {
    const auto isPlace = [](const json &place) {
      return isCount(place) && place.get<std::uint64_t>() >> 32 == 0;
    };
    if (!places.is_array() || places.size() != lines ||
        !std::all_of(places.begin(), places.end(), isPlace))
      return fail("lines are not the places of the " + std::to_string(lines) +
                  " that its parts have");
    for (const json &place : places)
      log.places.push_back(place.get<std::uint32_t>());
  }

  /// Behind the parts, too.
  void readOwn(const json &own) {
    if (!own.is_array())
      return fail("own is no array of lines");
    for (const json &line : own) {
      const std::uint64_t number = isCount(line) ? line.get<std::uint64_t>() : lines;
      if (number >= lines || (!log.own.empty() && number <= log.own.back()))
        return fail("own has something that is no line, or not behind the one before it");
      log.own.push_back(static_cast<std::uint32_t>(number));
    }
    log.lines = static_cast<std::uint32_t>(lines);
  }

private:
  AccessLog &log;
  const std::size_t sites;
  std::uint64_t lines = 0; ///< seen so far

  void fail(std::string what) { problem = std::move(what); }
  static bool isCount(const json &value) {
    return value.is_number_unsigned() ||
           (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  }

  void readTask(const json &task, const std::string &part, const AccessLog::Part &of) {
    if (!task.is_array() || task.empty() || !isCount(task[0]))
      return fail(part + " has something that is no [task, reference, ...]");
    const auto number = task[0].get<std::uint64_t>();
    const bool isFirst = log.tasks.size() == of.first;
    if (number >= of.size || (!isFirst && number <= log.tasks.back().number))
      return fail(part + ": task " + std::to_string(number) +
                  " is not behind the one before it, or is one too many");
    log.tasks.push_back({number, log.references.size(), task.size() - 1});
    for (std::size_t i = 1; i < task.size(); ++i) {
      const auto code = isCount(task[i]) ? task[i].get<std::uint64_t>() : ~std::uint64_t(0);
      if (code >> 3 > lines) // they are numbered as they come
        return fail(part + ": task " + std::to_string(number) + " has a reference to no line");
      lines += code >> 3 == lines ? 1 : 0;
      log.references.push_back({static_cast<std::uint32_t>(code >> 3),
                                static_cast<AccessClass>(code >> 1 & 3), (code & 1) != 0});
    }
  }
};

} // namespace

std::optional<AccessLog> readAccessLog(const json &text, std::size_t sites, std::string &problem) {
  AccessLog log;
  static const json absent;
  const auto at = [&](const char *key) -> const json & {
    const auto found = text.is_object() ? text.find(key) : text.end();
    return found == text.end() ? absent : *found;
  };
  const json &rate = at("rate"), &parts = at("parts"), &complete = at("complete");
  constexpr double leastRate = 0x1p-40;
  if (!rate.is_number() || !(rate.get<double>() >= leastRate && rate.get<double>() <= 1))
    problem = "the log's rate is no share above 0 up to 1";
  else if (!parts.is_array())
    problem = "the log has no parts";
  else if (!complete.is_boolean())
    problem = "the log does not say whether it is complete";
  if (!problem.empty())
    return std::nullopt;
  log.rate = rate.get<double>();
  log.complete = complete.get<bool>();
  LogReader reader(log, sites);
  for (const json &part : parts)
    if (reader.problem.empty())
      reader.readPart(part);
  if (text.contains("lines") && reader.problem.empty())
    reader.readPlaces(at("lines"));
  if (text.contains("own") && reader.problem.empty())
    reader.readOwn(at("own"));
  if (!reader.problem.empty()) {
    problem = "the log's " + reader.problem;
    return std::nullopt;
  }
  return log;
}

} // namespace prophet::memmodel
