//===- TreeSummaryText.cpp - What is in a tree, as text and JSON ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/TreeSummary.h"
#include "predictor/support/Text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace prophet {

namespace {
/// Collects lines.
class Lines {
public:
  template <typename... Args> void add(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }
  std::string text;
};
} // namespace

/// "1000 each", or "10 / 500 / 1000" for least, median and most.
template <typename Format>
static std::string spread(const Distribution &values, const Format &format) {
  if (values.min == values.max)
    return format(values.min) + " each";
  return fmt::format("{} / {} / {}", format(values.min), format(values.median), format(values.max));
}

static double shareOf(double part, double whole) { return whole > 0 ? part / whole : 0; }

static void addSite(Lines &out, const Tree &tree, const TreeSummary &summary, std::size_t id) {
  const Site &site = tree.sites[id];
  const SiteSummary &figures = summary.sites[id];
  std::string where = site.file.empty() ? "" : fmt::format("{}:{}", site.file, site.line);
  // A site without a name is called after its place.
  std::string title =
      ("/" + where).ends_with("/" + site.name) ? "" : printable(site.name, 40) + "  ";
  out.add("  {}{}{}{}{}", title, printable(where), where.empty() ? "" : "  ", kindName(site.kind),
          site.nowait ? ", nowait" : "");
  auto seconds = [&](double ticks) { return formatSeconds(ticks / tree.timebaseHz); };
  out.add("    {} of the run, in {} execution{} of {} tasks in all",
          formatShare(shareOf(figures.ticks, summary.serialTicks)),
          formatCount(static_cast<double>(figures.executions)), figures.executions == 1 ? "" : "s",
          formatCount(static_cast<double>(figures.tasks)));
  out.add("    tasks an execution: {};  a task's length: {}", spread(figures.trips, formatCount),
          spread(figures.taskLengths, seconds));
}

std::string renderSummaryText(const Tree &tree, const std::string &name) {
  const TreeSummary summary = summarize(tree);
  Lines out;
  for (const std::string &warning : tree.warnings)
    out.add("warning: {}", warning);
  std::string command = printable(fmt::format("{}", fmt::join(tree.command, " ")), 60);
  out.add("{}{}{}", printable(name), command.empty() ? "" : ": ", command);
  out.add("Serial run {}; {} tasks executed; {} executed nodes in {} stored ({:.4g} to 1), merged "
          "within {}",
          formatSeconds(summary.serialTicks / tree.timebaseHz),
          formatCount(static_cast<double>(summary.executedTasks)),
          formatCount(static_cast<double>(summary.executedNodes)), tree.nodes.size(),
          static_cast<double>(summary.executedNodes) / static_cast<double>(tree.nodes.size()),
          formatShare(tree.tolerance));
  if (!tree.sites.empty())
    out.add("\nSites (ranges are least / median / most)");
  for (std::size_t id = 0; id < tree.sites.size(); ++id)
    addSite(out, tree, summary, id);
  if (!tree.locks.empty())
    out.add("\nLocks");
  for (std::size_t id = 0; id < tree.locks.size(); ++id)
    out.add("  {}: held {} of the run, taken {} times",
            tree.locks[id].empty() ? "(the unnamed critical)" : printable(tree.locks[id], 60),
            formatShare(shareOf(summary.locks[id].ticks, summary.serialTicks)),
            formatCount(static_cast<double>(summary.locks[id].entries)));
  return std::move(out.text);
}

//===- JSON ---------------------------------------------------------------===//

static std::string jsonOf(const Distribution &values) {
  return fmt::format("{{\"min\": {}, \"median\": {}, \"max\": {}}}", formatJsonNumber(values.min),
                     formatJsonNumber(values.median), formatJsonNumber(values.max));
}

std::string renderSummaryJson(const Tree &tree, const std::string &name) {
  const TreeSummary summary = summarize(tree);
  Lines out;
  out.add("{{\"format\": \"prophet-tree-summary\", \"version\": 1, \"tree\": {},",
          formatJsonString(name));
  out.add(" \"complete\": {}, \"tolerance\": {}, \"timebase_hz\": {}, \"serial_ticks\": {},",
          tree.complete, formatJsonNumber(tree.tolerance), formatJsonNumber(tree.timebaseHz),
          formatJsonNumber(summary.serialTicks));
  out.add(" \"stored_nodes\": {}, \"executed_nodes\": {}, \"executed_tasks\": {},",
          tree.nodes.size(), summary.executedNodes, summary.executedTasks);
  out.add(" \"sites\": [");
  for (std::size_t id = 0; id < tree.sites.size(); ++id) {
    const SiteSummary &site = summary.sites[id];
    out.add("  {{\"site\": {}, \"name\": {}, \"kind\": \"{}\", \"file\": {}, \"line\": {}, "
            "\"executions\": {}, \"tasks\": {},",
            id, formatJsonString(tree.sites[id].name), kindName(tree.sites[id].kind),
            formatJsonString(tree.sites[id].file), tree.sites[id].line, site.executions,
            site.tasks);
    out.add("   \"ticks\": {}, \"trips\": {}, \"task_ticks\": {}}}{}", formatJsonNumber(site.ticks),
            jsonOf(site.trips), jsonOf(site.taskLengths), id + 1 < tree.sites.size() ? "," : "");
  }
  out.add(" ],\n \"locks\": [");
  for (std::size_t id = 0; id < tree.locks.size(); ++id)
    out.add("  {{\"name\": {}, \"entries\": {}, \"ticks\": {}}}{}",
            formatJsonString(tree.locks[id]), summary.locks[id].entries,
            formatJsonNumber(summary.locks[id].ticks), id + 1 < tree.locks.size() ? "," : "");
  out.add(" ],\n \"warnings\": [");
  for (std::size_t i = 0; i < tree.warnings.size(); ++i)
    out.add("  {}{}", formatJsonString(tree.warnings[i]), i + 1 < tree.warnings.size() ? "," : "");
  out.add(" ]}}");
  return std::move(out.text);
}

} // namespace prophet
