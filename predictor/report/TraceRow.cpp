//===- TraceRow.cpp - What one thread does in a region --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/TraceRow.h"

#include <algorithm>
#include <utility>

namespace prophet {

namespace {

bool isWork(Activity activity) {
  return activity != Activity::Overhead && activity != Activity::BarrierWait;
}

/// Whether `time` is within a slice of several intervals.
bool isCut(const std::vector<TraceSlice> &slices, double time) {
  const auto after =
      std::upper_bound(slices.begin(), slices.end(), time,
                       [](double at, const TraceSlice &slice) { return at < slice.start; });
  return after != slices.begin() && after[-1].merged > 1 && after[-1].start < time &&
         time < after[-1].end;
}

/// Takes away tasks that begin or end within a merged slice of `row`.
void dropCutTasks(TraceRow &row) {
  std::erase_if(row.tasks, [&](const TraceTask &task) {
    return isCut(row.slices, task.start) || isCut(row.slices, task.end);
  });
}

/// When those of `tasks` begin and end that last longer than `longest`, in order.
std::vector<double> boundsOf(const std::vector<TraceTask> &tasks, double longest) {
  std::vector<double> bounds;
  for (const TraceTask &task : tasks)
    if (task.end - task.start > longest)
      bounds.insert(bounds.end(), {task.start, task.end});
  std::sort(bounds.begin(), bounds.end());
  return bounds;
}

/// Merges neighbours that together last no longer than `longest`, but for those at `bounds`.
void mergeShort(std::vector<TraceSlice> &slices, double longest,
                const std::vector<double> &bounds) {
  auto bound = bounds.begin();
  std::size_t kept = 0;
  for (std::size_t i = 1; i < slices.size(); ++i) {
    bound = std::find_if(bound, bounds.end(), [&](double at) { return at >= slices[i].start; });
    const bool isBound = bound != bounds.end() && *bound == slices[i].start;
    if (!isBound && slices[i].end - slices[kept].start <= longest)
      slices[kept].append(slices[i]);
    else
      slices[++kept] = slices[i];
  }
  slices.resize(kept + 1);
}

/// Leaves the `most` that last longest.
void keepLongest(std::vector<TraceTask> &tasks, std::size_t most) {
  if (tasks.size() <= most)
    return;
  const auto end = tasks.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(tasks.begin(), end, tasks.end(), [](const TraceTask &a, const TraceTask &b) {
    return std::pair(a.start - a.end, a.order) < std::pair(b.start - b.end, b.order);
  });
  tasks.erase(end, tasks.end());
}

} // namespace

void TraceSlice::append(const TraceSlice &next) {
  end = next.end;
  if (place.site == next.place.site)
    place.count = 0; // of no iteration in particular
  merged += next.merged;
  iterations += next.iterations;
  for (std::size_t i = 0; i < spent.size(); ++i)
    spent[i] += next.spent[i];
  origin = {};
}

void TraceRow::add(const Interval &interval) {
  TraceSlice slice{interval.start, interval.end, interval.activity, interval.place, interval.lock};
  if (isWork(interval.activity) && interval.place.count == 0 && !open.empty())
    slice.place = open.back().place;
  slice.order = latest;
  slice.iterations = begun + (interval.place.whole ? interval.place.count : 0);
  slice.spent[static_cast<std::size_t>(interval.activity)] = interval.end - interval.start;
  begun = 0;
  if (isWork(interval.activity))
    slice.origin = originAt(interval.start);
  else if (interval.activity == Activity::Overhead && interval.start == arrival) // of taking it
    arrival = interval.end;
  slices.push_back(slice);
}

void TraceRow::take(const TraceOrigin &origin, double time) {
  arriving = origin;
  arrival = time;
  latest = origin.order;
}

/// Of what begins at `time`, if it was taken.
TraceOrigin TraceRow::originAt(double time) {
  const TraceOrigin origin = std::exchange(arriving, {});
  return time == arrival ? origin : TraceOrigin{};
}

void TraceRow::begin(TraceTask task) {
  task.origin = originAt(task.start);
  begun += !task.resumed;
  latest = task.order;
  open.push_back(task);
}

void TraceRow::end(double time) {
  close(open.back(), time);
  open.pop_back();
}

void TraceRow::leave(std::size_t count, double since) {
  const auto last = open.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto task = open.begin(); task != last; ++task)
    close(*task, since);
  open.erase(open.begin(), last);
}

/// `task` ends or stops; what was merged while it ran may have its beginning or end inside.
void TraceRow::close(TraceTask task, double time) {
  task.end = time;
  if (task.end > task.start && !isCut(slices, task.start) && !isCut(slices, task.end))
    tasks.push_back(task);
}

/// The tasks that last longest are kept, with the slices in which they begin and end.
void TraceRow::shrink(std::size_t most) {
  std::vector<TraceTask> longTasks = tasks;
  for (TraceTask task : open) {
    task.end = slices.empty() ? task.start : slices.back().end;
    longTasks.push_back(task);
  }
  keepLongest(longTasks, most / 4);
  double longest = 0;
  while (slices.size() > most) {
    const double all = slices.back().end - slices.front().start;
    longest = longest > 0 ? 2 * longest : all / static_cast<double>(slices.size());
    mergeShort(slices, longest < all ? longest : 2 * all, boundsOf(longTasks, longest));
    dropCutTasks(*this);
  }
  keepLongest(tasks, most);
}

bool TraceRow::isLeft(const TraceOrigin &origin) const {
  const auto isAfter = [](const TraceOrigin &what, const TraceSlice &slice) {
    return std::pair(what.time, what.order) < std::pair(slice.start, slice.order);
  };
  const auto after = std::upper_bound(slices.begin(), slices.end(), origin, isAfter);
  return after != slices.begin() && after[-1].end >= origin.time;
}

std::size_t TraceRow::events() const {
  const auto isTaken = [](const auto &what) { return static_cast<bool>(what.origin); };
  const auto arrows = std::count_if(slices.begin(), slices.end(), isTaken) +
                      std::count_if(tasks.begin(), tasks.end(), isTaken);
  return slices.size() + tasks.size() + 2 * static_cast<std::size_t>(arrows);
}

} // namespace prophet
