//===- mutator.h - Damaged texts --------------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <random>
#include <span>
#include <string>

namespace prophet::test {

/// Damages text in the ways files and hand-written trees go wrong.
class Mutator {
public:
  /// \param pieces of such text, to be put in anywhere; they outlive the mutator
  Mutator(unsigned seed, std::span<const char *const> pieces) : random(seed), pieces(pieces) {}

  std::string mutate(std::string text) {
    for (unsigned n = 1 + below(3); n > 0; --n)
      change(text);
    return text;
  }

private:
  std::size_t below(std::size_t limit) { return random() % limit; }

  void change(std::string &text) {
    if (text.empty())
      return;
    std::size_t at = below(text.size());
    switch (below(6)) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.resize(at);
      break;
    case 2:
      text.erase(at, 1 + below(12));
      break;
    case 3:
      text.insert(at, text.substr(below(text.size()), 1 + below(40)));
      break;
    case 4:
      text.insert(at, pieces[below(pieces.size())]);
      break;
    case 5: { // another number where one was: still JSON, rarely what it was
      std::size_t digit = text.find_first_of("0123456789", at);
      if (digit != text.npos)
        text[digit] = static_cast<char>('0' + below(10));
      break;
    }
    }
  }

  std::mt19937 random;
  std::span<const char *const> pieces;
};

} // namespace prophet::test
