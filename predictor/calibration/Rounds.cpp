//===- Rounds.cpp - What the measuring programs printed -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/Rounds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace prophet {

namespace {

using json = nlohmann::ordered_json;

/// {"1": 80, "2": 900.5}; empty where it is anything else.
std::map<unsigned, double> readTeams(const json &value) {
  std::map<unsigned, double> teams;
  if (!value.is_object())
    return {};
  for (const auto &[size, ns] : value.items()) {
    unsigned threads = 0;
    const char *end = size.data() + size.size();
    const auto read = std::from_chars(size.data(), end, threads);
    if (read.ec != std::errc() || read.ptr != end || threads == 0 || !ns.is_number())
      return {};
    teams[threads] = ns.get<double>();
  }
  return teams;
}

/// The value at `share` of sorted values, between them in proportion.
double quantile(const std::vector<double> &sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

Figure figureOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {std::max(0.0, quantile(values, 0.5)), quantile(values, 0.75) - quantile(values, 0.25)};
}

} // namespace

Result<Round> parseRound(const std::string &text, const std::string &program) {
  const Error wrong{program + ": printed no measurements; install Prophet again"};
  const json parsed = json::parse(text, nullptr, false);
  if (!parsed.is_object())
    return wrong;
  const json runtime = parsed.value("runtime", json()),
             foreign = parsed.value("foreign_cores", json()),
             waited = parsed.value("waited_share", json()), pace = parsed.value("pace", json(0)),
             handover = parsed.value("handover", json(0)),
             figures = parsed.value("figures", json());
  if (!runtime.is_string() || !foreign.is_number() || !waited.is_number() || !pace.is_number() ||
      !handover.is_number() || !figures.is_object() || figures.empty())
    return wrong;
  Round round{runtime.get<std::string>(), foreign.get<double>(),  waited.get<double>(),
              pace.get<double>(),         handover.get<double>(), {}};
  for (const auto &[name, teams] : figures.items()) {
    round.figures[name] = readTeams(teams);
    if (round.figures[name].empty())
      return wrong;
  }
  return round;
}

/// Paces that are this near each other differ by the clock's frequency; those on cores that others
/// compute on, too, are much slower. Lines take several times as long to cores that are elsewhere.
static constexpr double Alike = 0.75;

void Usual::add(double value) {
  if (value <= 0)
    return;
  values.insert(std::ranges::upper_bound(values, value), value);
  std::ptrdiff_t most = 0;
  for (auto last = values.begin(); last != values.end(); ++last) {
    const auto first = std::lower_bound(values.begin(), last, Alike * *last);
    const std::ptrdiff_t alike = last - first + 1;
    if (alike >= most)
      usual = *last;
    most = std::max(most, alike);
  }
}

bool Usual::has(double value) const {
  return value == 0 || usual == 0 || (value >= Alike * usual && value * Alike <= usual);
}

double Usual::apart(double value) const {
  return value > 0 && usual > 0 ? std::abs(std::log(usual / value)) : 0;
}

bool Rounds::isInPlace(const Round &round) const {
  const auto usual = handover.find(round.runtime);
  return usual == handover.end() || usual->second.has(round.handoverNs);
}

bool Rounds::counts(const Round &round) const {
  return round.isQuiet() && pace.has(round.pace) && isInPlace(round);
}

std::vector<double> Rounds::elsewhere() const {
  std::vector<double> ns;
  for (const Round &round : all)
    if (round.isQuiet() && pace.has(round.pace) && !isInPlace(round))
      ns.push_back(round.handoverNs);
  return ns;
}

void Rounds::sort() {
  const auto rank = [&](const Round &round) {
    const auto places = handover.find(round.runtime);
    const double away = places == handover.end() ? 0 : places->second.apart(round.handoverNs);
    const double unusual = pace.apart(round.pace) + away;
    return std::pair(!counts(round), round.foreignCores + round.waitedShare + unusual);
  };
  std::ranges::sort(all, {}, rank);
  numQuiet = static_cast<std::size_t>(
      std::ranges::count_if(all, [&](const Round &round) { return counts(round); }));
}

void Rounds::learn(const Round &round) {
  if (!round.isQuiet())
    return;
  pace.add(round.pace);
  handover[round.runtime].add(round.handoverNs);
}

void Rounds::add(Round round) {
  learn(round);
  all.push_back(std::move(round));
  sort();
}

void Rounds::expectAlike(const Round &other) {
  learn(other);
  sort();
}

double valueOf(const Figures &figures, const std::string &name, unsigned key) {
  const auto named = figures.find(name);
  if (named == figures.end())
    return 0;
  const auto at = named->second.find(key);
  return at == named->second.end() ? 0 : at->second.ns;
}

Figures Rounds::figures() const {
  std::map<std::string, std::map<unsigned, std::vector<double>>> values;
  for (const Round &round : thatCount())
    for (const auto &[name, teams] : round.figures)
      for (const auto &[threads, ns] : teams)
        values[name][threads].push_back(ns);
  Figures figures;
  for (auto &[name, teams] : values)
    for (auto &[threads, sample] : teams)
      figures[name][threads] = figureOf(std::move(sample));
  return figures;
}

} // namespace prophet
