//===- OverheadsFile.cpp - Overhead tables as files -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Overheads.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

namespace prophet {

namespace {

using nlohmann::json;

/// Reads costs out of a parsed table and keeps the first thing that is wrong.
class TableReader {
public:
  TableReader(const json &table, OmpRuntime runtime) : table(table), runtime(runtime) {}

  /// Empty where the table is sound.
  const std::string &problem() const { return complaint; }

  double number(const char *key) {
    const json *value = find(table, key);
    return value && isCost(*value) ? value->get<double>() : complain(key);
  }

  /// As `number`, but not 0.
  double positive(const char *key) {
    const double value = number(key);
    if (value <= 0 && complaint.empty())
      complaint = "\"" + std::string(key) + "\" is not above 0 ns";
    return value;
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
    LoopCosts costs{cost(*group, key, "start"), cost(*group, key, "chunk")};
    const std::pair<const char *, TeamCost LoopCosts::*> some[] = {
        {"interval", &LoopCosts::interval}, {"restart", &LoopCosts::restart}};
    for (const auto &[name, which] : some)
      if (group->is_object() && find(*group, name))
        costs.*which = cost(*group, key, name);
    return costs;
  }

  /// Older tables have none: its chunks come from a queue.
  LoopCosts guided(const LoopCosts &queue) {
    if (find(table, "guided"))
      return loop("guided");
    return {queue.start, queue.chunk};
  }

  /// Tables of before tasks were emulated have none, which charges nothing.
  TaskCosts tasks() {
    const json *group = find(table, "tasks");
    if (!group)
      return {};
    return {cost(*group, "tasks", "create"), cost(*group, "tasks", "steal"),
            cost(*group, "tasks", "wait")};
  }

private:
  const json &table;
  OmpRuntime runtime;
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
    return TeamCost(std::move(points), knownGrowth(runtime, name));
  }
};

/// `table`'s costs; the error goes on behind a file's name.
Result<Overheads> readTable(const json &table, OmpRuntime runtime) {
  TableReader reader(table, runtime);
  Overheads overheads;
  overheads.active = reader.wait("active");
  overheads.passive = reader.wait("passive");
  overheads.staticBlock = reader.loop("static");
  overheads.staticChunk = reader.loop("static_chunk");
  overheads.queue = reader.loop("dynamic_queue");
  overheads.steal = reader.loop("dynamic_steal");
  overheads.guided = reader.guided(overheads.queue);
  overheads.tasks = reader.tasks();
  overheads.lockPair = reader.number("lock_pair");
  overheads.serializedRegion = reader.number("serialized_region");
  overheads.baseSlice = linuxBaseSlice;
  if (table.contains("base_slice"))
    overheads.baseSlice = reader.number("base_slice");
  if (table.contains("spin_turn"))
    overheads.spinTurn = reader.positive("spin_turn");
  if (const json quality = table.is_object() ? table.value("quality", json()) : json();
      quality.is_object())
    overheads.disturbed = quality.value("disturbed", json()) == true;
  if (!reader.problem().empty())
    return Error{reader.problem()};
  return overheads;
}

} // namespace

const char *runtimeName(OmpRuntime runtime) {
  return runtime == OmpRuntime::Libomp ? "libomp" : "libgomp";
}

/// Null where it cannot be read.
static std::unique_ptr<std::ifstream> open(const std::string &path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) // which opens, and then fails
    return nullptr;
  auto file = std::make_unique<std::ifstream>(path);
  return *file ? std::move(file) : nullptr;
}

Result<Overheads> readOverheads(const std::string &path, OmpRuntime runtime) {
  const auto file = open(path);
  if (!file)
    return Error{path + ": cannot be opened; name a table of overheads, or 'none'"};
  const json table = json::parse(*file, nullptr, false);
  if (!table.is_object() || table.value("format", json()) != "prophet-overheads")
    return Error{path + ": is no table of OpenMP overheads; name one, or 'none'; a file that "
                        "'prophet calibrate' wrote is for --machine"};
  if (table.value("version", json()) != 1)
    return Error{path + ": is not version 1 of the table; see that it is one for this version"};
  if (const json measured = table.value("runtime", json()); measured != runtimeName(runtime))
    return Error{path + ": was measured with " + measured.dump() + "; ask for that --runtime, or " +
                 "measure with " + runtimeName(runtime)};
  auto overheads = readTable(table, runtime);
  if (!overheads)
    return Error{path + ": " + overheads.error().message +
                 "; correct it, or run 'prophet "
                 "calibrate' and use --machine"};
  return overheads;
}

Result<std::optional<Overheads>> readMachineOverheads(const std::string &path, OmpRuntime runtime) {
  const auto file = open(path);
  if (!file)
    return Error{path + ": cannot be opened; 'prophet calibrate' writes a machine file"};
  const json machine = json::parse(*file, nullptr, false);
  if (!machine.is_object() || machine.value("format", json()) != "prophet-machine")
    return Error{path + ": is no machine file; 'prophet calibrate' writes one"};
  if (machine.value("version", json()) != 1)
    return Error{path + ": is not version 1 of the machine file; run 'prophet calibrate' again"};
  const json tables = machine.value("overheads", json::object());
  if (!tables.is_object())
    return Error{path + ": \"overheads\" is no object; run 'prophet calibrate' again"};
  const auto table = tables.find(runtimeName(runtime));
  if (table == tables.end())
    return std::optional<Overheads>();
  auto overheads = readTable(*table, runtime);
  if (!overheads)
    return Error{path + ": overheads." + runtimeName(runtime) + ": " + overheads.error().message +
                 "; run 'prophet calibrate' again"};
  return std::optional<Overheads>(std::move(*overheads));
}

} // namespace prophet
