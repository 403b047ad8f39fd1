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

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

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
    }
  return uses;
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
  return std::optional(FoundProfile{std::make_shared<memmodel::MemoryProfile>(std::move(*profile)),
                                    printable(path)});
}

namespace {

/// How many of the last parts of two paths are the same.
std::ptrdiff_t commonEnd(const std::filesystem::path &a, const std::filesystem::path &b) {
  const std::vector<std::filesystem::path> as(a.begin(), a.end()), bs(b.begin(), b.end());
  return std::mismatch(as.rbegin(), as.rend(), bs.rbegin(), bs.rend()).first - as.rbegin();
}

/// `site` among `uses`: the two builds may have been made in different folders, so of files of one
/// name the path counts from its end.
const SiteUse *findUse(const Site &site, const std::vector<SiteUse> &uses) {
  const SiteUse *found = nullptr;
  std::ptrdiff_t most = 0;
  for (const SiteUse &use : uses) {
    if (use.name != site.name || use.kind != kindName(site.kind) || use.line != site.line)
      continue;
    const std::ptrdiff_t common = commonEnd(use.file, site.file);
    if (common > most || (!found && use.file == site.file)) {
      found = &use;
      most = common;
    }
  }
  return found;
}

/// Whether another site of `tree`, alike but for its folder, is nearer to `use` than `site` is.
bool isAnothers(const SiteUse &use, const Site &site, const Tree &tree) {
  const std::ptrdiff_t own = commonEnd(use.file, site.file);
  return std::ranges::any_of(tree.sites, [&](const Site &other) {
    return other.name == site.name && other.kind == site.kind && other.line == site.line &&
           commonEnd(use.file, other.file) > own;
  });
}

/// What a program was called with, less its own name.
std::vector<std::string> argumentsOf(const std::vector<std::string> &command) {
  return {command.begin() + (command.empty() ? 0 : 1), command.end()};
}

std::string placeOf(const Site &site) {
  return fmt::format("'{}' ({}:{})", printable(site.name), printable(site.file), site.line);
}

} // namespace

ProfileMatch matchProfile(const Tree &tree, const std::vector<OutermostUse> &uses,
                          const FoundProfile &found) {
  ProfileMatch match;
  const auto &sites = found.profile->sites;
  std::vector<std::string> missing, others;
  for (std::uint32_t i = 0; i < tree.sites.size(); ++i) {
    const Site &site = tree.sites[i];
    if (uses[i].seconds <= 0)
      continue;
    const SiteUse *use = findUse(site, sites);
    if (!use || use->executions == 0 || isAnothers(*use, site, tree)) {
      missing.push_back(placeOf(site));
      continue;
    }
    const double ratio = static_cast<double>(use->executions) / uses[i].executions;
    if (ratio != 1)
      others.push_back(placeOf(site));
    match.known.push_back(
        {i, static_cast<std::uint32_t>(use - sites.data()), uses[i].seconds * 1e9 * ratio});
  }
  const auto warn = [&](std::string text) {
    match.warnings.push_back(found.shown + ": " + std::move(text));
  };
  if (!missing.empty() && !match.known.empty())
    warn(fmt::format("has nothing of {}, which memory does not slow down here; make the profile "
                     "of this program",
                     fmt::join(missing, ", ")));
  if (!others.empty())
    warn(fmt::format("ran {} another number of times than the tree's run; use the same input for "
                     "both",
                     fmt::join(others, ", ")));
  const auto &command = found.profile->command;
  if (!command.empty() && !tree.command.empty() &&
      argumentsOf(command) != argumentsOf(tree.command))
    warn(fmt::format("is of a run with other arguments ({}) than the tree's ({}); use the same for "
                     "both",
                     printable(fmt::format("{}", fmt::join(argumentsOf(command), " ")), 80),
                     printable(fmt::format("{}", fmt::join(argumentsOf(tree.command), " ")), 80)));
  if (!found.profile->complete)
    warn("is of a run that died, and knows it until then");
  if (!found.profile->log || !found.profile->log->complete)
    warn("has no log of the whole run: each thread's misses are the serial run's");
  return match;
}

} // namespace prophet
