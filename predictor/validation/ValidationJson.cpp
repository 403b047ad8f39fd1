//===- ValidationJson.cpp - Validations for programs ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Text.h"
#include "predictor/validation/ValidationText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace prophet {

static std::string spreadJson(const char *middle, const std::optional<Spread> &spread) {
  if (!spread)
    return "null";
  return fmt::format("{{\"{}\": {}, \"low\": {}, \"high\": {}}}", middle,
                     formatJsonNumber(spread->median), formatJsonNumber(spread->low),
                     formatJsonNumber(spread->high));
}

static std::string siteJson(const Site &site, CheckedSite found, bool hasRatios) {
  if (found.oneThread && !hasRatios)
    found = {std::nullopt, "fewer than five rounds, of which the range means little"};
  std::string text = fmt::format(
      "{{\"name\": {}, \"kind\": \"{}\", \"file\": {}, \"line\": {}, \"one_thread\": {}",
      formatJsonString(site.name), kindName(site.kind), formatJsonString(site.file), site.line,
      spreadJson("ratio", found.oneThread));
  if (!found.oneThread)
    text += ", \"why\": " + formatJsonString(found.why);
  return text + "}";
}

/// What was predicted and measured of each site, by `point`.
static std::string sitesOf(const Tree &tree, const ValidatedPoint &point) {
  std::vector<std::string> sites;
  for (std::size_t i = 0; i < tree.sites.size(); ++i)
    sites.push_back(
        fmt::format("{{\"site\": {}, \"name\": {}, \"predicted\": {}, \"measured\": {}}}", i,
                    formatJsonString(tree.sites[i].name),
                    formatJsonNumber(point.predicted.estimate.sites[i].speedup),
                    spreadJson("speedup", point.sites[i])));
  return fmt::format("[{}]", fmt::join(sites, ", "));
}

static std::string pointJson(const Tree &tree, const ValidatedPoint &point,
                             const ValidatedPoint *corrected) {
  const std::string known =
      corrected ? fmt::format(", \"predicted_with_ratios\": {}, \"error_with_ratios\": {}",
                              formatJsonNumber(corrected->predicted.estimate.speedup),
                              formatJsonNumber(corrected->error()))
                : "";
  return fmt::format("  {{\"schedule\": {}, \"threads\": {}, \"cores\": {}, \"predicted\": {}, "
                     "\"measured\": {}, \"error\": {}{},\n   \"sites\": {}}}",
                     formatJsonString(point.predicted.scheduleName()), point.predicted.threads,
                     point.predicted.cores, formatJsonNumber(point.predicted.estimate.speedup),
                     spreadJson("speedup", point.speedup), formatJsonNumber(point.error()), known,
                     sitesOf(tree, point));
}

std::string renderValidationJson(const Tree &tree, const Validation &validation,
                                 const Validation *corrected) {
  std::vector<std::string> arguments, sites, points, warnings;
  for (const std::string &argument : validation.arguments)
    arguments.push_back(formatJsonString(argument));
  for (std::size_t i = 0; i < tree.sites.size(); ++i)
    sites.push_back("  " + siteJson(tree.sites[i], validation.sites[i], validation.hasRatios()));
  for (std::size_t i = 0; i < validation.points.size(); ++i)
    points.push_back(
        pointJson(tree, validation.points[i], corrected ? &corrected->points[i] : nullptr));
  for (const std::string &warning : validation.warnings)
    warnings.push_back(formatJsonString(warning));
  return fmt::format(
      "{{\"format\": \"prophet-validation\", \"version\": 1, \"source\": {}, \"arguments\": [{}], "
      "\"rounds\": {},\n \"serial_seconds\": {}, \"one_thread\": {}, \"outside_seconds\": {},\n "
      "\"mean_error\": {}, "
      "\"largest_error\": {},\n \"sites\": [\n{}],\n \"estimates\": [\n{}],\n \"warnings\": "
      "[{}]}}\n",
      formatJsonString(validation.source), fmt::join(arguments, ", "), validation.rounds,
      spreadJson("median", validation.serialSeconds),
      spreadJson("speedup", validation.oneThreadSpeedup),
      spreadJson("median", validation.outsideSeconds), formatJsonNumber(validation.meanError()),
      formatJsonNumber(validation.largestError()), fmt::join(sites, ",\n"),
      fmt::join(points, ",\n"), fmt::join(warnings, ", "));
}

} // namespace prophet
