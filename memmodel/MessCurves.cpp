//===- MessCurves.cpp - Curves that the Mess benchmark published ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/MessCurves.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace prophet::memmodel {

namespace {

using Curves = std::map<double, std::vector<CurvePoint>>; ///< by read percentage

std::optional<double> toNumber(const std::string &text) {
  double value = 0;
  const char *end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  const bool isNumber = code == std::errc() && stop == end && std::isfinite(value);
  return isNumber ? std::optional(value) : std::nullopt;
}

std::vector<std::string> splitRow(std::string line) {
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  std::vector<std::string> fields;
  std::istringstream row(line);
  for (std::string field; std::getline(row, field, ',');)
    fields.push_back(field);
  return fields;
}

/// \returns the number of the line that is wrong, or 0.
std::size_t readCsv(std::istream &file, Curves &curves) {
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = splitRow(line);
  const auto column = [&](const char *name) {
    return static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
  };
  const std::size_t share = std::min(column("rd_percentage"), column("read_pct_rounded")),
                    bandwidth = column("bandwidth_mean"), latency = column("latency_mean");
  const std::size_t last = std::max({share, bandwidth, latency});
  if (last >= header.size())
    return 1;
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    const std::vector<std::string> fields = splitRow(line);
    if (fields.empty())
      continue;
    if (fields.size() <= last)
      return number;
    const auto percent = toNumber(fields[share]), gbs = toNumber(fields[bandwidth]),
               ns = toNumber(fields[latency]);
    if (!percent || !gbs || !ns)
      return number;
    curves[*percent].push_back({*gbs, *ns});
  }
  return 0;
}

/// As readCsv(). \param percent the file's read percentage.
std::size_t readPairs(std::istream &file, double percent, Curves &curves) {
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    std::string mbs, ns;
    if (!(words >> mbs))
      continue;
    words >> ns;
    const auto x = toNumber(mbs), y = toNumber(ns);
    if (!x || !y)
      return number;
    curves[percent].push_back({*x / 1e3, *y});
  }
  return 0;
}

/// Whether `file` is one.
bool readJson(const nlohmann::json &file, Curves &curves) {
  for (const auto &[key, points] : file.items()) {
    const auto percent = toNumber(key);
    if (!percent || !points.is_array())
      return false;
    for (const auto &point : points) {
      if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number())
        return false;
      curves[*percent].push_back({point[0].get<double>(), point[1].get<double>()});
    }
  }
  return true;
}

/// NN of ".../bwlat_NN.txt".
std::optional<double> percentOf(const std::string &file) {
  const auto begin = file.rfind('_');
  const auto end = file.rfind('.');
  return begin == file.npos || end == file.npos || end < begin
             ? std::nullopt
             : toNumber(file.substr(begin + 1, end - begin - 1));
}

} // namespace

std::optional<std::vector<MeasuredCurve>> readMess(const std::string &text, const std::string &file,
                                                   double nsPerUnit, std::string &problem) {
  Curves read;
  std::istringstream stream(text);
  std::size_t wrong = 0;
  const std::string unknown = "is no file of the Mess benchmark; name its memory_curves.csv, "
                              "memory_curves.json or bwlat_PERCENT.txt";
  if (const auto parsed = nlohmann::json::parse(text, nullptr, false); parsed.is_object()) {
    if (!readJson(parsed, read))
      problem = unknown;
  } else if (text.find(',') != text.npos) {
    wrong = readCsv(stream, read);
  } else if (const auto percent = percentOf(file)) {
    wrong = readPairs(stream, *percent, read);
  } else {
    problem = unknown;
  }
  if (wrong > 0)
    problem = wrong == 1 && read.empty()
                  ? unknown
                  : "line " + std::to_string(wrong) + " has no bandwidth and latency; remove it";
  std::vector<MeasuredCurve> curves;
  for (auto &[percent, points] : read) {
    for (CurvePoint &point : points)
      point.ns *= nsPerUnit;
    std::erase_if(points, [](const CurvePoint &point) {
      return !(point.gbs > 0 && point.gbs <= 1e6 && point.ns > 0 && point.ns <= 1e6);
    });
    if (!(percent >= 0 && percent <= 100))
      problem = "has a read percentage that is none; correct it";
    if (!points.empty())
      curves.push_back({percent / 100, std::move(points)});
  }
  if (curves.empty() && problem.empty())
    problem = unknown;
  return problem.empty() ? std::optional(std::move(curves)) : std::nullopt;
}

} // namespace prophet::memmodel
