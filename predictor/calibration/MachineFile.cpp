//===- MachineFile.cpp - What was measured of a machine -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MachineFile.h"

#include "predictor/emulator/Overheads.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace prophet {

namespace {

using json = nlohmann::ordered_json;

/// Of the constructs that do not depend on the team.
bool isSingle(const std::string &name) {
  return name == "lock_pair" || name == "serialized_region" || name == "spin_turn";
}

/// A tenth of a nanosecond is more than is known.
json rounded(double ns) {
  const double tenths = std::round(ns * 10) / 10;
  return tenths == std::floor(tenths) ? json(static_cast<std::int64_t>(tenths)) : json(tenths);
}

json quality(const RuntimeRounds &measured) {
  const auto counts = [](const Rounds &rounds) {
    return json{{"tried", rounds.tried()}, {"counted", rounds.counted()}};
  };
  json iqr = json::object();
  for (const auto &[name, teams] : measured.figures())
    for (const auto &[threads, figure] : teams)
      iqr[name][std::to_string(threads)] = rounded(figure.iqr);
  return json{{"active", counts(measured.active)},
              {"passive", counts(measured.passive)},
              {"disturbed", measured.disturbed()},
              {"iqr", std::move(iqr)}};
}

json table(const RuntimeRounds &measured) {
  json table = json::object();
  for (const auto &[name, teams] : measured.figures()) {
    if (isSingle(name)) {
      table[name] = rounded(teams.begin()->second.ns);
      continue;
    }
    const auto dot = name.find('.');
    json &cost = table[name.substr(0, dot)][name.substr(dot + 1)];
    for (const auto &[threads, figure] : teams)
      cost[std::to_string(threads)] = rounded(figure.ns);
  }
  table["static"]["chunk"] = {{"1", 0}}; // a thread's block is part of the start
  table["quality"] = quality(measured);
  return table;
}

const char *lawName(Growth law) {
  switch (law) {
  case Growth::Constant:
    return "constant";
  case Growth::Log:
    return "log2(threads)";
  case Growth::Linear:
    return "threads - 1";
  case Growth::Divided:
    return "1 / threads";
  }
  return "";
}

} // namespace

std::map<std::string, std::map<unsigned, Figure>> RuntimeRounds::figures() const {
  std::map<std::string, std::map<unsigned, Figure>> all;
  for (auto &[name, teams] : active.figures())
    all[name.find('.') == name.npos && !isSingle(name) ? "active." + name : name] = teams;
  for (auto &[name, teams] : passive.figures())
    all["passive." + name] = teams;
  return all;
}

bool checkMachineText(const std::string &text) {
  if (text.empty())
    return true;
  const json machine = json::parse(text, nullptr, false);
  return machine.is_object() && machine.value("format", json()) == "prophet-machine" &&
         machine.value("version", json()) == 1;
}

/// Whether `file` is of another machine than this, by what it says.
static bool isOfAnother(const MachineIdentity &machine, const json &file) {
  const auto differs = [&](const char *key, const json &value) {
    return file.contains(key) && file[key] != value;
  };
  return differs("name", machine.name) || differs("cores", machine.cores);
}

/// What was measured of another machine: it is not this one's.
static void forgetFigures(json &file) {
  for (const char *key : {"overheads", "memory", "caches", "sockets", "smt", "freq_hz", "line"})
    file.erase(key);
}

std::set<std::string> undisturbedParts(const MachineIdentity &machine, const std::string &text) {
  std::set<std::string> parts;
  const json file = text.empty() ? json::object() : json::parse(text);
  if (isOfAnother(machine, file))
    return parts;
  const auto look = [&](const std::string &name, const json &part) {
    const json quality = part.is_object() ? part.value("quality", json()) : json();
    if (quality.is_object() && quality.value("disturbed", json()) == false)
      parts.insert(name);
  };
  look("memory", file.value("memory", json()));
  const json tables = file.value("overheads", json::object());
  for (const auto &[runtime, table] : tables.items())
    look(runtime, table);
  return parts;
}

std::string renderMachine(const MachineIdentity &machine,
                          const std::vector<RuntimeRounds> &measured, const std::string &old) {
  json file = old.empty() ? json::object() : json::parse(old);
  if (isOfAnother(machine, file))
    forgetFigures(file);
  file["format"] = "prophet-machine";
  file["version"] = 1;
  file["name"] = machine.name;
  file["source"] = "prophet calibrate";
  file["cores"] = machine.cores;
  const json before = file.value("overheads", json::object());
  json tables = before.is_object() ? before : json::object();
  for (const RuntimeRounds &runtime : measured) {
    json &costs = tables[runtime.runtime] = table(runtime);
    // Not measured: what the user says of the system stays.
    if (const auto old = before.find(runtime.runtime);
        old != before.end() && old->is_object() && old->contains("base_slice"))
      costs["base_slice"] = (*old)["base_slice"];
  }
  file["overheads"] = std::move(tables);
  return file.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string describeRounds(const RuntimeRounds &measured) {
  const auto figures = measured.figures();
  std::string text =
      fmt::format("{}, nanoseconds, median and interquartile range; {} of {} rounds with active "
                  "waiting counted, {} of {} with passive\n",
                  measured.runtime, measured.active.counted(), measured.active.tried(),
                  measured.passive.counted(), measured.passive.tried());
  auto out = std::back_inserter(text);
  fmt::format_to(out, "  {:<22}", "threads");
  for (const auto &[threads, figure] : figures.begin()->second)
    fmt::format_to(out, "{:>10}{:>8}", threads, "");
  fmt::format_to(out, "  beyond\n");
  const OmpRuntime runtime =
      measured.runtime == "libomp" ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
  for (const auto &[name, teams] : figures) {
    fmt::format_to(out, "  {:<22}", name);
    std::vector<TeamCost::Point> points;
    for (const auto &[threads, figure] : teams)
      points.emplace_back(threads, figure.ns);
    for (const auto &[threads, first] : figures.begin()->second) {
      const auto found = teams.find(threads);
      if (found != teams.end())
        fmt::format_to(out, "{:>10.4g}{:<8}", found->second.ns,
                       fmt::format(" ±{:.2g}", found->second.iqr));
      else if (threads < teams.rbegin()->first)
        fmt::format_to(out, "{:18}", "");
    }
    const bool single = points.size() < 2;
    fmt::format_to(
        out, "{}\n",
        single
            ? ""
            : fmt::format("  {}", lawName(TeamCost(points, knownGrowth(runtime, name)).growth())));
  }
  return text;
}

std::string defaultMachineFile() {
  const char *config = std::getenv("XDG_CONFIG_HOME");
  if (config && *config == '/')
    return std::string(config) + "/prophet/machine.json";
  const char *home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.config/prophet/machine.json" : "";
}

} // namespace prophet
