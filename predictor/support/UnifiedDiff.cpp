//===- UnifiedDiff.cpp - The difference of two texts ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Myers, An O(ND) Difference Algorithm (1986), the greedy form: for d = 0, 1, ...
// the furthest line that d insertions and deletions reach on each diagonal.
//
//===----------------------------------------------------------------------===//

#include "predictor/support/UnifiedDiff.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace prophet {

namespace {
using Lines = std::vector<std::string_view>;

/// Each with its line end; the last one perhaps without.
Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// A line of the difference: ' ', '-' or '+', and the places in both texts before it.
struct Step {
  char mark;
  long before, after;
};

class Differ {
public:
  Differ(const Lines &before, const Lines &after)
      : before(before), after(after), offset(static_cast<long>(before.size() + after.size()) + 1),
        furthest(2 * static_cast<std::size_t>(offset) + 1) {}

  std::vector<Step> steps() {
    for (long edits = 0;; ++edits) {
      trace.push_back(furthest);
      for (long diagonal = -edits; diagonal <= edits; diagonal += 2)
        if (advance(edits, diagonal))
          return backtrack();
    }
  }

private:
  /// Whether the diagonal's path is longest by a step down, an insertion.
  bool goesDown(const std::vector<long> &reach, long edits, long diagonal) const {
    auto at = [&](long d) { return reach[static_cast<std::size_t>(offset + d)]; };
    return diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1));
  }

  bool advance(long edits, long diagonal) {
    auto at = [&](long d) -> long & { return furthest[static_cast<std::size_t>(offset + d)]; };
    long x = goesDown(furthest, edits, diagonal) ? at(diagonal + 1) : at(diagonal - 1) + 1;
    long y = x - diagonal;
    const long width = static_cast<long>(before.size()), height = static_cast<long>(after.size());
    while (x < width && y < height &&
           before[static_cast<std::size_t>(x)] == after[static_cast<std::size_t>(y)])
      ++x, ++y;
    at(diagonal) = x;
    return x >= width && y >= height;
  }

  std::vector<Step> backtrack() const {
    std::vector<Step> steps;
    long x = static_cast<long>(before.size()), y = static_cast<long>(after.size());
    for (long edits = static_cast<long>(trace.size()) - 1; edits >= 0; --edits) {
      const std::vector<long> &reach = trace[static_cast<std::size_t>(edits)];
      bool down = goesDown(reach, edits, x - y);
      long diagonal = x - y + (down ? 1 : -1);
      long fromX = edits == 0 ? 0 : reach[static_cast<std::size_t>(offset + diagonal)];
      long fromY = edits == 0 ? 0 : fromX - diagonal;
      while (x > fromX && y > fromY)
        steps.push_back({' ', --x, --y});
      if (edits > 0)
        steps.push_back(down ? Step{'+', x, --y} : Step{'-', --x, y});
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const Lines &before, &after;
  const long offset;
  std::vector<long> furthest;
  std::vector<std::vector<long>> trace;
};

constexpr std::size_t Context = 3;

/// One past the last step of the hunk that begins with the change at `first`.
std::size_t hunkEnd(const std::vector<Step> &steps, std::size_t first) {
  std::size_t end = first, same = 0;
  for (std::size_t i = first; i < steps.size() && same <= 2 * Context; ++i) {
    same = steps[i].mark == ' ' ? same + 1 : 0;
    if (same == 0)
      end = i + 1;
  }
  return std::min(end + Context, steps.size());
}
} // namespace

std::string unifiedDiff(const std::string &name, std::string_view before, std::string_view after) {
  if (before == after)
    return "";
  const Lines old = linesOf(before), fresh = linesOf(after);
  const std::vector<Step> steps = Differ(old, fresh).steps();
  std::string text = fmt::format("--- {0}\n+++ {0}\n", name);
  for (std::size_t i = 0, end; i < steps.size(); i = end) {
    end = i + 1;
    if (steps[i].mark == ' ')
      continue;
    const std::size_t first = i - std::min(i, Context);
    end = hunkEnd(steps, i);
    long removed = 0, added = 0;
    std::string body;
    for (std::size_t s = first; s < end; ++s) {
      removed += steps[s].mark != '+';
      added += steps[s].mark != '-';
      std::string_view line = steps[s].mark == '+' ? fresh[static_cast<std::size_t>(steps[s].after)]
                                                   : old[static_cast<std::size_t>(steps[s].before)];
      body += steps[s].mark;
      body += line;
      if (!line.ends_with('\n'))
        body += "\n\\ No newline at end of file\n";
    }
    text += fmt::format("@@ -{},{} +{},{} @@\n{}", steps[first].before + (removed > 0), removed,
                        steps[first].after + (added > 0), added, body);
  }
  return text;
}

} // namespace prophet
