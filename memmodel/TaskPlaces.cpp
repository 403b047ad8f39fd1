//===- TaskPlaces.cpp - Where a thread's tasks in a row move lines --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/TaskPlaces.h"

#include <algorithm>
#include <cmath>

namespace prophet::memmodel {

PlaceUses &PlaceUses::operator+=(const PlaceUses &other) {
  for (std::size_t place = 0; place < taskPlaces; ++place)
    for (double PlaceUse::*const use : placeUses)
      (*this)[place].*use += other[place].*use;
  return *this;
}

PlaceUses PlaceUses::scaled(double factor) const {
  PlaceUses result = *this;
  for (PlaceUse &place : result)
    for (double PlaceUse::*const use : placeUses)
      place.*use *= factor;
  return result;
}

double PlaceUses::crowding() const {
  double used = 0, ahead = 0, around = 0; // the last: beside each that is fetched, where that is
  for (const PlaceUse &place : *this) {
    used += place.used;
    ahead += place.ahead;
    around += place.used > 0 ? place.ahead * place.ahead / place.used : 0;
  }
  return ahead > 0 ? std::max(1.0, around / ahead * used / ahead) : 1;
}

double PlaceUses::movedInARow(double PlaceUse::*moved, double PlaceUse::*of, double tasks) const {
  const auto share = [&](const PlaceUse &place) {
    return place.*of > 0 ? place.*moved / place.*of : 0;
  };
  double most = 0;
  for (const PlaceUse &place : *this)
    most = std::max(most, share(place));
  const auto has = [&](TaskPlace place) { // a place that the sample lacks is as the others are
    return most > 0 && at(place).*of > 0 ? share(at(place)) / most : 1;
  };
  const double first = has(TaskPlace::First), last = has(TaskPlace::Last);
  const double row = std::max(2.0, tasks), others = row - 2;
  const double between = others > 0 ? has(TaskPlace::Between) : 0;
  const double isBetween = std::min(1.0, others); // the second task, and the last but one
  const double all = first + others * between + last;
  // Runs of them end where the next task has none.
  const double ends = first * (1 - std::lerp(last, between, isBetween)) +
                      std::max(0.0, others - 1) * between * (1 - between) +
                      isBetween * between * (1 - last) + last;
  const double inRow = ends > 0 ? std::clamp(all / ends, 1.0, row) : 1;
  return std::lerp(1.0, inRow, std::min(1.0, tasks - 1)); // some are alone, and others two
}

std::optional<double> PlaceUses::ownBehindEnds() const {
  const PlaceUse &alone = at(TaskPlace::Alone), &first = at(TaskPlace::First);
  const double stored = alone.stored + first.stored;
  if (stored <= 0)
    return std::nullopt;
  return std::min(1.0, (alone.ownWritten + first.ownWritten) / stored);
}

} // namespace prophet::memmodel
