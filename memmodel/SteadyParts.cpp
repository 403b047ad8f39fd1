//===- SteadyParts.cpp - Parts of a log that repeat each other ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/SteadyParts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace prophet::memmodel {

SteadyParts::SteadyParts(const AccessLog &log,
                         const std::function<bool(std::size_t part, std::size_t before)> &areAlike,
                         const PartTraffics &byPart)
    : log(log), areAlike(areAlike), byPart(byPart) {
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::size_t, std::size_t>, std::uint32_t> known;
  kinds.reserve(log.parts.size());
  for (const AccessLog::Part &part : log.parts) {
    const auto number = static_cast<std::uint32_t>(known.size());
    kinds.push_back(
        known.try_emplace({part.site, part.size, part.first, part.count}, number).first->second);
  }
  last.assign(known.size(), None);
}

void SteadyParts::add(bool isReplayed) {
  const std::size_t number = byPart.size() - 1;
  const AccessLog::Part &part = log.parts[number];
  if (isReplayed)
    for (std::size_t i = part.first; i < part.first + part.count; ++i)
      replayed += log.tasks[i].count;
  std::size_t &before = last[kinds[number]];
  const std::size_t distance = before == None ? 0 : number - before;
  before = number;
  const auto bits = static_cast<std::size_t>(std::bit_width(distance));
  for (std::size_t i = 1; i < rounds.size(); ++i) {
    Round &round = rounds[i];
    if (round.distance > 0 && !repeats(number, number - round.distance))
      round = {};
    if (round.distance == 0 && i == bits && repeats(number, number - distance))
      round.distance = distance;
    if (round.distance > 0)
      round.steady = byPart.areSame(number, number - round.distance) ? round.steady + 1 : 0;
  }
}

SteadyParts::Skip SteadyParts::next() {
  const std::size_t begin = byPart.size();
  if (replayed > EnoughReferences) {
    const std::size_t before = last[kinds[begin]];
    return before == None ? Skip{} : Skip{1, begin - before};
  }
  for (Round &round : rounds) {
    if (round.distance == 0 || round.steady < 2 * round.distance)
      continue;
    round.end = std::max(round.end, begin);
    while (round.end < log.parts.size() && repeats(round.end, round.end - round.distance))
      ++round.end;
    if (const std::size_t times = (round.end - begin) / round.distance; times >= 2)
      return {(times - 1) * round.distance, round.distance, true};
  }
  return {};
}

} // namespace prophet::memmodel
