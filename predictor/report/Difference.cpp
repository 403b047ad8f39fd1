//===- Difference.cpp - What changed between two runs ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Difference.h"

#include "predictor/report/TreeSummary.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace prophet {

using nlohmann::json;
using Unit = DifferenceColumn::Unit;

bool DifferenceRow::changed() const {
  return std::any_of(values.begin(), values.end(),
                     [](const auto &value) { return value.first != value.second; });
}

const DifferenceRow *Difference::slowest() const {
  const DifferenceRow *worst = nullptr;
  for (const DifferenceRow &row : rows)
    if (row.speed && (!worst || *row.speed < *worst->speed))
      worst = &row;
  return worst;
}

namespace {

/// What one side has for a row.
struct Entry {
  std::string prefix, name, key;
  std::vector<double> values;
};

std::optional<double> ratio(double over, double under) {
  if (over == under)
    return 1;
  return under > 0 ? std::optional(over / under) : std::nullopt;
}

/// Pairs entries of one key; of several, the first with the first.
void pairUp(Difference &result, const std::vector<Entry> &first, const std::vector<Entry> &second) {
  std::map<std::string, std::vector<const Entry *>> open; // the next one last
  for (auto entry = second.rbegin(); entry != second.rend(); ++entry)
    open[entry->key].push_back(&*entry);
  for (const Entry &before : first) {
    auto &candidates = open[before.key];
    if (candidates.empty()) {
      result.onlyFirst.push_back({before.name, before.prefix, before.key});
      continue;
    }
    DifferenceRow &row = result.rows.emplace_back();
    row.name = before.name;
    row.prefix = before.prefix;
    for (std::size_t i = 0; i < before.values.size(); ++i)
      row.values.push_back({before.values[i], candidates.back()->values[i]});
    candidates.pop_back();
  }
  for (const Entry &after : second)
    if (auto &left = open[after.key]; std::find(left.begin(), left.end(), &after) != left.end())
      result.onlySecond.push_back({after.name, after.prefix, after.key});
}

std::vector<Entry> entriesOf(const Tree &tree) {
  const TreeSummary summary = summarizeCounts(tree);
  std::vector<Entry> entries = {{"", "", "the program", {1, 0, 0, 0}}};
  entries[0].values[3] = summary.serialTicks / tree.timebaseHz;
  entries[0].values[1] = static_cast<double>(summary.executedTasks);
  for (std::size_t id = 0; id < tree.sites.size(); ++id) {
    const SiteSummary &site = summary.sites[id];
    const double seconds = site.ticks / tree.timebaseHz;
    const auto tasks = static_cast<double>(site.tasks);
    entries.push_back(
        {"",
         tree.sites[id].name,
         tree.sites[id].name,
         {static_cast<double>(site.executions), tasks, tasks > 0 ? seconds / tasks : 0, seconds}});
  }
  return entries;
}

/// Adds `estimates`, of the program as it is or with `change`.
void addEstimates(std::vector<Entry> &entries, const json &estimates, double hz,
                  const std::string &change) {
  for (const json &estimate : estimates) {
    const auto text = [&](const char *key) { return estimate.at(key).get<std::string>(); };
    std::string prefix =
        fmt::format("{} on {} threads", text("schedule"), estimate.at("threads").get<unsigned>());
    if (estimate.at("cores") != estimate.at("threads"))
      prefix += fmt::format(", {} cores", estimate.at("cores").get<unsigned>());
    if (text("memory") != "none")
      prefix += ", memory " + text("memory");
    if (text("method") != "ff" || text("paradigm") != "openmp")
      prefix += fmt::format(", {} {}", text("paradigm"), text("method"));
    if (!change.empty())
      prefix += ", " + change;
    const auto add = [&](const json &of, const std::string &name) {
      entries.push_back({prefix,
                         name,
                         prefix + (name.empty() ? "" : ": " + name),
                         {of.at("speedup").get<double>(), of.at("ticks").get<double>() / hz}});
    };
    add(estimate, "");
    for (const json &site : estimate.at("sites"))
      add(site, site.at("name").get<std::string>());
  }
}

/// The estimates of a prediction; json::exception where it has not what it should have.
std::vector<Entry> entriesOf(const json &prediction) {
  std::vector<Entry> entries;
  const auto hz = prediction.at("timebase_hz").get<double>();
  addEstimates(entries, prediction.at("estimates"), hz, "");
  if (const auto changes = prediction.find("what_if"); changes != prediction.end())
    for (const json &change : *changes)
      addEstimates(entries, change.at("estimates"), hz, change.at("text").get<std::string>());
  return entries;
}

Result<std::vector<Entry>> readPrediction(const json &prediction, const std::string &name) {
  if (prediction.is_array())
    return Error{name + ": has predictions of several trees; write one file for each"};
  if (!prediction.is_object() || prediction.value("format", json()) != "prophet-prediction" ||
      prediction.value("version", json()) != 1)
    return Error{name + ": is no prediction of version 1; write it with 'prophet predict "
                        "--format json'"};
  try {
    return entriesOf(prediction);
  } catch (const json::exception &) {
    return Error{name + ": is no whole prediction; write it with 'prophet predict --format json'"};
  }
}

/// What a prediction says at `path`, if anything. Its runtime is among its overheads, where it has
/// such.
const json *findSetting(const json &prediction, const std::string &path) {
  for (const std::string &place : {path, path == "/overheads/runtime" ? "/runtime" : path})
    if (const json::json_pointer pointer(place); prediction.contains(pointer))
      return &prediction.at(pointer);
  return nullptr;
}

/// What the estimates of one side were asked for and those of the other were not.
std::vector<std::string> differentSettings(const json &first, const json &second) {
  const std::pair<const char *, const char *> settings[] = {
      {"runtime", "/overheads/runtime"},
      {"overheads", "/overheads/source"},
      {"memory profile", "/memory_source/profile"},
      {"memory's machine", "/memory_source/machine"},
      {"wait policy", "/wait_policy"},
      {"max active levels", "/max_active_levels"},
      {"site", "/site"},
      {"seed", "/seed"}};
  const auto word = [](const json &value, std::string_view name) {
    constexpr std::int64_t any = 1'000'000; // levels: as many as there are
    if (value.is_number_integer() && value.get<std::int64_t>() > any)
      return std::string("any");
    if (value.is_null())
      return std::string(name == "site" ? "all" : "none");
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  std::vector<std::string> result;
  const auto compare = [&](const char *name, const char *path) {
    const json *before = findSetting(first, path), *after = findSetting(second, path);
    if (!before || !after) // an older file says less
      return;
    if (const std::string a = word(*before, name), b = word(*after, name); a != b)
      result.push_back(fmt::format("{}: {}, {}", name, printable(a, 80), printable(b, 80)));
  };
  for (const auto &[name, path] : settings)
    compare(name, path);
  if (result.empty()) // it depends on the others
    compare("block time in ms", "/estimates/0/block_time_ms");
  return result;
}

} // namespace

Difference compareTrees(const Tree &first, const Tree &second) {
  Difference result;
  result.kind = "tree";
  result.columns = {{"executions", "executions", Unit::Count},
                    {"iterations", "iterations", Unit::Count},
                    {"iteration_seconds", "an iteration", Unit::Seconds},
                    {"seconds", "serial time", Unit::Seconds}};
  pairUp(result, entriesOf(first), entriesOf(second));
  for (DifferenceRow &row : result.rows)
    row.speed = ratio(row.values[3].first, row.values[3].second);
  return result;
}

Result<Difference> comparePredictions(const json &first, const json &second,
                                      const std::pair<std::string, std::string> &names) {
  const auto before = readPrediction(first, names.first);
  if (!before)
    return before.error();
  const auto after = readPrediction(second, names.second);
  if (!after)
    return after.error();
  Difference result;
  result.kind = "prediction";
  result.columns = {{"speedup", "speedup", Unit::Speedup}, {"seconds", "time", Unit::Seconds}};
  pairUp(result, *before, *after);
  result.settings = differentSettings(first, second);
  for (DifferenceRow &row : result.rows)
    row.speed = ratio(row.values[0].second, row.values[0].first);
  return result;
}

} // namespace prophet
