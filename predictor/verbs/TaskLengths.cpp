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
#include <utility>

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
  const double mean = ticks() / static_cast<double>(tasks());
  double off = 0;
  for (std::size_t i = 1; i < starts.size(); ++i)
    off += std::abs(starts[i].ticks - starts[i - 1].ticks -
                    mean * static_cast<double>(starts[i].task - starts[i - 1].task));
  return off / ticks();
}

namespace {

/// The sections of one site and size at the outermost level of a tree, in order.
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
    if (tree.nodes[child.node].kind != NodeKind::Task) // the spawner's own, in parallel tasks
      continue;
    runs.push_back({child.repeat, serialTicks[child.node]});
    ticks += serialTicks[child.node];
  }
  return ticks > 0 ? std::make_shared<const TaskLengths>(runs) : nullptr;
}

/// Of a site of the tree, and how many tasks it has.
using SectionSize = std::pair<std::uint32_t, std::uint64_t>;

std::map<SectionSize, Sections> sectionsOf(const Tree &tree) {
  std::map<SectionSize, Sections> result;
  for (const Child &child : tree.childrenOf(tree.root)) {
    const Node &node = tree.nodes[child.node];
    if (node.kind != NodeKind::Section)
      continue;
    result[{node.ref, tree.tasksOf(child.node)}].add(child);
  }
  return result;
}

/// The node of each part, where there is one.
std::vector<std::optional<NodeId>>
nodesOf(const Tree &tree, const AccessLog &log,
        const std::vector<std::optional<std::uint32_t>> &siteOf) {
  const std::map<SectionSize, Sections> sections = sectionsOf(tree);
  const auto sizeOf = [&](const AccessLog::Part &part) -> std::optional<SectionSize> {
    if (part.site == AccessLog::Outside || !siteOf[part.site])
      return std::nullopt;
    return SectionSize{*siteOf[part.site], part.size};
  };
  std::map<SectionSize, std::uint64_t> logged, seen;
  for (const AccessLog::Part &part : log.parts)
    if (const auto size = sizeOf(part))
      ++logged[*size];
  std::vector<std::optional<NodeId>> result;
  for (const AccessLog::Part &part : log.parts) {
    result.emplace_back();
    const auto size = sizeOf(part);
    const auto found = size ? sections.find(*size) : sections.end();
    if (found == sections.end())
      continue;
    const Sections &all = found->second;
    const std::uint64_t number = seen[*size]++;
    const double among = (static_cast<double>(number) + 0.5) / static_cast<double>(logged[*size]) *
                         static_cast<double>(all.count());
    const bool areAll = logged[*size] == all.count();
    result.back() =
        all.at(areAll ? number : std::min(all.count() - 1, static_cast<std::uint64_t>(among)));
  }
  return result;
}

} // namespace

PartLengths partLengths(const Tree &tree, const AccessLog &log,
                        const std::vector<std::optional<std::uint32_t>> &siteOf) {
  const std::vector<double> serialTicks = tree.serialLengths();
  const std::vector<std::optional<NodeId>> nodes = nodesOf(tree, log, siteOf);
  struct Known {
    std::shared_ptr<const TaskLengths> lengths;
    bool isUneven = false;
  };
  std::map<NodeId, Known> known;
  PartLengths result{std::vector<double>(nodes.size()), {}};
  result.lengths.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i])
      continue;
    const auto [found, isNew] = known.try_emplace(*nodes[i]);
    auto &[lengths, isUneven] = found->second;
    if (isNew) {
      lengths = lengthsOf(tree, *nodes[i], serialTicks);
      isUneven = lengths && lengths->unevenness() > PartLengths::even;
    }
    if (!lengths)
      continue;
    result.taskNs[i] =
        lengths->ticks() * 1e9 / tree.timebaseHz / static_cast<double>(lengths->tasks());
    if (isUneven)
      result.lengths[i] = lengths;
  }
  return result;
}

} // namespace prophet
