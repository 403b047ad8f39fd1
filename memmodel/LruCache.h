//===- LruCache.h - A cache that evicts what is unused longest --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fully associative, over lines that are numbered from 0. Every operation takes
// constant time; memory grows with the largest number used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace prophet::memmodel {

class LruCache {
public:
  using Line = std::uint32_t;

  /// \param capacity in lines, at least one
  explicit LruCache(std::size_t capacity) : capacity(capacity) {}

  std::size_t size() const { return count; }
  /// The line that was used least recently, if there is one.
  std::optional<Line> last() const { return oldest == None ? std::nullopt : std::optional(oldest); }
  bool contains(Line line) const { return line < links.size() && links[line].isIn; }

  /// Makes `line` the one used last. Returns the line that has to go for it, if one has.
  std::optional<Line> use(Line line) {
    if (line >= links.size())
      links.resize(line + 1);
    std::optional<Line> evicted;
    if (links[line].isIn) {
      if (line == newest)
        return std::nullopt;
      unlink(line);
    } else if (count == capacity) {
      evicted = oldest;
      erase(oldest);
    }
    links[line] = {newest, None, true};
    (newest == None ? oldest : links[newest].newer) = line;
    newest = line;
    ++count;
    return evicted;
  }

  void erase(Line line) {
    if (!contains(line))
      return;
    unlink(line);
    links[line].isIn = false;
  }

private:
  static constexpr Line None = std::numeric_limits<Line>::max();
  struct Link {
    Line older = None, newer = None;
    bool isIn = false;
  };

  std::vector<Link> links;
  Line oldest = None, newest = None;
  std::size_t capacity, count = 0;

  void unlink(Line line) {
    const Link link = links[line];
    (link.older == None ? oldest : links[link.older].newer) = link.newer;
    (link.newer == None ? newest : links[link.newer].older) = link.older;
    --count;
  }
};

} // namespace prophet::memmodel
