//===- SiteMatch.cpp - The sites of two files about one program -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/SiteMatch.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace prophet {

std::ptrdiff_t commonEnd(const std::string &a, const std::string &b) {
  const std::filesystem::path first(a), second(b);
  const std::vector<std::filesystem::path> as(first.begin(), first.end()),
      bs(second.begin(), second.end());
  return std::mismatch(as.rbegin(), as.rend(), bs.rbegin(), bs.rend()).first - as.rbegin();
}

bool isAnothers(const std::string &file, const Site &site, const Tree &tree) {
  const std::ptrdiff_t own = commonEnd(file, site.file);
  return std::ranges::any_of(tree.sites, [&](const Site &other) {
    return other.name == site.name && other.kind == site.kind && other.line == site.line &&
           commonEnd(file, other.file) > own;
  });
}

std::string placeOf(const Site &site) {
  return fmt::format("'{}' ({}:{})", printable(site.name), printable(site.file), site.line);
}

} // namespace prophet
