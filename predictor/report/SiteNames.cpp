//===- SiteNames.cpp - What users call sites ------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/SiteNames.h"

#include "predictor/support/Text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

namespace prophet {

Result<std::vector<std::uint32_t>> findSites(const Tree &tree, const std::string &name) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> found;
  std::set<std::string> places;
  for (std::uint32_t id = 0; id < tree.sites.size(); ++id) {
    const Site &site = tree.sites[id];
    std::string place = fmt::format("{}:{}", site.file, site.line);
    names.push_back(site.name);
    if (site.name != name && place != name)
      continue;
    found.push_back(id);
    places.insert(printable(place));
  }
  if (places.size() > 1)
    return Error{fmt::format("{} sites are called '{}'; name one of {}", found.size(),
                             printable(name), fmt::join(places, ", "))};
  if (!found.empty())
    return found;
  if (const auto index = parseCount(name, "site", 0, std::numeric_limits<std::uint32_t>::max());
      index && *index < tree.sites.size())
    return std::vector{static_cast<std::uint32_t>(*index)};
  const std::string near = closest(name, names);
  return Error{fmt::format("no site is called '{}'; {}", printable(name),
                           near.empty() ? "'prophet tree' lists the sites"
                                        : "did you mean '" + printable(near) + "'?")};
}

} // namespace prophet
