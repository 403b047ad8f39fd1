//===- CyclicSet.h - The next member round a circle -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace prophet {

/// Some of the numbers 0 to size - 1, all at first. A bit a number, and a bit for each word of
/// those, so that the next member is found in a few steps for any team.
class CyclicSet {
public:
  explicit CyclicSet(std::size_t size)
      : members((size + 63) / 64, ~Word(0)), summary((members.size() + 63) / 64) {
    if (size % 64)
      members.back() >>= 64 - size % 64;
    for (std::size_t word = 0; word < members.size(); ++word)
      set(summary, word);
  }

  void insert(std::size_t number) {
    set(members, number);
    set(summary, number / 64);
  }

  void erase(std::size_t number) {
    members[number / 64] &= ~(Word(1) << number % 64);
    if (members[number / 64] == 0)
      summary[number / 64 / 64] &= ~(Word(1) << number / 64 % 64);
  }

  /// The first member that is not below `from`; none where all are.
  std::optional<std::size_t> atOrAfter(std::size_t from) const {
    if (from / 64 >= members.size())
      return std::nullopt;
    if (const Word word = members[from / 64] >> from % 64)
      return from + static_cast<std::size_t>(std::countr_zero(word));
    const std::size_t next = from / 64 + 1; // the first of the words that may have it
    for (std::size_t at = next / 64; at < summary.size(); ++at) {
      const Word words = at == next / 64 ? summary[at] >> next % 64 << next % 64 : summary[at];
      if (words == 0)
        continue;
      const std::size_t found = at * 64 + static_cast<std::size_t>(std::countr_zero(words));
      return found * 64 + static_cast<std::size_t>(std::countr_zero(members[found]));
    }
    return std::nullopt;
  }

private:
  using Word = std::uint64_t;
  std::vector<Word> members, summary;

  static void set(std::vector<Word> &words, std::size_t bit) {
    words[bit / 64] |= Word(1) << bit % 64;
  }
};

} // namespace prophet
