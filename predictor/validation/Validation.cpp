//===- Validation.cpp - Predicted beside measured -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/validation/Validation.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace prophet {

namespace fs = std::filesystem;

Spread spreadOf(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values.front(), values.back()};
}

/// Whether a site of `site`'s name for its file is in `file`, which may be named from elsewhere.
static bool isInFile(const std::string &site, const std::string &file) {
  return fs::path(site).filename() == fs::path(file).filename() &&
         (!fs::path(site).is_absolute() || !fs::path(file).is_absolute() ||
          fs::path(site).lexically_normal() == fs::path(file).lexically_normal());
}

/// The site whose annotation is nearest to `line`, at most `beside` lines away. The number of sites
/// where there is none, or more than one that is as near.
static std::size_t nearestSite(const Tree &tree, const CodeLine &line, std::uint32_t beside) {
  std::size_t found = tree.sites.size();
  std::uint32_t least = beside + 1;
  for (std::size_t i = 0; i < tree.sites.size(); ++i) {
    const Site &site = tree.sites[i];
    const std::uint32_t away = std::max(site.line, line.line) - std::min(site.line, line.line);
    if (away > least || away > beside || !isInFile(site.file, line.file))
      continue;
    found = away < least ? i : tree.sites.size();
    least = away;
  }
  return found;
}

std::vector<std::optional<SiteTime>> timesOfSites(const Tree &tree,
                                                  const std::vector<RegionTime> &regions,
                                                  const CodeLines &lines, unsigned beside) {
  std::vector<std::optional<SiteTime>> times(tree.sites.size());
  for (const RegionTime &region : regions) {
    const auto line = lines.find({region.object, region.address});
    const std::size_t site =
        line == lines.end() ? tree.sites.size() : nearestSite(tree, line->second, beside);
    if (site == tree.sites.size())
      continue;
    if (!times[site])
      times[site].emplace();
    times[site]->regions += region.regions; // a template's, say, has several places
    times[site]->seconds += region.seconds;
  }
  return times;
}

/// One value of each round, where every round has one.
template <typename ValueOf>
static std::optional<Spread> spread(const std::vector<ValidationRound> &rounds,
                                    const ValueOf &valueOf) {
  std::vector<double> values;
  for (const ValidationRound &round : rounds) {
    const std::optional<double> value = valueOf(round);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return spreadOf(std::move(values));
}

/// How much longer `time` is than `serial` says, which are of the same regions; nothing where they
/// are not.
static std::optional<double> ratioOf(const std::optional<SiteTime> &time, const SiteTime &serial) {
  if (!time || time->regions != serial.regions || !(serial.seconds > 0) || !(time->seconds > 0))
    return std::nullopt;
  return time->seconds / serial.seconds;
}

static std::string whyNot(const std::vector<ValidationRound> &rounds, std::size_t site) {
  const SiteTime &serial = rounds.front().serialSites[site];
  const std::optional<SiteTime> &time = rounds.front().oneThread.sites[site];
  if (serial.regions == 0)
    return "it only runs inside other parallel regions";
  if (!time)
    return "no parallel region of the OpenMP program was opened at its line";
  if (time->regions != serial.regions)
    return fmt::format("the OpenMP program opened {:.0f} regions there, the serial one {:.0f}",
                       time->regions, serial.regions);
  return "its rounds ran it another number of times";
}

/// How long site number `site` takes on one thread, beside the prediction of that.
static CheckedSite validateSite(const Estimate &oneThread,
                                const std::vector<ValidationRound> &rounds, std::size_t site) {
  const SiteEstimate &predicted = oneThread.sites[site];
  const double overheads = predicted.serialTicks > 0 ? predicted.ticks / predicted.serialTicks : 1;
  CheckedSite result;
  result.oneThread = spread(rounds, [&](const ValidationRound &round) {
    const auto ratio = ratioOf(round.oneThread.sites[site], round.serialSites[site]);
    return ratio ? std::optional(*ratio / overheads) : std::nullopt;
  });
  constexpr double Most = 1000; // no compiler does that: it is another program
  if (!result.oneThread)
    result.why = whyNot(rounds, site);
  else if (result.oneThread->high > Most || result.oneThread->low < 1 / Most)
    result = {std::nullopt, "its rounds took less than a thousandth, or more than a thousand times "
                            "as long as the serial program's"};
  return result;
}

/// How much longer than the serial program `run` takes outside of parallel regions.
static std::optional<double> outsideOf(const ValidationRound &round, const OpenMPRun &run) {
  double extra = run.seconds - round.serialSeconds;
  for (std::size_t site = 0; site < round.serialSites.size(); ++site) {
    if (round.serialSites[site].regions == 0)
      continue;
    if (!ratioOf(run.sites[site], round.serialSites[site]))
      return std::nullopt;
    extra += round.serialSites[site].seconds - run.sites[site]->seconds;
  }
  return extra;
}

/// The same of all rounds and runs.
static std::optional<Spread> outsideOf(const std::vector<ValidationRound> &rounds) {
  std::vector<double> all;
  for (const ValidationRound &round : rounds)
    for (const OpenMPRun &run : round.runs) {
      const auto extra = outsideOf(round, run);
      if (!extra)
        return std::nullopt;
      all.push_back(*extra);
    }
  return all.empty() ? std::nullopt : std::optional(spreadOf(std::move(all)));
}

Validation validate(const Tree &tree, const Estimate &oneThread,
                    const std::vector<PredictionPoint> &points,
                    const std::vector<ValidationRound> &rounds) {
  Validation result;
  result.rounds = rounds.size();
  result.serialSeconds = *spread(
      rounds, [](const ValidationRound &round) { return std::optional(round.serialSeconds); });
  result.oneThreadSpeedup = *spread(rounds, [](const ValidationRound &round) {
    return std::optional(round.serialSeconds / round.oneThread.seconds);
  });
  result.outsideSeconds = outsideOf(rounds);
  for (std::size_t site = 0; site < tree.sites.size(); ++site)
    result.sites.push_back(validateSite(oneThread, rounds, site));
  for (std::size_t i = 0; i < points.size(); ++i) {
    ValidatedPoint &point = result.points.emplace_back();
    point.predicted = points[i];
    point.speedup = *spread(rounds, [&](const ValidationRound &round) {
      return std::optional(round.serialSeconds / round.runs[i].seconds);
    });
    for (std::size_t site = 0; site < tree.sites.size(); ++site)
      point.sites.push_back(
          spread(rounds, [&](const ValidationRound &round) -> std::optional<double> {
            const auto ratio = ratioOf(round.runs[i].sites[site], round.serialSites[site]);
            return ratio ? std::optional(1 / *ratio) : std::nullopt;
          }));
  }
  return result;
}

double Validation::meanError() const {
  double sum = 0;
  for (const ValidatedPoint &point : points)
    sum += std::abs(point.error());
  return points.empty() ? 0 : sum / static_cast<double>(points.size());
}

double Validation::largestError() const {
  double largest = 0;
  for (const ValidatedPoint &point : points)
    largest = std::max(largest, std::abs(point.error()));
  return largest;
}

} // namespace prophet
