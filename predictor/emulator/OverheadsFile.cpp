//===- OverheadsFile.cpp - Overhead tables as files -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Overheads.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace prophet {

namespace {

using nlohmann::json;

const char *nameOf(OmpRuntime runtime) {
  return runtime == OmpRuntime::Libomp ? "libomp" : "libgomp";
}

/// Reads costs out of a parsed table and keeps the first thing that is wrong.
class TableReader {
public:
  explicit TableReader(const json &table) : table(table) {}

  /// Empty where the table is sound.
  const std::string &problem() const { return complaint; }

  double number(const char *key) {
    const json *value = find(table, key);
    return value && isCost(*value) ? value->get<double>() : complain(key);
  }

  WaitCosts wait(const char *key) {
    const json *group = find(table, key);
    if (!group)
      return complain(key), WaitCosts{};
    return {cost(*group, key, "fork"), cost(*group, key, "join"),
            cost(*group, key, "lock_handoff")};
  }

  LoopCosts loop(const char *key) {
    const json *group = find(table, key);
    if (!group)
      return complain(key), LoopCosts{};
    return {cost(*group, key, "start"), cost(*group, key, "chunk")};
  }

private:
  const json &table;
  std::string complaint;

  static const json *find(const json &object, const char *key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }
  static bool isCost(const json &value) {
    constexpr double most = 1e12; // a quarter of an hour: more is no overhead
    return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most;
  }

  double complain(const std::string &key) {
    if (complaint.empty())
      complaint = "\"" + key + "\" is missing or not a cost in nanoseconds";
    return 0;
  }

  /// One cost by team size: {"1": 80, "2": 900}.
  TeamCost cost(const json &group, const std::string &prefix, const char *key) {
    const std::string name = prefix + "." + key;
    const json *curve = group.is_object() ? find(group, key) : nullptr;
    if (!curve || !curve->is_object() || curve->empty())
      return complain(name), TeamCost();
    std::vector<TeamCost::Point> points;
    for (const auto &[size, ns] : curve->items()) {
      char *end = nullptr;
      const unsigned long threads = std::strtoul(size.c_str(), &end, 10);
      if (*end != '\0' || threads < 1 || threads > 1u << 16 || !isCost(ns))
        return complain(name), TeamCost();
      points.push_back({static_cast<unsigned>(threads), ns.get<double>()});
    }
    std::sort(points.begin(), points.end());
    const auto sameSize = [](const auto &a, const auto &b) { return a.first == b.first; };
    if (std::adjacent_find(points.begin(), points.end(), sameSize) != points.end())
      return complain(name), TeamCost(); // "2" and "02"
    return points;
  }
};

} // namespace

Result<Overheads> readOverheads(const std::string &path, OmpRuntime runtime) {
  std::ifstream file(path);
  if (!file)
    return Error{path + ": cannot be opened; name a file that openmp_overheads printed, or 'none'"};
  const json table = json::parse(file, nullptr, false);
  if (!table.is_object() || table.value("format", json()) != "prophet-overheads")
    return Error{path + ": is no table of OpenMP overheads; name a file that openmp_overheads "
                        "printed, or 'none'"};
  if (table.value("version", json()) != 1)
    return Error{path + ": is not version 1 of the table; measure it again with this version"};
  if (const json measured = table.value("runtime", json()); measured != nameOf(runtime))
    return Error{path + ": was measured with " + measured.dump() + "; ask for that --runtime, or " +
                 "measure with " + nameOf(runtime)};
  TableReader reader(table);
  Overheads overheads;
  overheads.active = reader.wait("active");
  overheads.passive = reader.wait("passive");
  overheads.staticBlock = reader.loop("static");
  overheads.staticChunk = reader.loop("static_chunk");
  overheads.queue = reader.loop("dynamic_queue");
  overheads.steal = reader.loop("dynamic_steal");
  overheads.lockPair = reader.number("lock_pair");
  overheads.serializedRegion = reader.number("serialized_region");
  if (!reader.problem().empty())
    return Error{path + ": " + reader.problem() + "; measure the table again"};
  return overheads;
}

} // namespace prophet
