//===- WhatIf.cpp - Changes to try in thought -----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/WhatIf.h"

#include "predictor/report/SiteNames.h"
#include "predictor/support/Text.h"
#include "predictor/tree/TreeChange.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace prophet {

using Kind = WhatIf::Change::Kind;

//===- Words --------------------------------------------------------------===//

static std::string_view trimmed(std::string_view text) {
  constexpr std::string_view Blanks = " \t\r\n";
  const auto first = text.find_first_not_of(Blanks);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(Blanks) - first + 1);
}

/// `text` at every `separator` that is not in quotes.
static std::vector<std::string_view> splitOutsideQuotes(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote)
      quote = text[i] == quote ? 0 : quote;
    else if (text[i] == '"' || text[i] == '\'')
      quote = text[i];
    else if (text[i] == separator) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// "0", "0.25x" or "4x"; at most a million times.
static Result<double> parseFactor(std::string_view text) {
  text = trimmed(text);
  if (text == "0")
    return 0.0;
  if (text.size() > 1 && text.ends_with('x')) {
    double factor = 0;
    const char *end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data(), end, factor);
    if (stop == end && error == std::errc() && factor >= 0 && factor <= 1e6)
      return factor;
  }
  return Error{fmt::format("'{}' is no factor up to 1e6x; write 0, or for example 0.5x or 4x",
                           printable(text, 40))};
}

static Result<std::string> parseName(std::string_view text, std::string_view what) {
  text = trimmed(text);
  const bool quoted = !text.empty() && (text[0] == '"' || text[0] == '\'');
  if (quoted && (text.size() < 3 || text.find(text[0], 1) != text.size() - 1))
    return Error{fmt::format("the name {} has no closing quote or is empty; write {} \"NAME\"",
                             printable(text, 60), what)};
  if (quoted)
    return std::string(text.substr(1, text.size() - 2));
  if (text.empty())
    return Error{fmt::format("'{0}' needs a name; write {0} NAME", what)};
  if (text.find_first_of(" \t\"'") != text.npos)
    return Error{fmt::format("'{}' is no {}'s name; put a name with blanks in quotes",
                             printable(text, 60), what)};
  return std::string(text);
}

//===- Changes ------------------------------------------------------------===//

static constexpr const char *Forms =
    "write lock NAME=0, site NAME: tasks=2x, length=0.5x, serial=0.5x or overhead=0";

static Result<WhatIf::Change> parseLock(std::string_view rest) {
  const auto parts = splitOutsideQuotes(rest, '=');
  if (parts.size() < 2)
    return Error{"'lock' needs a factor; write lock NAME=0, =0.5x or =none"};
  const auto value = trimmed(parts.back());
  auto name = parseName(rest.substr(0, parts.back().data() - rest.data() - 1), "lock");
  if (!name)
    return name.error();
  WhatIf::Change change{.kind = Kind::Lock, .name = *name};
  if (value == "none") {
    change.removed = true;
    return change;
  }
  auto factor = parseFactor(value);
  if (!factor)
    return Error{factor.error().message + ", or none for no lock at all"};
  change.factor = *factor;
  return change;
}

static Result<WhatIf::Change> parseSite(std::string_view rest) {
  const auto parts = splitOutsideQuotes(rest, ':');
  if (parts.size() < 2)
    return Error{"'site' needs changes; write site NAME: tasks=2x, length=0.5x"};
  auto name = parseName(rest.substr(0, parts.back().data() - rest.data() - 1), "site");
  if (!name)
    return name.error();
  WhatIf::Change change{.kind = Kind::Site, .name = *name};
  bool hasTasks = false, hasLength = false;
  for (std::string_view part : splitOutsideQuotes(parts.back(), ',')) {
    const auto equals = part.find('=');
    const std::string_view word = trimmed(part.substr(0, equals));
    if (equals == part.npos || (word != "tasks" && word != "length"))
      return Error{fmt::format("'{}' is no change of a site; write tasks=2x or length=0.5x",
                               printable(trimmed(part), 60))};
    bool &seen = word == "tasks" ? hasTasks : hasLength;
    if (seen)
      return Error{fmt::format("'{}' is there twice; write it once", word)};
    seen = true;
    auto factor = parseFactor(part.substr(equals + 1));
    if (!factor)
      return factor.error();
    if (word == "tasks" && *factor == 0)
      return Error{"a loop without tasks is no loop; write length=0 to leave its work out"};
    (word == "tasks" ? change.tasks : change.factor) = *factor;
  }
  return change;
}

static Result<WhatIf::Change> parseChange(std::string_view text) {
  text = trimmed(text);
  const auto word = text.substr(0, text.find_first_of(" \t=:"));
  const auto rest = text.substr(word.size());
  if (word == "lock")
    return parseLock(rest);
  if (word == "site")
    return parseSite(rest);
  if (word != "serial" && word != "overhead")
    return Error{text.empty() ? fmt::format("a change is empty; {}", Forms)
                              : fmt::format("'{}' is no change; {}", printable(text, 60), Forms)};
  if (!trimmed(rest).starts_with('='))
    return Error{fmt::format("'{}' needs a factor; write {}=0.5x", word, word)};
  auto factor = parseFactor(trimmed(rest).substr(1));
  if (!factor)
    return factor.error();
  return WhatIf::Change{.kind = word == "serial" ? Kind::Serial : Kind::Overhead,
                        .factor = *factor};
}

Result<WhatIf> parseWhatIf(std::string_view text) {
  WhatIf whatIf{std::string(trimmed(text)), {}};
  const auto failed = [&](const Error &error) {
    return Error{fmt::format("--what-if '{}': {}", printable(whatIf.text, 80), error.message)};
  };
  for (std::string_view part : splitOutsideQuotes(text, ';')) {
    auto change = parseChange(part);
    if (!change)
      return failed(change.error());
    const auto same = [&](const WhatIf::Change &other) {
      return other.kind == change->kind && other.name == change->name;
    };
    if (std::ranges::any_of(whatIf.changes, same))
      return failed({"the same thing is changed twice; write one change for each"});
    whatIf.changes.push_back(std::move(*change));
  }
  if (whatIf.changes.size() > TreeChange::most)
    return failed({fmt::format("more than {} changes; leave some out", TreeChange::most)});
  return whatIf;
}

//===- Their effect -------------------------------------------------------===//

static Error unknownLock(const Tree &tree, const std::string &name) {
  constexpr std::size_t MostListed = 8;
  std::string cure = closest(name, tree.locks);
  if (!cure.empty())
    cure = "did you mean '" + printable(cure) + "'?";
  else if (tree.locks.empty())
    cure = "this profile has no locks";
  else if (tree.locks.size() <= MostListed)
    cure = "there is " + printable(fmt::format("{}", fmt::join(tree.locks, ", ")));
  else
    cure = "'prophet tree' lists the locks";
  return {fmt::format("no lock is called '{}'; {}", printable(name), cure)};
}

static std::optional<Error> addTo(TreeChange &result, const Tree &tree,
                                  const WhatIf::Change &change) {
  if (change.kind == Kind::Serial)
    result.serial = change.factor;
  if (change.kind == Kind::Site) {
    auto sites = findSites(tree, change.name);
    if (!sites)
      return sites.error();
    for (std::uint32_t site : *sites)
      if (!result.sites.emplace(site, TreeChange::OfSite{change.tasks, change.factor}).second)
        return Error{fmt::format("the site '{}' is changed twice; write its changes behind one "
                                 "name",
                                 printable(change.name))};
  }
  if (change.kind == Kind::Lock) {
    const auto lock = std::ranges::find(tree.locks, change.name);
    if (lock == tree.locks.end())
      return unknownLock(tree, change.name);
    result.locks[static_cast<std::uint32_t>(lock - tree.locks.begin())] = {change.factor,
                                                                           change.removed};
  }
  return std::nullopt;
}

Result<Tree> changeTree(const Tree &tree, const WhatIf &whatIf) {
  const auto failed = [&](const Error &error) {
    return Error{fmt::format("--what-if '{}': {}", printable(whatIf.text, 80), error.message)};
  };
  TreeChange change;
  for (const WhatIf::Change &single : whatIf.changes)
    if (auto error = addTo(change, tree, single))
      return failed(*error);
  if (change.sites.size() + change.locks.size() > TreeChange::most)
    return failed(
        {fmt::format("more than {} sites and locks change; leave some out", TreeChange::most)});
  auto result = changeTree(tree, change);
  if (!result)
    return failed(result.error());
  return result;
}

bool WhatIf::scalesOverheads() const {
  return std::ranges::any_of(
      changes, [](const Change &change) { return change.kind == Change::Kind::Overhead; });
}

EmulationOptions changeOptions(EmulationOptions options, const WhatIf &whatIf) {
  for (const WhatIf::Change &change : whatIf.changes)
    if (change.kind == Kind::Overhead)
      options.overheads = options.overheads.scaled(change.factor);
  return options;
}

} // namespace prophet
