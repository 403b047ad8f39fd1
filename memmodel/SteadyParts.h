//===- SteadyParts.h - Parts of a log that repeat each other ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An iterative program does the same again and again, and after a few iterations its
// caches do, too: what one moves the next one will. Then there is no need to replay
// all of them. Where they go on to differ, as they are dealt by how long tasks happened to
// take, so many are replayed as have `MostReplayed` references.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/AccessLog.h"

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

namespace prophet::memmodel {

class SteadyParts {
public:
  static constexpr std::size_t MostReplayed = std::size_t(1) << 20;

  /// \param areAlike TaskTimes::areAlike
  /// \param byPart what the parts have moved so far, one for each call of add()
  SteadyParts(const AccessLog &log,
              const std::function<bool(std::size_t part, std::size_t before)> &areAlike,
              const std::vector<Traffic> &byPart)
      : log(log), areAlike(areAlike), byPart(byPart) {}

  /// The last one of `byPart` is there, by replaying it.
  void add();
  /// How many of the next parts repeat those that are period() before them, and move what those
  /// have, since parts have done so for two periods; behind MostReplayed references whatever they
  /// move, and however they are dealt. The last period of such parts is not among them, so that
  /// caches have what it leaves there.
  std::size_t next() const;
  std::size_t period() const { return distance; }

private:
  const AccessLog &log;
  const std::function<bool(std::size_t part, std::size_t before)> &areAlike;
  const std::vector<Traffic> &byPart;
  /// By what parts do: the last one.
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::size_t, std::size_t>, std::size_t> last;
  std::size_t distance = 0; ///< from the part that one repeats; 0: it repeats none
  std::size_t steady = 0;   ///< so many parts in a row have repeated those, and moved the same
  std::size_t replayed = 0; ///< references

  bool repeats(std::size_t part, std::size_t before) const;
  bool isEnough() const { return replayed > MostReplayed; }
};

} // namespace prophet::memmodel
