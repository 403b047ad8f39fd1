//===- BodyRatios.cpp - How loop bodies run as OpenMP's functions ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/BodyRatios.h"

#include "predictor/support/Capture.h"
#include "predictor/support/Text.h"
#include "predictor/validation/ValidationFile.h"
#include "predictor/verbs/ProfileMatch.h"
#include "predictor/verbs/RunFiles.h"
#include "predictor/verbs/SiteMatch.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace prophet {

namespace {

Result<ValidationFile> readValidation(const std::string &path, bool isGiven) {
  const auto text = readWholeFile(path);
  if (!text)
    return text.error();
  auto file = parseValidation(*text);
  if (!file)
    return Error{fmt::format("{}: {}; run 'prophet validate' again, or {}", printable(path),
                             printable(file.error().message),
                             isGiven ? "leave out --validation" : "remove the file")};
  return file;
}

} // namespace

std::optional<Error> checkValidation(const std::string &given, Paradigm paradigm) {
  if (given.empty() || given == "none")
    return std::nullopt;
  if (!isOpenMP(paradigm))
    return Error{fmt::format("--validation is of OpenMP's functions, and --paradigm {} has none; "
                             "leave out one of the two",
                             paradigmName(paradigm))};
  if (auto file = readValidation(given, true); !file)
    return file.error();
  return std::nullopt;
}

Result<BodyRatios> chooseBodyRatios(const Tree &tree, const std::string &treePath,
                                    const PredictRequest &request) {
  const bool isGiven = !request.validation.empty();
  BodyRatios ratios;
  if (request.validation == "none" || !isOpenMP(request.base.paradigm))
    return ratios;
  const std::string path = isGiven ? request.validation : existingValidation(treePath);
  if (path.empty())
    return ratios;
  const auto file = readValidation(path, isGiven);
  if (!file)
    return file.error();
  const std::vector<OutermostUse> uses = outermostUses(tree);
  ratios.bySite.assign(tree.sites.size(), 1);
  std::vector<std::string> missing;
  std::size_t known = 0;
  for (std::size_t site = 0; site < tree.sites.size(); ++site) {
    const ValidatedSite *found = findSite(site, tree, file->sites);
    known += found != nullptr;
    if (found && found->oneThread)
      ratios.bySite[site] = found->oneThread->used();
    else if (!found && uses[site].seconds > 0) // others may be measured as parts of these
      missing.push_back(placeOf(tree.sites[site]));
  }
  const std::string shown = printable(path);
  if (known == 0 && isGiven)
    return Error{shown + ": has no site of this program; run 'prophet validate' for it, or leave "
                         "out --validation"};
  if (!isGiven && (known == 0 || !missing.empty()))
    return BodyRatios{
        {},
        "",
        {fmt::format(
            "{}: is of another version of the program, and is left unused{}; run 'prophet "
            "validate' again, or remove the file",
            shown, missing.empty() ? "" : fmt::format(": it lacks {}", fmt::join(missing, ", ")))}};
  if (!missing.empty())
    ratios.warnings.push_back(fmt::format("{}: has nothing of {}, whose loop body counts as the "
                                          "serial program's; run 'prophet validate' again",
                                          shown, fmt::join(missing, ", ")));
  if (std::ranges::all_of(ratios.bySite, [](double ratio) { return ratio == 1; }))
    ratios.bySite.clear();
  ratios.path = path;
  return ratios;
}

} // namespace prophet
