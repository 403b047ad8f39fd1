//===- Subjects.h - Trees made ready for prediction -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is predicted: a profile's tree with the options that all its estimates
// share, the trees of other runs of the same program, and both as a --what-if
// changes them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/support/Result.h"
#include "predictor/verbs/PredictOptions.h"

#include <memory>
#include <string>
#include <vector>

namespace prophet {

struct NamedTree {
  std::shared_ptr<const Tree> tree;
  std::string name; ///< of its file
};

/// A tree that is to be emulated, with what holds for all its estimates.
struct Subject {
  std::shared_ptr<const Tree> tree;
  EmulationOptions options;          ///< threads and schedule are set for each estimate
  std::vector<SiteSettings> written; ///< what the schedule `written` stands for
  double growth = 1; ///< of a changed program: the unchanged one's serial time over its own
  MemoryUse memory{};
  std::string validation{}; ///< the file that the body ratios are from; "" without one
  std::vector<std::string> warnings{};

  /// `options` for `threads` threads under `choice`.
  EmulationOptions optionsFor(unsigned threads, const ScheduleChoice &choice) const;
};

/// `tree`, whose file is called `path`, as it is to be emulated; or why it cannot be.
Result<Subject> prepare(std::shared_ptr<const Tree> tree, const std::string &path,
                        const PredictRequest &request);

/// The trees of `runs` but that of `prediction`, made ready; their warnings are added to its own.
Result<std::vector<Subject>> prepareOthers(const std::vector<NamedTree> &runs,
                                           Prediction &prediction, const PredictRequest &request);

/// A program as a --what-if changes it, and the trees of its other runs.
struct ChangedSubjects {
  Subject subject;
  std::vector<Subject> others;
};

/// Both as `whatIf` changes them; or why they cannot be predicted then.
Result<ChangedSubjects> changeAll(const Subject &subject, const std::vector<Subject> &others,
                                  const WhatIf &whatIf, const PredictRequest &request);

} // namespace prophet
