//===- DifferenceText.cpp - What changed, for people and programs ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   A: before.json
//   B: after.json
//
//                executions  iterations  an iteration      serial time        speed of B
//   the program  1           100 -> 200  -                 120 us -> 260 us   46.2 %
//   rows         1           100 -> 200  1.2 us -> 1.3 us  120 us -> 260 us   46.2 %
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Difference.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace prophet {

namespace {

std::string formatValue(double value, DifferenceColumn::Unit unit) {
  switch (unit) {
  case DifferenceColumn::Unit::Count:
    return formatCount(value);
  case DifferenceColumn::Unit::Seconds:
    return formatSeconds(value);
  case DifferenceColumn::Unit::Speedup:
    return formatSpeedup(value);
  }
  return {};
}

std::string titleOf(const DifferenceRow &row) {
  const std::string name = row.name.empty() ? "" : printable(row.name, 60);
  if (row.prefix.empty())
    return name.empty() ? "the program" : name;
  return printable(row.prefix, 80) + (name.empty() ? "" : ": " + name);
}

/// The program as a whole has no length of an iteration.
bool isLeftOut(const DifferenceRow &row, std::size_t column) {
  return row.name.empty() && row.values[column] == std::pair(0.0, 0.0);
}

using Line = std::vector<std::string>;

Line cellsOf(const Difference &difference, const DifferenceRow &row) {
  Line cells = {titleOf(row)};
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    const auto [before, after] = row.values[i];
    const auto unit = difference.columns[i].unit;
    cells.push_back(isLeftOut(row, i) ? "-" : formatValue(before, unit));
    if (before != after)
      cells.back() += " -> " + formatValue(after, unit);
  }
  cells.push_back(row.speed ? formatShare(*row.speed) : "-");
  return cells;
}

std::string renderLines(const std::vector<Line> &lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Line &line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const Line &line : lines) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      text += fmt::format("{:<{}}  ", line[i], widths[i]);
    text += line.back() + "\n";
  }
  return text;
}

/// All of `rows` but the sites of estimates that are among them.
std::vector<std::string> namesOf(const std::vector<Unpaired> &rows) {
  std::set<std::string> whole;
  for (const Unpaired &row : rows)
    if (row.name.empty())
      whole.insert(row.prefix);
  std::vector<std::string> names;
  for (const Unpaired &row : rows)
    if (row.name.empty() || !whole.contains(row.prefix))
      names.push_back(row.key);
  return names;
}

std::string renderNames(const char *side, const std::vector<Unpaired> &rows) {
  constexpr std::size_t most = 12;
  const std::vector<std::string> outer = namesOf(rows);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, outer.size()); ++i)
    text += fmt::format("only in {}: {}\n", side, printable(outer[i]));
  if (outer.size() > most)
    text +=
        fmt::format("only in {}: {} more (--format json names them)\n", side, outer.size() - most);
  return text;
}

std::string jsonList(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + formatJsonString(word);
  return "[" + text + "]";
}

std::string jsonNames(const std::vector<Unpaired> &rows) {
  std::vector<std::string> names;
  for (const Unpaired &row : rows)
    names.push_back(row.key);
  return jsonList(names);
}

} // namespace

std::string renderDifferenceText(const Difference &difference, const std::string &first,
                                 const std::string &second) {
  std::string text = fmt::format("A: {}\nB: {}\n", printable(first), printable(second));
  for (const std::string &setting : difference.settings)
    text += fmt::format("predicted with unlike settings: {}\n", setting);
  std::vector<Line> lines(1, Line{""});
  for (const DifferenceColumn &column : difference.columns)
    lines[0].emplace_back(column.heading);
  lines[0].emplace_back("speed of B");
  for (const DifferenceRow &row : difference.rows)
    if (row.changed())
      lines.push_back(cellsOf(difference, row));
  const std::size_t equal = difference.rows.size() - (lines.size() - 1);
  if (lines.size() > 1)
    text += "\n" + renderLines(lines);
  const std::string only =
      renderNames("A", difference.onlyFirst) + renderNames("B", difference.onlySecond);
  if (!only.empty())
    text += "\n" + only;
  if (difference.rows.empty())
    text += "\nthey have nothing in common that could be compared\n";
  if (equal > 0)
    text += fmt::format("\n{} {} the same in both\n", equal, equal == 1 ? "row is" : "rows are");
  return text;
}

std::string renderDifferenceJson(const Difference &difference, const std::string &first,
                                 const std::string &second) {
  std::string text =
      fmt::format("{{\"format\": \"prophet-diff\", \"version\": 1, \"kind\": "
                  "\"{}\", \"a\": {}, \"b\": {},\n \"rows\": [",
                  difference.kind, formatJsonString(first), formatJsonString(second));
  for (const DifferenceRow &row : difference.rows) {
    text += fmt::format("{}\n  {{\"site\": {}, ", &row == &difference.rows.front() ? "" : ",",
                        row.name.empty() ? "null" : formatJsonString(row.name));
    if (!row.prefix.empty())
      text += fmt::format("\"estimate\": {}, ", formatJsonString(row.prefix));
    for (std::size_t i = 0; i < row.values.size(); ++i)
      if (!isLeftOut(row, i))
        text += fmt::format("\"{}\": [{}, {}], ", difference.columns[i].key,
                            formatJsonNumber(row.values[i].first),
                            formatJsonNumber(row.values[i].second));
    text += fmt::format("\"speed\": {}}}", row.speed ? formatJsonNumber(*row.speed) : "null");
  }
  return text + fmt::format("],\n \"only_a\": {}, \"only_b\": {}, \"unlike_settings\": {}}}\n",
                            jsonNames(difference.onlyFirst), jsonNames(difference.onlySecond),
                            jsonList(difference.settings));
}

} // namespace prophet
