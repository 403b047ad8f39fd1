//===- ValidationFile.cpp - What an OpenMP build was measured to do --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/validation/ValidationFile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace prophet {

namespace {

using nlohmann::json;

/// A body that takes a thousand times as long is another program's.
constexpr double mostRatio = 1e3;

bool isRatio(const json &value) {
  return value.is_number() && value.get<double>() > 0 && value.get<double>() <= mostRatio;
}

const json &find(const json &object, const char *key) {
  static const json nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

/// `value` is a site's "one_thread"; `place` says which.
Result<std::optional<OneThreadRatio>> readRatio(const json &value, const std::string &place) {
  if (value.is_null())
    return std::optional<OneThreadRatio>();
  if (!value.is_object())
    return Error{place + ".one_thread is no object"};
  for (const char *key : {"ratio", "low", "high"})
    if (!isRatio(find(value, key)))
      return Error{fmt::format("{}.one_thread.{} is missing, or no number above 0 up to {}", place,
                               key, mostRatio)};
  const OneThreadRatio read{value["ratio"].get<double>(), value["low"].get<double>(),
                            value["high"].get<double>()};
  if (!(read.low <= read.ratio && read.ratio <= read.high))
    return Error{place + ".one_thread.ratio does not lie between low and high"};
  return std::optional(read);
}

Result<ValidatedSite> readSite(const json &site, const std::string &place) {
  if (!site.is_object())
    return Error{place + " is no object"};
  ValidatedSite read;
  for (const auto &[key, text] :
       {std::pair("name", &read.name), {"kind", &read.kind}, {"file", &read.file}}) {
    const json &value = find(site, key);
    if (!value.is_string())
      return Error{fmt::format("{}.{} is missing, or no text", place, key)};
    *text = value.get<std::string>();
  }
  const json &line = find(site, "line");
  if (!line.is_number_unsigned())
    return Error{place + ".line is missing, or no line's number"};
  read.line = line.get<std::uint64_t>();
  auto ratio = readRatio(find(site, "one_thread"), place);
  if (!ratio)
    return ratio.error();
  read.oneThread = *ratio;
  return read;
}

} // namespace

Result<ValidationFile> parseValidation(std::string_view text) {
  const json whole = json::parse(text, nullptr, false);
  if (whole.is_discarded())
    return Error{"is not JSON, or cut off"};
  if (!whole.is_object() || find(whole, "format") != "prophet-validation")
    return Error{"is no validation file"};
  if (find(whole, "version") != 1)
    return Error{"is not version 1 of the validation file"};
  const json &sites = find(whole, "sites");
  if (!sites.is_array())
    return Error{"\"sites\" is missing, or no array"};
  ValidationFile file;
  for (const json &site : sites) {
    auto read = readSite(site, fmt::format("sites[{}]", file.sites.size()));
    if (!read)
      return read.error();
    file.sites.push_back(std::move(*read));
  }
  return file;
}

} // namespace prophet
