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

std::size_t TraceRegion::events() const {
  std::size_t count = 1;
  for (const TraceRow &row : rows)
    count += row.events();
  return count;
}

TraceWords TraceWords::of(Paradigm paradigm) {
  switch (paradigm) {
  case Paradigm::OpenMP:
  case Paradigm::Tasks:
    break;
  case Paradigm::Tbb:
    return {"oneTBB", "wait for tasks"};
  case Paradigm::Cilk:
    return {"OpenCilk", "wait for tasks"};
  }
  return {"OpenMP", "wait at barrier"};
}

TraceRecorder::TraceRecorder(unsigned threads, std::size_t limit, Paradigm paradigm)
    : limit(limit), rowLimit(std::max<std::size_t>(8, limit / 8 / threads)),
      words(TraceWords::of(paradigm)) {}

void TraceRecorder::regionBegins(NodeId section, double /*executions*/) {
  regions.push_back({section, 0, {}});
}

TraceRow &TraceRecorder::row(std::uint32_t thread) {
  auto &rows = regions.back().rows;
  if (rows.size() <= thread)
    rows.resize(thread + 1);
  return rows[thread];
}

void TraceRecorder::bound(TraceRow &row) const {
  if (std::max(row.slices.size(), row.tasks.size()) > rowLimit)
    row.shrink(std::max<std::size_t>(1, rowLimit / 2));
}

void TraceRecorder::interval(const Interval &interval) {
  TraceRow &on = row(interval.thread);
  on.add(interval);
  bound(on);
}

void TraceRecorder::taskBegins(std::uint32_t thread, const Place &place, double time) {
  row(thread).begin({time, time, place, ++heard, false});
}

void TraceRecorder::taskResumes(std::uint32_t thread, const Place &place, double time) {
  row(thread).begin({time, time, place, ++heard, true});
}

void TraceRecorder::taskEnds(std::uint32_t thread, double time) {
  TraceRow &on = row(thread);
  on.end(time);
  bound(on);
}

void TraceRecorder::tasksLeave(std::uint32_t thread, std::size_t count, double since) {
  TraceRow &on = row(thread);
  on.leave(count, since);
  bound(on);
}

void TraceRecorder::takes(std::uint32_t thread, std::uint32_t from, double since, double time) {
  row(from); // an arrow begins there
  row(thread).take({from, since, ++heard}, time);
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
  TraceTimeline timeline(program, regions, limit, words);
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
