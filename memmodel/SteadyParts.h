//===- SteadyParts.h - Parts of a log that repeat each other ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An iterative program does the same again and again, and after a few iterations its
// caches do, too: what one moves the next one will. Then there is no need to replay
// all of them. Where they go on to differ, as they are dealt by how long tasks happened
// to take, or come in another order each time, it is enough to have replayed many.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/PartsReplay.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace prophet::memmodel {

class SteadyParts {
public:
  static constexpr std::size_t EnoughReferences = std::size_t(1) << 20;

  /// \param areAlike TaskTimes::areAlike
  /// \param byPart what the parts have moved so far, one for each call of add()
  SteadyParts(const AccessLog &log,
              const std::function<bool(std::size_t part, std::size_t before)> &areAlike,
              const PartTraffics &byPart);

  /// The last one of `byPart` is there. \param isReplayed or left out
  void add(bool isReplayed);

  /// Parts that need not be replayed: each moves what the one `period` before it has.
  struct Skip {
    std::size_t count = 0, period = 0;
    bool isRound = false; ///< they repeat whole periods, over which nothing else is used
  };
  /// Of the parts that are next. They repeat those before them, and parts have moved the same for
  /// two periods, of which the shortest one counts; those of the last whole period are not among
  /// them, so that caches have what these leave. Or EnoughReferences have been replayed: then every
  /// part is left out that did what one before it did, however it is dealt.
  Skip next();

private:
  static constexpr std::size_t None = std::numeric_limits<std::size_t>::max();
  /// Parts that repeat those so far before them.
  struct Round {
    std::size_t distance = 0; ///< 0: there are none
    std::size_t steady = 0;   ///< so many parts in a row have, and moved the same
    std::size_t end = 0;      ///< the first one that is known not to
  };

  const AccessLog &log;
  const std::function<bool(std::size_t part, std::size_t before)> &areAlike;
  const PartTraffics &byPart;
  std::vector<std::uint32_t> kinds; ///< by part: those of a kind do the same
  std::vector<std::size_t> last;    ///< part of each kind so far, or None
  /// By the number of bits of the distance: inner loops go round in fewer parts than outer ones.
  std::array<Round, std::numeric_limits<std::size_t>::digits + 1> rounds;
  std::size_t replayed = 0; ///< references

  bool repeats(std::size_t part, std::size_t before) const {
    return kinds[part] == kinds[before] && (!areAlike || areAlike(part, before));
  }
};

} // namespace prophet::memmodel
