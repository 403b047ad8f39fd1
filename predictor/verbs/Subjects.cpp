//===- Subjects.cpp - Trees made ready for prediction ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Subjects.h"

#include "predictor/emulator/WrittenClauses.h"
#include "predictor/report/SiteNames.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/BodyRatios.h"
#include "predictor/verbs/MemoryChoice.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>

namespace prophet {

EmulationOptions Subject::optionsFor(unsigned threads, const ScheduleChoice &choice) const {
  EmulationOptions result = options;
  result.threads = threads;
  result.schedule = choice.schedule;
  if (choice.kind == ScheduleChoice::Kind::Written)
    result.sites = written;
  return result;
}

/// The options that all estimates of `tree` share.
static Result<EmulationOptions> sharedOptions(const Tree &tree, const std::string &treeName,
                                              const PredictRequest &request) {
  EmulationOptions options = request.base;
  if (request.site.empty())
    return options;
  auto sites = findSites(tree, request.site);
  if (!sites)
    return Error{treeName + ": " + sites.error().message};
  options.onlySite = sites->front();
  return options;
}

/// The most nodes that a run may execute for its times to be exact to a few parts in 10^4: the
/// emulator rounds each to a 2^-62nd of the longest run that it has to provide for.
static constexpr std::uint64_t MostExecuted = std::uint64_t(1) << 44;

static bool isTooLong(const Tree &tree) {
  std::vector<std::uint64_t> counts = executionCounts(tree); // their sum is at most 2^63
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0)) > MostExecuted;
}

/// Why `tree` cannot be predicted as `request` asks.
static std::optional<Error> refuse(const Tree &tree, const EmulationOptions &shared,
                                   const PredictRequest &request) {
  if (isTooLong(tree))
    return Error{"runs more than 2^44 nodes, too many for exact times; profile a smaller input"};
  EmulationOptions options = shared;
  options.threads = request.threads.back(); // the most
  return unsupported(tree, options);
}

/// `subject` as `whatIf` changes it.
static Result<Subject> change(const Subject &subject, const WhatIf &whatIf,
                              const PredictRequest &request) {
  auto changed = changeTree(*subject.tree, whatIf);
  if (!changed)
    return changed.error();
  const EmulationOptions options = changeOptions(subject.options, whatIf);
  if (auto problem = refuse(*changed, options, request))
    return Error{"--what-if '" + printable(whatIf.text, 80) + "': " + problem->message};
  const auto serial = [](const Tree &tree) { return tree.serialLengths()[tree.root]; };
  const double left = serial(*changed);
  const double growth = left > 0 ? serial(*subject.tree) / left : 1;
  return Subject{std::make_shared<Tree>(std::move(*changed)), options, subject.written, growth};
}

Result<ChangedSubjects> changeAll(const Subject &subject, const std::vector<Subject> &others,
                                  const WhatIf &whatIf, const PredictRequest &request) {
  auto changed = change(subject, whatIf, request);
  if (!changed)
    return changed.error();
  ChangedSubjects all{std::move(*changed), {}};
  for (const Subject &other : others) {
    auto otherChanged = change(other, whatIf, request);
    if (!otherChanged)
      return otherChanged.error();
    all.others.push_back(std::move(*otherChanged));
  }
  return all;
}

Result<Subject> prepare(std::shared_ptr<const Tree> tree, const std::string &path,
                        const PredictRequest &request) {
  const std::string shown = printable(path);
  auto options = sharedOptions(*tree, shown, request);
  if (!options)
    return options.error();
  auto memory = chooseMemory(tree, path, request);
  if (!memory)
    return Error{shown + ": " + memory.error().message};
  options->burdens = std::move(memory->burdens);
  options->burdenModel = std::move(memory->model);
  options->useBurden = std::string_view(memory->use.model) != "none";
  auto ratios = chooseBodyRatios(*tree, path, request);
  if (!ratios)
    return Error{shown + ": " + ratios.error().message};
  options->bodyRatios = std::move(ratios->bySite);
  if (auto problem = refuse(*tree, *options, request))
    return Error{shown + ": " + problem->message};
  Subject subject{std::move(tree), std::move(*options), {}};
  subject.memory = std::move(memory->use);
  subject.validation = std::move(ratios->path);
  subject.warnings = std::move(memory->warnings);
  std::ranges::move(ratios->warnings, std::back_inserter(subject.warnings));
  return subject;
}

/// Whether both trees can be of one program: whether their sites are the same, in any order.
static bool haveEqualSites(const Tree &a, const Tree &b) {
  using Key = std::tuple<std::string, SiteKind, std::string, std::uint32_t>;
  const auto keysOf = [](const Tree &tree) {
    std::multiset<Key> keys;
    for (const Site &site : tree.sites)
      keys.emplace(site.name, site.kind, site.file, site.line);
    return keys;
  };
  return keysOf(a) == keysOf(b);
}

Result<std::vector<Subject>> prepareOthers(const std::vector<NamedTree> &runs,
                                           Prediction &prediction, const PredictRequest &request) {
  std::vector<Subject> others;
  const bool written = std::ranges::any_of(prediction.schedules, [](const ScheduleChoice &choice) {
    return choice.kind == ScheduleChoice::Kind::Written;
  });
  for (const NamedTree &run : runs) {
    if (run.tree == prediction.tree)
      continue;
    const std::string shown = printable(run.name);
    if (!haveEqualSites(*prediction.tree, *run.tree))
      return Error{
          fmt::format("{}: has other sites than {}; leave out --same-program, or this tree", shown,
                      printable(prediction.treeName))};
    auto other = prepare(run.tree, run.name, request);
    if (!other)
      return other.error();
    if (written) {
      auto clauses = readWrittenClauses(*run.tree, other->options.runtime, other->options.onlySite);
      if (!clauses)
        return Error{shown + ": " + clauses.error().message};
      other->written = std::move(clauses->sites);
    }
    for (const std::string &warning : run.tree->warnings)
      prediction.warnings.push_back(shown + ": " + warning);
    others.push_back(std::move(*other));
  }
  return others;
}

} // namespace prophet
