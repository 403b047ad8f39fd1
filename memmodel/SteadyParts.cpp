//===- SteadyParts.cpp - Parts of a log that repeat each other ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/SteadyParts.h"

namespace prophet::memmodel {

bool SteadyParts::repeats(std::size_t part, std::size_t before) const {
  const AccessLog::Part &a = log.parts[part], &b = log.parts[before];
  return a.site == b.site && a.size == b.size && a.first == b.first && a.count == b.count &&
         (!areAlike || isEnough() || areAlike(part, before));
}

void SteadyParts::add() {
  const std::size_t number = byPart.size() - 1;
  const AccessLog::Part &part = log.parts[number];
  for (std::size_t i = part.first; i < part.first + part.count; ++i)
    replayed += log.tasks[i].count;
  const auto [known, isNew] =
      last.try_emplace({part.site, part.size, part.first, part.count}, number);
  if (distance == 0 || number < distance || !repeats(number, number - distance)) {
    distance = isNew ? 0 : number - known->second; // the one of its kind before it
    steady = 0;
  }
  known->second = number;
  const bool moves = distance > 0 && repeats(number, number - distance) &&
                     (isEnough() || byPart[number] == byPart[number - distance]);
  steady = moves ? steady + 1 : 0;
}

std::size_t SteadyParts::next() const {
  if (distance == 0 || steady < 2 * distance)
    return 0;
  const std::size_t begin = byPart.size();
  std::size_t count = 0;
  while (begin + count < log.parts.size() && repeats(begin + count, begin + count - distance))
    ++count;
  return count > distance ? (count / distance - 1) * distance : 0;
}

} // namespace prophet::memmodel
