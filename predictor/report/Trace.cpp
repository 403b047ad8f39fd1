//===- Trace.cpp - An emulated run, thread by thread ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Trace.h"

#include "predictor/report/TraceTimeline.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace prophet {

void TraceSlice::append(const TraceSlice &next) {
  end = next.end;
  if (place.site == next.place.site)
    place.count = 0; // of no iteration in particular
  merged += next.merged;
  iterations += next.iterations;
  for (std::size_t i = 0; i < spent.size(); ++i)
    spent[i] += next.spent[i];
}

void TraceRow::add(const Interval &interval) {
  TraceSlice slice{interval.start, interval.end, interval.activity, interval.place, interval.lock};
  slice.iterations = begun + (interval.place.whole ? interval.place.count : 0);
  slice.spent[static_cast<std::size_t>(interval.activity)] = interval.end - interval.start;
  begun = 0;
  slices.push_back(slice);
}

namespace {

/// Takes away tasks that begin or end within a merged slice of `row`.
void dropCutTasks(TraceRow &row) {
  const auto isCut = [&](double time) {
    const auto after =
        std::upper_bound(row.slices.begin(), row.slices.end(), time,
                         [](double at, const TraceSlice &slice) { return at < slice.start; });
    return after != row.slices.begin() && after[-1].merged > 1 && after[-1].start < time &&
           time < after[-1].end;
  };
  std::erase_if(row.tasks,
                [&](const TraceRow::Span &task) { return isCut(task.start) || isCut(task.end); });
}

/// Merges neighbours that together last no longer than `longest`.
void mergeShort(std::vector<TraceSlice> &slices, double longest) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < slices.size(); ++i)
    if (slices[i].end - slices[kept].start <= longest)
      slices[kept].append(slices[i]);
    else
      slices[++kept] = slices[i];
  slices.resize(kept + 1);
}

} // namespace

void TraceRow::shrink(std::size_t most) {
  if (slices.size() <= most)
    return;
  const double all = slices.back().end - slices.front().start;
  double longest = all / static_cast<double>(slices.size());
  for (; slices.size() > most; longest *= 2)
    mergeShort(slices, longest < all ? longest : 2 * all);
  dropCutTasks(*this);
}

std::size_t TraceRegion::events() const {
  std::size_t count = 1;
  for (const TraceRow &row : rows)
    count += row.events();
  return count;
}

TraceRecorder::TraceRecorder(unsigned threads, std::size_t limit)
    : limit(limit), rowLimit(std::max<std::size_t>(8, limit / 8 / threads)) {}

void TraceRecorder::regionBegins(NodeId section, double /*executions*/) {
  regions.push_back({section, 0, {}});
}

TraceRow &TraceRecorder::row(std::uint32_t thread) {
  auto &rows = regions.back().rows;
  if (rows.size() <= thread)
    rows.resize(thread + 1);
  return rows[thread];
}

void TraceRecorder::interval(const Interval &interval) {
  TraceRow &thread = row(interval.thread);
  thread.add(interval);
  if (thread.slices.size() > rowLimit)
    thread.shrink(std::max<std::size_t>(1, rowLimit / 2));
}

void TraceRecorder::taskBegins(std::uint32_t thread, const Place &place, double time) {
  TraceRow &on = row(thread);
  on.open.push_back({time, time, place});
  ++on.begun;
}

void TraceRecorder::taskEnds(std::uint32_t thread, double time) {
  TraceRow &on = row(thread);
  on.open.back().end = time;
  // What was merged while the task ran may have its beginning inside.
  const auto first = std::find_if(on.slices.rbegin(), on.slices.rend(), [&](const TraceSlice &s) {
    return s.start <= on.open.back().start;
  });
  const bool cut = first != on.slices.rend() && first->merged > 1 &&
                   first->start < on.open.back().start && on.open.back().start < first->end;
  if (!cut && time > on.open.back().start)
    on.tasks.push_back(on.open.back());
  on.open.pop_back();
}

void TraceRecorder::regionEnds(double elapsed) {
  TraceRegion &region = regions.back();
  region.elapsed = elapsed;
  if (recorded > limit)
    for (TraceRow &row : region.rows)
      row.shrink(1);
  if (recorded > 2 * limit)
    region.rows.clear();
  recorded += region.events();
}

void TraceRecorder::programEnds(const EmulatedProgram &program) {
  TraceTimeline timeline(program, regions, limit);
  events = timeline.write();
  rowsShown = timeline.rows();
  regions.clear();
}

std::string TraceRecorder::json(const std::string &title, const std::string &otherData) const {
  std::string text = fmt::format("{{\"displayTimeUnit\": \"ns\", \"otherData\": {{{}}},\n"
                                 "\"traceEvents\": [\n",
                                 otherData);
  text += fmt::format("{{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": "
                      "{{\"name\": {}}}}}",
                      formatJsonString(title));
  for (std::size_t thread = 0; thread < rowsShown; ++thread)
    text += fmt::format(",\n{{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": {0}, "
                        "\"args\": {{\"name\": \"thread {0}{1}\"}}}},\n"
                        "{{\"name\": \"thread_sort_index\", \"ph\": \"M\", \"pid\": 1, \"tid\": "
                        "{0}, \"args\": {{\"sort_index\": {0}}}}}",
                        thread, thread == 0 ? " (master)" : "");
  return text + events + "\n]}\n";
}

} // namespace prophet
