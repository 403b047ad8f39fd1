//===- ProfileMatch.cpp - A memory profile and its tree -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ProfileMatch.h"

#include "predictor/support/Capture.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/RunFiles.h"
#include "predictor/verbs/SiteMatch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <prophet/memory_format.h>
#include <span>

namespace prophet {

using memmodel::SiteUse;

std::vector<OutermostUse> outermostUses(const Tree &tree) {
  std::vector<OutermostUse> uses(tree.sites.size());
  const std::vector<double> lengths = tree.serialLengths();
  for (const Child &child : tree.childrenOf(tree.root))
    if (const Node &node = tree.nodes[child.node]; node.kind == NodeKind::Section) {
      const auto repeat = static_cast<double>(child.repeat);
      uses[node.ref].seconds += lengths[child.node] * repeat / tree.timebaseHz;
      uses[node.ref].executions += repeat;
      const std::uint64_t tasks = tree.tasksOf(child.node);
      uses[node.ref].tasks += static_cast<double>(tasks) * repeat;
      uses[node.ref].sizes.insert(tasks);
    }
  return uses;
}

std::vector<std::uint32_t> insideOnly(const Tree &tree, const std::vector<OutermostUse> &uses) {
  std::vector<bool> ran(uses.size());
  for (const Node &node : tree.nodes)
    if (node.kind == NodeKind::Section)
      ran[node.ref] = true;
  std::vector<std::uint32_t> sites;
  for (std::uint32_t site = 0; site < uses.size(); ++site)
    if (ran[site] && uses[site].executions == 0)
      sites.push_back(site);
  return sites;
}

Result<std::optional<FoundProfile>> findProfile(const std::string &treePath,
                                                const std::string &given) {
  const std::string path = given.empty() ? existingMemoryProfile(treePath) : given;
  if (path.empty())
    return std::optional<FoundProfile>();
  const auto text = readWholeFile(path);
  if (!text)
    return text.error();
  std::string problem;
  auto profile = memmodel::readMemoryProfile(*text, problem);
  if (!profile)
    return Error{fmt::format("{}: {}; run the program that was built with "
                             "-fplugin-arg-prophet-memory again{}",
                             printable(path), printable(problem),
                             given.empty() ? ", or remove the file" : "")};
  std::error_code ignored;
  return std::optional(FoundProfile{std::make_shared<memmodel::MemoryProfile>(std::move(*profile)),
                                    printable(path),
                                    std::filesystem::last_write_time(path, ignored)});
}

namespace {

/// What a program was called with, less its own name.
std::vector<std::string> argumentsOf(const std::vector<std::string> &command) {
  return {command.begin() + (command.empty() ? 0 : 1), command.end()};
}

/// Places of sites, for messages.
using Places = std::vector<std::string>;

/// The sites of `tree` inside others' that `profile` has alone.
/// \param others gets those that ran another number of times
/// \param unlogged gets those without a log of the whole run
std::vector<InnerUse> matchInner(const Tree &tree, const memmodel::MemoryProfile &profile,
                                 Places &others, Places &unlogged) {
  std::vector<InnerUse> inner;
  for (std::uint32_t i = 0; i < tree.sites.size(); ++i) {
    const memmodel::InnerSite *use = findSite(i, tree, profile.inner);
    if (!use || use->executions == 0)
      continue;
    const OwnExecutions own = ownExecutions(tree, i);
    if (own.ticks <= 0 || own.enclosers.empty())
      continue;
    const std::string place = placeOf(tree.sites[i]);
    if (static_cast<double>(use->executions) != own.count &&
        std::ranges::find(others, place) == others.end())
      others.push_back(place);
    if (!use->log || !use->log->complete)
      unlogged.push_back(place);
    inner.push_back(innerUse(tree, i, own, *use));
  }
  return inner;
}

/// Of `inside` those of which there is nothing in `inner`.
Places missingInside(const Tree &tree, const std::vector<std::uint32_t> &inside,
                     const std::vector<InnerUse> &inner) {
  Places missing;
  for (const std::uint32_t site : inside)
    if (std::ranges::none_of(inner, [&](const InnerUse &use) { return use.known.site == site; }))
      missing.push_back(placeOf(tree.sites[site]));
  return missing;
}

/// What is to be done about that.
std::string cureOf(const memmodel::MemoryProfile &profile) {
  return profile.inner.empty()
             ? "make the profile anew"
             : fmt::format("a profile has room for {} of them", PROPHET_MEMORY_INNER_SITES);
}

/// By site of the profile: the numbers of tasks of its sections.
std::vector<std::set<std::uint64_t>> sizesOf(const memmodel::MemoryProfile &profile) {
  std::vector<std::set<std::uint64_t>> sizes(profile.sites.size());
  if (!profile.log || profile.log->parts.empty())
    return sizes;
  std::span parts(profile.log->parts);
  if (!profile.complete) // the last one may have been cut short
    parts = parts.first(parts.size() - 1);
  for (const memmodel::AccessLog::Part &part : parts)
    if (part.site != memmodel::AccessLog::Outside && part.size > 0)
      sizes[part.site].insert(part.size);
  return sizes;
}

/// Whether loops of `site` had numbers of iterations, `sizes`, that none of the tree's has. (Of
/// tasks, those that tasks spawn count in a log, and are in these in a tree.)
bool hasOtherSizes(const Site &site, const std::set<std::uint64_t> &sizes,
                   const OutermostUse &use) {
  return site.kind == SiteKind::ParallelFor && !std::ranges::includes(use.sizes, sizes);
}

/// The sources of `known` sites that have been written after the profile, where they are there.
std::set<std::string> newerSources(const Tree &tree, const std::vector<KnownSite> &known,
                                   const FoundProfile &found) {
  std::set<std::string> newer;
  for (const KnownSite &one : known) {
    const std::string &file = tree.sites[one.site].file;
    std::error_code missing;
    const auto written = std::filesystem::last_write_time(file, missing);
    if (!missing && written > found.written)
      newer.insert(printable(file));
  }
  return newer;
}

/// Of `known` sites those that are the first to write to so much memory that had been read before
/// that threads which do it together may wait for a good part of their time: where nobody has
/// written to it the system then puts a page in the place of one of zeros, and tells all
/// processors.
Places firstWriters(const Tree &tree, const std::vector<KnownSite> &known,
                    const memmodel::MemoryProfile &profile) {
  constexpr double pageBytes = 4096, pageNs = 10000, little = 0.03, much = 1 << 20;
  Places result;
  for (const KnownSite &one : known) {
    const double bytes = profile.sites[one.profile].readFirst * profile.outside.lineBytes;
    if (bytes >= much && bytes / pageBytes * pageNs > little * one.serialNs)
      result.push_back(fmt::format("{} ({:.0f} MB)", placeOf(tree.sites[one.site]), bytes / 1e6));
  }
  return result;
}

/// Says what a profile lacks. \param unlogged places of sites that only run inside others
template <typename Warn>
void warnOfGaps(const memmodel::MemoryProfile &profile, const Places &unlogged, Warn warn) {
  constexpr double usual = 1.0 / 64; // or more, where the profiler chooses
  if (profile.sampledLines == 0 && profile.rate < usual)
    warn(
        fmt::format("has no cache line in its sample of 1 of {:.0f}, so memory slows nothing down; "
                    "make it without PROPHET_MEMORY_RATE",
                    1 / profile.rate));
  if (!profile.complete)
    warn(
        "covers its run only up to where that was cut short, by a signal or within a section; make "
        "it again, of a run that ends well");
  if (!profile.log || !profile.log->complete)
    warn("has no log of the whole run: each thread's misses are the serial run's");
  else if (!unlogged.empty())
    warn(fmt::format("has no log of the whole run of {} where that alone is parallel: each "
                     "thread's misses are the serial run's there",
                     fmt::join(unlogged, ", ")));
}

} // namespace

ProfileMatch matchProfile(const Tree &tree, const std::vector<OutermostUse> &uses,
                          const FoundProfile &found) {
  ProfileMatch match;
  const auto &sites = found.profile->sites;
  const std::vector<std::set<std::uint64_t>> sizes = sizesOf(*found.profile);
  Places missing, others, unlogged;
  for (std::uint32_t i = 0; i < tree.sites.size(); ++i) {
    const Site &site = tree.sites[i];
    if (uses[i].seconds <= 0)
      continue;
    const SiteUse *use = findSite(i, tree, sites);
    if (!use || use->executions == 0) {
      missing.push_back(placeOf(site));
      continue;
    }
    const double ratio = static_cast<double>(use->executions) / uses[i].executions;
    const auto number = static_cast<std::size_t>(use - sites.data());
    if (ratio != 1 || hasOtherSizes(site, sizes[number], uses[i]))
      others.push_back(placeOf(site));
    match.known.push_back({i, static_cast<std::uint32_t>(number), uses[i].seconds * 1e9 * ratio});
  }
  match.inner = matchInner(tree, *found.profile, others, unlogged);
  const auto warn = [&](std::string text) {
    match.warnings.push_back(found.shown + ": " + std::move(text));
  };
  if (!missing.empty() && !match.known.empty())
    warn(fmt::format("has nothing of {}, which memory does not slow down here; make the profile "
                     "of this program",
                     fmt::join(missing, ", ")));
  const Places inside = missingInside(tree, insideOnly(tree, uses), match.inner);
  if (!inside.empty() && !match.known.empty())
    warn(fmt::format("has nothing of {} where that alone is parallel, which memory does not slow "
                     "down there; {}",
                     fmt::join(inside, ", "), cureOf(*found.profile)));
  if (!others.empty())
    warn(fmt::format("ran {} another number of times than the tree's run, or with other numbers of "
                     "iterations; use the same input for both",
                     fmt::join(others, ", ")));
  if (const auto newer = newerSources(tree, match.known, found); !newer.empty())
    warn(fmt::format("is older than {}; if the program has changed since, make it anew",
                     fmt::join(newer, ", ")));
  const auto &command = found.profile->command;
  if (!command.empty() && !tree.command.empty() &&
      argumentsOf(command) != argumentsOf(tree.command))
    warn(fmt::format("is of a run with other arguments ({}) than the tree's ({}); use the same for "
                     "both",
                     printable(fmt::format("{}", fmt::join(argumentsOf(command), " ")), 80),
                     printable(fmt::format("{}", fmt::join(argumentsOf(tree.command), " ")), 80)));
  if (const Places first = firstWriters(tree, match.known, *found.profile); !first.empty())
    warn(
        fmt::format("the first to write to memory that was read before is {}: where it was new, as "
                    "of calloc, threads wait there for the system, page by page, which is not in "
                    "these figures; write to it before it is read, as by memset",
                    fmt::join(first, ", ")));
  warnOfGaps(*found.profile, unlogged, warn);
  return match;
}

} // namespace prophet
