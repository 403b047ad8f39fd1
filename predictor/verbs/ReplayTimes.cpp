//===- ReplayTimes.cpp - How long a replay's tasks take -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ReplayTimes.h"

#include <algorithm>

namespace prophet {

SerialTimes serialTimes(const Tree &tree) {
  const std::vector<double> lengths = tree.serialLengths();
  const double tickNs = 1e9 / tree.timebaseHz;
  SerialTimes times;
  double sections = 0, between = 0, since = 0;
  for (const Child &child : tree.childrenOf(tree.root)) {
    const auto repeat = static_cast<double>(child.repeat);
    if (tree.nodes[child.node].kind != NodeKind::Section) {
      since += lengths[child.node] * repeat * tickNs;
      continue;
    }
    (sections == 0 ? times.beforeNs : between) += since;
    since = 0;
    sections += repeat;
  }
  if (sections > 1)
    times.betweenNs = between / (sections - 1);
  return times;
}

memmodel::TaskTimes replayTimes(const SerialTimes &serial, const memmodel::MemoryProfile &profile,
                                const std::vector<KnownSite> &known,
                                const std::vector<double> &tasksOf) {
  constexpr double none = 1; // ns, so that tasks have an order
  std::vector<double> logged(profile.sites.size());
  double parts = 0; // of sections
  for (const memmodel::AccessLog::Part &part : profile.log->parts)
    if (part.site != memmodel::AccessLog::Outside) {
      ++logged[part.site];
      ++parts;
    }
  memmodel::TaskTimes times{std::vector(profile.sites.size(), none)};
  double executions = 0, missingNs = 0;
  for (const KnownSite &one : known) {
    const auto sections = static_cast<double>(profile.sites[one.profile].executions);
    const double tasks = sections * tasksOf[one.profile];
    times.taskNs[one.profile] = tasks > 0 ? std::max(none, one.serialNs / tasks) : none;
    executions += sections;
    if (sections > 0)
      missingNs += std::max(0.0, 1 - logged[one.profile] / sections) * one.serialNs;
  }
  times.beforeNs = serial.beforeNs;
  times.betweenNs =
      (serial.betweenNs * std::max(0.0, executions - 1) + missingNs) / std::max(1.0, parts - 1);
  return times;
}

} // namespace prophet
