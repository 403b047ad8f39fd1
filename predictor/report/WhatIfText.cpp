//===- WhatIfText.cpp - Changed programs beside the one as it is ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/WhatIfText.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prophet {

/// Of a change; a longer one has a line of its own.
static constexpr std::size_t LongestName = 48;
static constexpr std::size_t ColumnsPerBlock = 6;

namespace {
/// The grid of changes and thread counts, in blocks of columns.
class Grid {
public:
  Grid(const Prediction &prediction, Style style, std::size_t nameWidth)
      : prediction(prediction), style(style), width(nameWidth) {
    for (const WhatIfPrediction &whatIf : prediction.whatIfs)
      width = std::max(width, std::min(printable(whatIf.text).size() + 1, LongestName));
  }

  /// The columns of thread counts number `first` to `last` - 1.
  std::string block(std::size_t first, std::size_t last) const;

private:
  const Prediction &prediction;
  Style style;
  std::size_t width;

  /// The highest speedup of `points`, which are ordered as the prediction's, on thread count `t`.
  double bestAt(const std::vector<PredictionPoint> &points, std::size_t t) const {
    double speedup = 0;
    for (std::size_t i = t; i < points.size(); i += prediction.threads.size())
      speedup = std::max(speedup, points[i].estimate.speedup);
    return speedup;
  }
};
} // namespace

std::string Grid::block(std::size_t first, std::size_t last) const {
  const auto row = [&](const std::string &name, auto cell) {
    std::string result = fmt::format("  {:<{}}", name, width);
    for (std::size_t t = first; t < last; ++t)
      result += fmt::format("{:>8}", cell(t));
    return result;
  };
  const auto asItIs = [&](std::size_t t) { return bestAt(prediction.points, t); };
  std::string text =
      style.dim(row("threads", [&](std::size_t t) { return prediction.threads[t]; })) + "\n";
  text += row("as it is", [&](std::size_t t) { return formatSpeedup(asItIs(t)); }) + "\n";
  for (const WhatIfPrediction &whatIf : prediction.whatIfs) {
    const auto changed = [&](std::size_t t) { return bestAt(whatIf.points, t); };
    std::string name = printable(whatIf.text);
    if (name.size() >= LongestName) {
      text += "  " + name + "\n";
      name.clear();
    }
    text += row(name, [&](std::size_t t) { return formatSpeedup(changed(t)); }) + "\n";
    text += style.dim(row("", [&](std::size_t t) {
      const double percent = std::round(100 * (changed(t) / asItIs(t) - 1));
      return percent == 0 ? "0 %" : fmt::format("{:+.0f} %", percent);
    })) + "\n";
  }
  return text;
}

std::string renderWhatIfs(const Prediction &prediction, Style style, std::size_t nameWidth) {
  if (prediction.whatIfs.empty())
    return "";
  const Grid grid(prediction, style, nameWidth);
  const std::size_t columns = prediction.threads.size();
  std::string text =
      "\n" +
      style.bold("What if, under the best of these schedules, over the serial run as it is") + "\n";
  for (std::size_t first = 0; first < columns; first += ColumnsPerBlock)
    text += (first > 0 ? "\n" : "") + grid.block(first, std::min(first + ColumnsPerBlock, columns));
  return text;
}

} // namespace prophet
