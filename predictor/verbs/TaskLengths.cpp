//===- TaskLengths.cpp - How long the tasks of sections take --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/TaskLengths.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace prophet {

using memmodel::AccessLog;

TaskLengths::TaskLengths(const std::vector<Run> &runs) : starts{{0, 0}} {
  double last = -1; // of the run before
  for (const Run &run : runs) {
    if (run.count == 0)
      continue;
    const Start &begin = starts.back();
    const Start end{begin.task + run.count,
                    begin.ticks + run.ticks * static_cast<double>(run.count)};
    if (run.ticks == last)
      starts.back() = end;
    else
      starts.push_back(end);
    last = run.ticks;
  }
  assert(ticks() > 0);
}

double TaskLengths::before(std::uint64_t task) const {
  const auto end = std::ranges::lower_bound(starts, task, {}, &Start::task);
  return beforeIn(task, static_cast<std::size_t>(end - starts.begin()));
}

double TaskLengths::beforeNext(std::uint64_t task, std::size_t &place) const {
  while (starts[place].task < task)
    ++place;
  return beforeIn(task, place);
}

double TaskLengths::beforeIn(std::uint64_t task, std::size_t last) const {
  const Start &end = starts[last];
  double sum = end.ticks;
  if (end.task != task) {
    const Start &begin = starts[last - 1];
    const double part =
        static_cast<double>(task - begin.task) / static_cast<double>(end.task - begin.task);
    sum = begin.ticks + part * (end.ticks - begin.ticks);
  }
  return sum * static_cast<double>(tasks()) / ticks();
}

double TaskLengths::unevenness() const {
  double most = 0;
  for (const Start &start : starts)
    most = std::max(most, std::abs(start.ticks / ticks() -
                                   static_cast<double>(start.task) / static_cast<double>(tasks())));
  return most;
}

namespace {

/// The sections of one site at the outermost level of a tree, in order.
class Sections {
public:
  void add(const Child &child) {
    last += child.repeat;
    ends.push_back({last, child.node});
  }
  std::uint64_t count() const { return last; }
  NodeId at(std::uint64_t number) const {
    return std::ranges::upper_bound(ends, number, {}, &End::number)->node;
  }

private:
  struct End {
    std::uint64_t number; ///< of the first section behind it
    NodeId node;
  };
  std::vector<End> ends;
  std::uint64_t last = 0;
};

std::shared_ptr<const TaskLengths> lengthsOf(const Tree &tree, NodeId section,
                                             const std::vector<double> &serialTicks) {
  std::vector<TaskLengths::Run> runs;
  double ticks = 0;
  for (const Child &child : tree.childrenOf(section)) {
    runs.push_back({child.repeat, serialTicks[child.node]});
    ticks += serialTicks[child.node];
  }
  return ticks > 0 ? std::make_shared<const TaskLengths>(runs) : nullptr;
}

} // namespace

PartLengths partLengths(const Tree &tree, const AccessLog &log,
                        const std::vector<std::optional<std::uint32_t>> &siteOf) {
  const std::vector<double> serialTicks = tree.serialLengths();
  const double tickNs = 1e9 / tree.timebaseHz;
  std::vector<Sections> sections(tree.sites.size());
  for (const Child &child : tree.childrenOf(tree.root))
    if (const Node &node = tree.nodes[child.node]; node.kind == NodeKind::Section)
      sections[node.ref].add(child);
  std::vector<std::uint64_t> logged(siteOf.size()), seen(siteOf.size());
  for (const AccessLog::Part &part : log.parts)
    if (part.site != AccessLog::Outside)
      ++logged[part.site];
  struct Known {
    std::shared_ptr<const TaskLengths> lengths;
    bool isUneven = false;
  };
  std::map<NodeId, Known> known;
  PartLengths result{std::vector<double>(log.parts.size()), {}};
  result.lengths.resize(log.parts.size());
  for (std::size_t i = 0; i < log.parts.size(); ++i) {
    const AccessLog::Part &part = log.parts[i];
    if (part.site == AccessLog::Outside || !siteOf[part.site])
      continue;
    const Sections &all = sections[*siteOf[part.site]];
    const std::uint64_t number = seen[part.site]++;
    if (all.count() == 0)
      continue;
    const bool areAll = logged[part.site] == all.count();
    const double among = (static_cast<double>(number) + 0.5) /
                         static_cast<double>(logged[part.site]) * static_cast<double>(all.count());
    const NodeId node =
        all.at(areAll ? number : std::min(all.count() - 1, static_cast<std::uint64_t>(among)));
    const auto [found, isNew] = known.try_emplace(node);
    if (isNew) {
      found->second.lengths = lengthsOf(tree, node, serialTicks);
      found->second.isUneven =
          found->second.lengths && found->second.lengths->unevenness() > PartLengths::even;
    }
    const auto &[lengths, uneven] = found->second;
    if (!lengths || lengths->tasks() != part.size)
      continue;
    result.taskNs[i] = lengths->ticks() * tickNs / static_cast<double>(part.size);
    if (uneven)
      result.lengths[i] = lengths;
  }
  return result;
}

} // namespace prophet
