//===- ValidationTable.cpp - Validations for people -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/PageLayout.h"
#include "predictor/support/Text.h"
#include "predictor/validation/ValidationText.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace prophet {

namespace {

/// "+2.1 %"
std::string formatError(double error) { return fmt::format("{:+.1f} %", 100 * error); }

/// "1.93x (1.92x to 1.94x)"
std::string formatSpeedups(const Spread &spread) {
  return fmt::format(
      "{:>6} {:<20}", formatSpeedup(spread.median),
      fmt::format("({} to {})", formatSpeedup(spread.low), formatSpeedup(spread.high)));
}

/// Renders one validation, top to bottom.
class Table {
public:
  Table(const Tree &tree, const Validation &validation, const Validation *corrected, Style style)
      : tree(tree), validation(validation), corrected(corrected), style(style) {
    for (const ValidatedPoint &point : validation.points)
      scheduleWidth = std::max(scheduleWidth, point.predicted.scheduleName().size());
  }

  std::string render() {
    line("{}", style.bold(fmt::format(
                   "{}: predicted beside measured, {} {}; the serial program takes {} ({} to {})",
                   printable(validation.source), validation.rounds,
                   validation.rounds == 1 ? "round" : "rounds",
                   formatSeconds(validation.serialSeconds.median),
                   formatSeconds(validation.serialSeconds.low),
                   formatSeconds(validation.serialSeconds.high))));
    line("");
    writePoints();
    line("");
    writeSummary();
    line("");
    writeSites();
    for (const std::string &warning : validation.warnings)
      line("{}", style.warn(wrapped("Warning: " + warning, Width, 0)));
    return std::move(text);
  }

private:
  template <typename... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }

  void writePoints() {
    const std::string ownBodies = corrected ? "  with bodies' own time" : "";
    line("  {}", style.dim(fmt::format("threads  {:<{}}  predicted  measured{:20}    error{}",
                                       "schedule", scheduleWidth, "", ownBodies)));
    for (std::size_t i = 0; i < validation.points.size(); ++i) {
      const ValidatedPoint &point = validation.points[i];
      std::string row = fmt::format("  {:>7}  {:<{}}  {:>9}   {}{:>8}", point.predicted.threads,
                                    point.predicted.scheduleName(), scheduleWidth,
                                    formatSpeedup(point.predicted.estimate.speedup),
                                    formatSpeedups(point.speedup), formatError(point.error()));
      if (corrected)
        row += fmt::format("  {:>10} {:>10}",
                           formatSpeedup(corrected->points[i].predicted.estimate.speedup),
                           formatError(corrected->points[i].error()));
      line("{}", row);
    }
  }

  static std::string sumUp(const Validation &validation) {
    const auto worst = std::ranges::max_element(
        validation.points, {}, [](const auto &point) { return std::abs(point.error()); });
    return fmt::format("{:.1f} % in the mean, {:.1f} % at most ({}, {})",
                       100 * validation.meanError(), 100 * validation.largestError(),
                       formatThreads(worst->predicted.threads), worst->predicted.scheduleName());
  }

  void writeSummary() {
    line("Off by {}.", sumUp(validation));
    if (corrected)
      line("With the time that loop bodies take as OpenMP's: off by {}.", sumUp(*corrected));
    const double oneThread = validation.oneThreadSpeedup.median;
    line("{}", wrapped(fmt::format("On one thread the OpenMP program is {} as fast as the serial "
                                   "one ({} to {}).",
                                   formatSpeedup(oneThread),
                                   formatSpeedup(validation.oneThreadSpeedup.low),
                                   formatSpeedup(validation.oneThreadSpeedup.high)),
                       Width, 0));
    writeOutside();
  }

  /// Where the runtime's start and end are a noticeable part of the program.
  void writeOutside() {
    const auto &outside = validation.outsideSeconds;
    if (!outside || outside->median < 0.002 * validation.serialSeconds.median)
      return;
    line("{}", wrapped(fmt::format("Outside of its parallel regions it takes {:.1f} ms longer "
                                   "({:.1f} to {:.1f}): OpenMP's runtime starts and ends, which no "
                                   "prediction has. A larger input makes it matter less.",
                                   1e3 * outside->median, 1e3 * outside->low, 1e3 * outside->high),
                       Width, 0));
  }

  void writeSites() {
    line("{}", style.bold("Sites, on one thread beside the prediction of that"));
    for (std::size_t i = 0; i < tree.sites.size(); ++i) {
      const Site &site = tree.sites[i];
      const CheckedSite &found = validation.sites[i];
      const std::string place =
          fmt::format("{}  {}:{}", printable(site.name, 40), printable(site.file, 60), site.line);
      line("  {}: {}", place,
           found.oneThread
               ? fmt::format("{:.3f} times as long ({:.3f} to {:.3f})", found.oneThread->median,
                             found.oneThread->low, found.oneThread->high)
               : "not known, since " + found.why);
      for (const ValidatedPoint &point : validation.points)
        if (const auto &speedup = point.sites[i])
          line("    {:>7}  {:<{}}  {:>7}   {}{:>8}", point.predicted.threads,
               point.predicted.scheduleName(), scheduleWidth,
               formatSpeedup(point.predicted.estimate.sites[i].speedup), formatSpeedups(*speedup),
               formatError(point.predicted.estimate.sites[i].speedup / speedup->median - 1));
    }
  }

  const Tree &tree;
  const Validation &validation;
  const Validation *corrected;
  Style style;
  std::size_t scheduleWidth = 8;
  std::string text;
};

} // namespace

std::string renderValidationTable(const Tree &tree, const Validation &validation,
                                  const Validation *corrected, Style style) {
  return Table(tree, validation, corrected, style).render();
}

} // namespace prophet
