//===- TraceTimeline.cpp - Regions in the order of a program --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/TraceTimeline.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace prophet {

namespace {

/// What is in `slice`, `times` over.
std::string mergedArguments(const TraceSlice &slice, std::uint64_t times) {
  static constexpr const char *Keys[] = {"compute_ticks", "locked_ticks", "overhead_ticks",
                                         "lock_wait_ticks", "barrier_wait_ticks"};
  std::string text = fmt::format("\"merged_events\": {}, \"iterations\": {}", slice.merged * times,
                                 slice.iterations * times);
  for (std::size_t i = 0; i < std::size(Keys); ++i)
    text += fmt::format(", \"{}\": {}", Keys[i],
                        formatJsonNumber(slice.spent[i] * static_cast<double>(times)));
  return text;
}

} // namespace

TraceTimeline::TraceTimeline(const EmulatedProgram &program,
                             const std::vector<TraceRegion> &regions, std::size_t limit,
                             const TraceWords &words)
    : tree(program.timed.tree), program(program), regions(regions), limit(limit), words(words) {
  // Picoseconds for hours, and what a double can still count for longer runs.
  const double microseconds = program.elapsed / tree.timebaseHz * 1e6;
  while (unitsPerMicrosecond > 1 && microseconds * unitsPerMicrosecond > 0x1p52)
    unitsPerMicrosecond /= 1e3;
  for (const Outline::Use &use : program.outline.uses)
    uses[use.parent].push_back(use);
  findEntered();
}

void TraceTimeline::findEntered() {
  entered.resize(tree.nodes.size());
  for (const auto &[node, executions] : program.outline.outside) {
    entered[node] = uses.contains(node);
    for (const Child &child : tree.childrenOf(node))
      if (entered[child.node] && program.outline.outside.contains(child.node))
        entered[node] = true;
  }
}

std::string TraceTimeline::write() {
  stack.push_back({tree.root, firstChild(program.timed, tree.root)});
  while (!stack.empty() && written < 2 * limit)
    step();
  writeRest();
  return std::move(text);
}

/// One child of the innermost node, or its end.
void TraceTimeline::step() {
  Frame &frame = stack.back();
  const Position at = frame.at;
  if (at.child == at.end) {
    stack.pop_back();
    return;
  }
  const NodeId node = at.child->node;
  if (tree.nodes[node].kind == NodeKind::Section && program.chains.parallel(node)) {
    frame.at = openRegion(frame, at);
  } else if (entered[node]) {
    frame.at = at.next();
    stack.push_back({node, firstChild(program.timed, node)});
  } else {
    writeSerial(node, at.left);
    frame.at.left = 1;
    frame.at = frame.at.next();
  }
}

/// The region that starts at `at`, as often as it repeats; returns the position behind it.
Position TraceTimeline::openRegion(Frame &frame, Position at) {
  const std::vector<Outline::Use> &opened = uses.at(frame.node);
  Position last = at;
  if (const std::size_t region = opened[frame.nextUse].region;
      program.outline.regions[region].chained) {
    while (const auto link = program.chains.next(last))
      last = link->section;
    ++frame.nextUse;
    placeUse(region, 1);
    return last.next();
  }
  for (std::uint64_t left = at.left; left > 0;) {
    const Outline::Use &use = opened[frame.nextUse++];
    const auto times = static_cast<std::uint64_t>(use.times);
    placeUse(use.region, times);
    left -= times;
  }
  last.left = 1;
  return last.next();
}

/// What a use says, but for the run's first region.
void TraceTimeline::placeUse(std::size_t region, std::uint64_t times) {
  const auto &first = program.outline.first;
  const bool isFirst = !openedFirst && first && first->asleep == region;
  openedFirst = true;
  if (isFirst) {
    placeRegion(regions[first->awake], 1);
    --times;
  }
  if (times > 0)
    placeRegion(regions[region], times);
}

void TraceTimeline::placeRegion(const TraceRegion &region, std::uint64_t times) {
  const std::size_t events = region.events();
  std::uint64_t shown = 0;
  if (written + events <= limit)
    shown = std::min<std::uint64_t>(times, std::max<std::uint64_t>(1, limit / 8 / events));
  for (std::uint64_t i = 0; i < shown; ++i) {
    writeExecution(region);
    now += region.elapsed;
  }
  if (times > shown)
    writeRepeats(region, times - shown);
}

void TraceTimeline::writeExecution(const TraceRegion &region) {
  event(0, now, now + region.elapsed, "parallel " + siteName(region.section), "region", "");
  rowCount = std::max(rowCount, region.rows.size());
  for (const Item &item : itemsOf(region)) {
    const bool isArrow = !item.task && !item.slice;
    if (item.arrow > 0)
      arrowEnd(item, isArrow ? 's' : 'f');
    if (item.task)
      writeTask(item.thread, *item.task);
    else if (item.slice)
      writeSlice(item.thread, *item.slice, now);
  }
}

/// In the order in which readers that go by the file's, where times are the same, nest them right.
std::vector<TraceTimeline::Item> TraceTimeline::itemsOf(const TraceRegion &region) {
  std::vector<Item> items;
  items.reserve(region.events());
  for (std::size_t thread = 0; thread < region.rows.size(); ++thread) {
    for (const TraceTask &task : region.rows[thread].tasks) {
      const std::size_t arrow = addArrow(items, region, task.origin, task.start, task.end);
      items.push_back({task.start, task.order, thread, &task, nullptr, arrow});
    }
    for (const TraceSlice &slice : region.rows[thread].slices) {
      const std::size_t arrow = addArrow(items, region, slice.origin, slice.start, slice.end);
      items.push_back({slice.start, slice.order, thread, nullptr, &slice, arrow});
    }
  }
  std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
    const bool isSliceA = a.slice, isSliceB = b.slice;
    return std::tie(a.time, a.order, isSliceA, a.thread) <
           std::tie(b.time, b.order, isSliceB, b.thread);
  });
  return items;
}

/// The arrow from `origin` to the event from `start` to `end`, if both of its ends are written.
/// \returns its number, or 0
std::size_t TraceTimeline::addArrow(std::vector<Item> &items, const TraceRegion &region,
                                    const TraceOrigin &origin, double start, double end) {
  if (!origin || units(now + start) == units(now + end) ||
      !region.rows[origin.thread].isLeft(origin))
    return 0;
  items.push_back({origin.time, origin.order, origin.thread, nullptr, nullptr, ++arrows});
  return arrows;
}

void TraceTimeline::writeTask(std::size_t thread, const TraceTask &task) {
  event(thread, now + task.start, now + task.end, tree.sites[task.place.site].name, "task",
        fmt::format("\"first_iteration\": {}, \"iterations\": 1{}", task.place.first,
                    task.resumed ? ", \"resumed\": true" : ""));
}

/// `times` executions as one event on each row.
void TraceTimeline::writeRepeats(const TraceRegion &region, std::uint64_t times) {
  const double end = now + region.elapsed * static_cast<double>(times);
  const std::string name = "parallel " + siteName(region.section) + " (merged)";
  const std::string executions = fmt::format("\"merged_executions\": {}", times);
  if (region.rows.empty())
    event(0, now, end, name, "merged", executions);
  rowCount = std::max(rowCount, region.rows.size());
  for (std::size_t thread = 0; thread < region.rows.size(); ++thread) {
    const std::vector<TraceSlice> &slices = region.rows[thread].slices;
    if (slices.empty())
      continue;
    TraceSlice all = slices.front();
    for (std::size_t i = 1; i < slices.size(); ++i)
      all.append(slices[i]);
    event(thread, now, end, name, "merged", executions + ", " + mergedArguments(all, times));
  }
  now = end;
}

void TraceTimeline::writeSlice(std::size_t thread, const TraceSlice &slice, double shift) {
  const std::string &site = tree.sites[slice.place.site].name;
  const double start = shift + slice.start, end = shift + slice.end;
  if (slice.merged > 1) {
    return event(thread, start, end, site + " (merged)", "merged", mergedArguments(slice, 1));
  }
  const Place &place = slice.place;
  const std::string iterations =
      place.count == 0
          ? ""
          : fmt::format("\"first_iteration\": {}, \"iterations\": {}", place.first, place.count);
  switch (slice.activity) {
  case Activity::Compute:
    return event(thread, start, end, place.whole ? site : "compute",
                 place.whole ? "task" : "compute", iterations);
  case Activity::Locked:
    return event(thread, start, end, "lock " + tree.locks[slice.lock], "lock", iterations);
  case Activity::LockWait:
    return event(thread, start, end, "wait for lock " + tree.locks[slice.lock], "lock wait",
                 iterations);
  case Activity::Overhead:
    return event(thread, start, end, words.overhead, "overhead", "");
  case Activity::BarrierWait:
    return event(thread, start, end, words.wait, "barrier", "");
  }
}

void TraceTimeline::writeSerial(NodeId node, std::uint64_t times) {
  const double end =
      now + program.timed.grid.ticks(static_cast<double>(program.timed.length[node]) *
                                     static_cast<double>(times));
  const Node &what = tree.nodes[node];
  std::string name = "serial";
  if (what.kind == NodeKind::L)
    name = "lock " + tree.locks[what.ref];
  if (what.kind == NodeKind::Section)
    name = tree.sites[what.ref].name + " (serial)";
  event(0, now, end, name, "serial", "");
  now = end;
}

/// What the walk has not come to, where the trace is full.
void TraceTimeline::writeRest() {
  if (!stack.empty() && program.elapsed > now)
    event(0, now, program.elapsed, "rest of the program (merged)", "merged",
          "\"merged_until_end\": true");
}

std::string TraceTimeline::siteName(NodeId section) const {
  return tree.sites[tree.nodes[section].ref].name;
}

std::int64_t TraceTimeline::units(double ticks) const {
  return std::llround(ticks / tree.timebaseHz * 1e6 * unitsPerMicrosecond);
}

/// `value` units in microseconds.
std::string TraceTimeline::decimal(std::int64_t value) const {
  const auto per = static_cast<std::int64_t>(unitsPerMicrosecond);
  std::string digits = std::to_string(value / per);
  if (value % per == 0)
    return digits;
  digits += fmt::format(".{:0{}}", value % per, per == 1'000'000 ? 6 : 3);
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

/// Both ends are rounded alike, so that what touches or nests does so in the file, too.
void TraceTimeline::event(std::size_t thread, double start, double end, std::string_view name,
                          std::string_view category, std::string_view arguments) {
  const std::int64_t from = units(start), length = units(end) - from;
  if (length <= 0)
    return;
  ++written;
  text += fmt::format(",\n{{\"name\": {}, \"cat\": \"{}\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, "
                      "\"ts\": {}, \"dur\": {}",
                      formatJsonString(name), category, thread, decimal(from), decimal(length));
  if (!arguments.empty())
    text += fmt::format(", \"args\": {{{}}}", arguments);
  text += "}";
}

/// `phase` 's': its first end, within the event that is there; 'f': its last, at the next event.
void TraceTimeline::arrowEnd(const Item &item, char phase) {
  ++written;
  text += fmt::format(",\n{{\"name\": \"taken\", \"cat\": \"steal\", \"ph\": \"{}\", \"id\": {}, "
                      "\"pid\": 1, \"tid\": {}, \"ts\": {}}}",
                      phase, item.arrow, item.thread, decimal(units(now + item.time)));
}

} // namespace prophet
