//===- PredictionTable.cpp - Predictions for people -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/PredictionTable.h"

#include "predictor/emulator/WrittenClauses.h"
#include "predictor/report/Advice.h"
#include "predictor/report/IntervalText.h"
#include "predictor/report/OutlookText.h"
#include "predictor/report/PageLayout.h"
#include "predictor/report/PredictionNotes.h"
#include "predictor/report/SynthesizedText.h"
#include "predictor/report/WaterfallText.h"
#include "predictor/report/WhatIfText.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace prophet {

static constexpr std::size_t MaxSitesShown = 12;

static std::string howItRuns(const PredictionPoint &point, bool hasLoops) {
  if (point.isWritten())
    return ", the written schedules";
  if (point.isSplit())
    return ", loops split into tasks";
  return hasLoops ? ", schedule(" + point.scheduleName() + ")" : "";
}

namespace {
/// Renders one prediction, top to bottom.
class Table {
public:
  Table(const Prediction &prediction, Style style)
      : prediction(prediction), style(style), tree(*prediction.tree), best(bestPoint(prediction)),
        hasLoops(hasScheduledLoops(tree)) {
    order.resize(prediction.schedules.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t schedule : order)
      nameWidth = std::max(nameWidth, nameOf(schedule).size() + 1);
    auto rank = [&](std::size_t a) { return std::tuple(!holdsBest(a), -bestOf(a), a); };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
    bool isShown = false;
    std::erase_if(order, [&](std::size_t schedule) {
      return isAnySchedule(tree, prediction.schedules[schedule]) && std::exchange(isShown, true);
    });
  }

  std::string render(Detail asked) {
    detail = asked;
    if (detail == Detail::Full)
      writeHead();
    writeGrid();
    text += renderWhatIfs(prediction, style, nameWidth);
    text += renderSynthesizedGrid(prediction, style, nameWidth, detail == Detail::Full);
    if (detail == Detail::Full) {
      writeLosses();
      writeOutlook();
      writeSites();
      line("");
      for (const std::string &note : describeModel(prediction))
        line("{}", style.dim(wrapped(note, Width, 0)));
    }
    return std::move(text);
  }

private:
  template <typename... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }

  double bestOf(std::size_t schedule) const {
    double speedup = 0;
    for (std::size_t t = 0; t < prediction.threads.size(); ++t)
      speedup = std::max(speedup, prediction.at(schedule, t).estimate.speedup);
    return speedup;
  }

  bool holdsBest(std::size_t schedule) const {
    const PredictionPoint *first = &prediction.at(schedule, 0);
    return &best >= first && &best < first + prediction.threads.size();
  }

  std::string nameOf(std::size_t schedule) const {
    return rowName(tree, prediction.schedules[schedule]);
  }

  /// Whether an estimate on the `t`th number of threads goes by overheads that were not measured,
  /// as a note below says.
  bool isMarked(std::size_t t) const {
    return detail == Detail::Full && std::ranges::any_of(order, [&](std::size_t schedule) {
             return isExtrapolated(prediction, prediction.at(schedule, t));
           });
  }

  std::string headline() const;
  std::optional<Schedule> betterSchedule(std::uint32_t id, double speedup) const;
  void writeHead();
  void writeGrid();
  std::string autoChoices(std::size_t schedule) const;
  void writeGridBlock(std::size_t first, std::size_t last);
  void writeLosses();
  void writeOutlook();
  void writeSites();
  std::string remark(const Site &site, const PredictionPoint &point, const SitePlace &place) const;
  void writeSite(std::uint32_t id, const SitePlace &place);

  const Prediction &prediction;
  Style style;
  const Tree &tree;
  const PredictionPoint &best;
  const bool hasLoops;            ///< else one row stands for all schedules
  std::vector<std::size_t> order; ///< of schedules, best first
  Detail detail = Detail::Full;
  std::size_t nameWidth = 14; ///< columns of a schedule's name
  std::string text;
};
} // namespace

std::string Table::headline() const {
  std::string speedup = formatSpeedup(best.estimate.speedup);
  if (best.estimate.speedup < 1.005) {
    bool isFound = false;
    for (std::uint32_t site = 0; site < tree.sites.size(); ++site) {
      const Estimate &estimate = bestPointFor(prediction, best, site).estimate;
      isFound |= betterSchedule(site, estimate.sites[site].speedup).has_value();
    }
    return style.warn("No gain") + (isFound ? " under these schedules (but see below)" : "") +
           ", the best is " + speedup;
  }
  return style.good("Maximum gain " + speedup);
}

void Table::writeHead() {
  for (const std::string &warning : prediction.warnings)
    line("{}", style.warn(wrapped("warning: " + warning, Width, 0)));
  std::string command = printable(fmt::format("{}", fmt::join(tree.command, " ")), 60);
  line("{}{}{}", printable(prediction.treeName), command.empty() ? "" : ": ", command);

  double serial = best.estimate.serialTicks;
  double limit = maximumGain(tree);
  line("Serial run {}{}, {} of it in parallel sections{}", formatSeconds(serial / tree.timebaseHz),
       describeRuns(prediction), formatShare(limit > 0 ? 1 - 1 / limit : 0),
       std::isfinite(limit) ? "; no schedule can gain more than " + formatSpeedup(limit) : "");
  line("");
  line("{}: {}{}{}", headline(), formatThreads(best.threads),
       best.cores == best.threads
           ? ""
           : fmt::format(" on {} core{}", best.cores, best.cores == 1 ? "" : "s"),
       howItRuns(best, hasLoops));
  line("");
}

void Table::writeGridBlock(std::size_t first, std::size_t last) {
  std::string header = fmt::format("  {:<{}}", "threads", nameWidth);
  for (std::size_t t = first; t < last; ++t)
    header +=
        fmt::format("{:>8}", fmt::format("{}{}", prediction.threads[t], isMarked(t) ? "*" : ""));
  line("{}", style.dim(header));
  for (std::size_t schedule : order) {
    std::string row = fmt::format("  {:<{}}", nameOf(schedule), nameWidth);
    bool hasBest = false;
    for (std::size_t t = first; t < last; ++t) {
      const PredictionPoint &point = prediction.at(schedule, t);
      std::string cell = fmt::format("{:>8}", formatSpeedup(point.estimate.speedup));
      hasBest |= &point == &best;
      row += &point == &best ? style.good(cell) : cell;
    }
    line("{}{}", row, hasBest ? style.good("  <- best") : "");
  }
}

void Table::writeGrid() {
  for (std::size_t first = 0; first < prediction.threads.size(); first += ColumnsPerBlock) {
    if (first > 0)
      line("");
    writeGridBlock(first, std::min(first + ColumnsPerBlock, prediction.threads.size()));
  }
  for (std::size_t schedule : order)
    if (hasLoops && prediction.schedules[schedule].kind == ScheduleChoice::Kind::Best)
      line("{}", wrapped("auto is " + autoChoices(schedule), Width, 2));
}

/// "static on 2 to 8, dynamic,1 on 16": what `auto` stands for at each thread count.
std::string Table::autoChoices(std::size_t schedule) const {
  std::string text;
  for (std::size_t first = 0, last; first < prediction.threads.size(); first = last + 1) {
    const Schedule &chosen = prediction.at(schedule, first).choice.schedule;
    last = first;
    while (last + 1 < prediction.threads.size() &&
           prediction.at(schedule, last + 1).choice.schedule == chosen)
      ++last;
    text +=
        fmt::format("{}{} on {}", first == 0 ? "" : ", ", chosen.str(), prediction.threads[first]);
    if (last > first)
      text += fmt::format(" to {}", prediction.threads[last]);
  }
  return text;
}

void Table::writeLosses() {
  std::size_t most = prediction.threads.size() - 1;
  line("");
  line("{}", style.bold(fmt::format("What holds it back on {}, in shares of their time",
                                    formatThreads(prediction.threads[most]))));
  const auto lossOf = [&](std::size_t schedule) -> const LossShares & {
    return prediction.at(schedule, most).estimate.loss;
  };
  const auto isSeen = [&](double LossShares::*part) {
    return std::ranges::any_of(order,
                               [&](std::size_t s) { return std::abs(lossOf(s).*part) >= 0.0005; });
  };
  const bool cores = isSeen(&LossShares::cores), outlining = isSeen(&LossShares::outlining);
  line("{}",
       style.dim(fmt::format("  {:<{}}{:>10}{:>10}{:>11}{:>10}{:>10}{:>10}{}{}", "", nameWidth,
                             "useful", "serial", "imbalance", "locks", "overhead", "memory",
                             cores ? "     cores" : "", outlining ? "  outlining" : "")));
  for (std::size_t schedule : order) {
    const LossShares &loss = lossOf(schedule);
    line("  {:<{}}{:>10}{:>10}{:>11}{:>10}{:>10}{:>10}{}{}", nameOf(schedule), nameWidth,
         formatShare(loss.useful), formatShare(loss.serial), formatShare(loss.imbalance),
         formatShare(loss.lock), formatShare(loss.overhead), formatShare(loss.memory),
         cores ? fmt::format("{:>10}", formatShare(loss.cores)) : "",
         outlining ? fmt::format("{:>11}", formatShare(loss.outlining)) : "");
  }
  const PredictionPoint &first = prediction.at(order.front(), most);
  line("{}",
       wrapped(nameOf(order.front()) + ": " +
                   describeWaterfall(tree, first.estimate.waterfall, first.estimate.serialTicks),
               Width, 2));
  line("{}",
       wrapped(nameOf(order.front()) + ": " + explainLoss(prediction, first) + ".", Width, 2));
}

void Table::writeOutlook() {
  for (const std::string &sentence : describeOutlook(prediction))
    line("{}", wrapped(sentence + ".", Width, 2));
}

/// What the directive proposed for `site` leaves open.
std::string Table::remark(const Site &site, const PredictionPoint &point,
                          const SitePlace &place) const {
  std::string text;
  if (site.kind == SiteKind::Tasks && place.nested && place.outermost && !point.isSplit())
    text += "   (inside one 'parallel' / 'single' around the outermost call)";
  if (site.nowait)
    text += "   (inside one '" + enclosingPragma(site) + "' with the next loop)";
  if (!point.isWritten() && !numThreadsClause(site).empty())
    text += fmt::format("   (estimated on {}, whatever num_threads says)",
                        formatThreads(point.threads));
  return text.empty() ? text : style.dim(text);
}

/// Where the site, of this speedup, gains nothing under what was asked for: what it gains under.
std::optional<Schedule> Table::betterSchedule(std::uint32_t id, double speedup) const {
  if (speedup >= WorthIt || !prediction.outlook || tree.sites[id].kind != SiteKind::ParallelFor ||
      prediction.options.paradigm != Paradigm::OpenMP)
    return std::nullopt;
  const auto &sites = prediction.outlook->sites;
  const auto found = std::ranges::find(sites, id, &SiteOutlook::site);
  if (found == sites.end() || !found->isScheduleKnown || found->speedup < WorthIt)
    return std::nullopt;
  return found->schedule;
}

void Table::writeSite(std::uint32_t id, const SitePlace &place) {
  const Site &site = tree.sites[id];
  const PredictionPoint &point = bestPointFor(prediction, best, id);
  const SiteEstimate &estimate = point.estimate.sites[id];
  std::string where = site.file.empty() ? "" : fmt::format("{}:{}", site.file, site.line);
  // A site without a name is called after its place.
  std::string title =
      ("/" + where).ends_with("/" + site.name) ? "" : style.bold(printable(site.name, 40));
  double serial = best.estimate.serialTicks;
  line("  {}{}{}", title, title.empty() || where.empty() ? "" : "  ", printable(where));
  line("    {} of the serial run; itself {}, the whole program {} if only this is parallel",
       formatShare(serial > 0 ? estimate.serialTicks / serial : 0), formatSpeedup(estimate.speedup),
       formatSpeedup(estimate.gain));
  const EmulationOptions &options = prediction.options;
  if (!place.outermost && !place.nested)
    line("    never ran in this profile");
  else if (options.onlySite && *options.onlySite != id)
    line("    left serial by --site");
  else if (site.kind != SiteKind::Tasks && options.paradigm == Paradigm::OpenMP &&
           !options.onlySite && !place.outermost && options.maxActiveLevels < 2)
    line("    always inside another parallel section, where OpenMP runs it serially by default");
  else if (const auto better = betterSchedule(id, estimate.speedup))
    line("    {}   ({} alone gains, of those tried)",
         directive(options.paradigm, site, *better, place), better->str());
  else if (estimate.speedup < WorthIt && prediction.threads.back() > 1)
    line("    not worth {}{}: it would not get faster",
         point.isSplit() || site.kind == SiteKind::Tasks ? "tasks" : "an OpenMP loop",
         place.nested && estimate.gain >= WorthIt ? " inside another" : "");
  else
    line("    {}{}", directive(options.paradigm, site, point.scheduleOf(id), place),
         remark(site, point, place));
  const std::string more = describeSiteOutlook(prediction, id, estimate.speedup);
  if (!more.empty())
    line("{}", wrapped(more, Width, 6));
  const std::string losses = describeSiteLosses(tree, point.estimate.waterfall, id);
  if (!losses.empty())
    line("{}", wrapped("its threads: " + losses, Width, 6));
}

void Table::writeSites() {
  if (tree.sites.empty())
    return;
  std::vector<std::uint32_t> sites(tree.sites.size());
  std::iota(sites.begin(), sites.end(), 0);
  auto rank = [&](std::uint32_t id) { return std::pair(-best.estimate.sites[id].serialTicks, id); };
  std::sort(sites.begin(), sites.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  std::vector<SitePlace> places = findSitePlaces(tree);
  line("");
  line("{}", style.bold("Sites, on " + formatThreads(best.threads)));
  for (std::size_t i = 0; i < std::min(sites.size(), MaxSitesShown); ++i)
    writeSite(sites[i], places[sites[i]]);
  if (sites.size() > MaxSitesShown)
    line("  and {} more; --format csv lists all", sites.size() - MaxSitesShown);
}

std::string renderTable(const Prediction &prediction, Style style, Detail detail) {
  if (!prediction.isEmulated())
    return renderSynthesizedTable(prediction, style, detail == Detail::Full);
  return Table(prediction, style).render(detail);
}

} // namespace prophet
