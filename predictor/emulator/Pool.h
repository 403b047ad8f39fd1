//===- Pool.h - Things that come and go -------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace prophet {

/// Numbered things; those that are given back are taken again, as they were left.
template <typename Thing> class Pool {
public:
  Thing &operator[](std::uint32_t id) { return things[id]; }
  const Thing &operator[](std::uint32_t id) const { return things[id]; }

  std::uint32_t take() {
    if (unused.empty()) {
      things.emplace_back();
      return static_cast<std::uint32_t>(things.size() - 1);
    }
    const std::uint32_t id = unused.back();
    unused.pop_back();
    return id;
  }
  void give(std::uint32_t id) { unused.push_back(id); }

  /// `count` things like `thing`, all of them taken.
  void assign(std::size_t count, const Thing &thing) {
    things.assign(count, thing);
    unused.clear();
  }

private:
  std::vector<Thing> things;
  std::vector<std::uint32_t> unused;
};

} // namespace prophet
