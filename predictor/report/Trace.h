//===- Trace.h - An emulated run, thread by thread ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chrome Trace Events (Perfetto, speedscope, chrome://tracing): one row a thread,
// complete events in microseconds.
//
//   {"name": "rows", "cat": "task", "ph": "X", "pid": 1, "tid": 2, "ts": 10, "dur": 2.5,
//    "args": {"first_iteration": 4, "iterations": 1}}
//
// Tasks nest as a thread runs them. One that goes on elsewhere has an event for each
// part. Arrows ("ph" "s" and "f") lead from where something was left to others to
// what a thread did with it.
//
// The size is bounded. On a row that has too many events the shortest neighbours
// are merged, and where a region repeats, its later executions are one event a
// row. A merged event (category "merged") covers all the time of what is in it,
// and says how many events, iterations or executions that was, and what of.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/report/TraceRow.h"

#include <string>
#include <vector>

namespace prophet {

/// One execution of a region.
struct TraceRegion {
  NodeId section;
  double elapsed = 0;
  std::vector<TraceRow> rows; ///< by thread
  std::size_t events() const;
};

/// How a trace calls what is the runtime's.
struct TraceWords {
  const char *overhead, *wait;
  static TraceWords of(Paradigm paradigm);
};

/// Writes down an emulated run.
class TraceRecorder : public EventListener {
public:
  /// \param limit how many events there may be before they are merged; there are never more than
  /// four times as many, or than a few a thread.
  TraceRecorder(unsigned threads, std::size_t limit, Paradigm paradigm);

  void regionBegins(NodeId section, double executions) override;
  void interval(const Interval &interval) override;
  void taskBegins(std::uint32_t thread, const Place &place, double time) override;
  void taskEnds(std::uint32_t thread, double time) override;
  void takes(std::uint32_t thread, std::uint32_t from, double since, double time) override;
  void tasksLeave(std::uint32_t thread, std::size_t count, double since) override;
  void taskResumes(std::uint32_t thread, const Place &place, double time) override;
  void regionEnds(double elapsed) override;
  void programEnds(const EmulatedProgram &program) override;

  /// The run as a trace. `title` names it, `otherData` is JSON to be kept with it: members of an
  /// object. \pre the program has ended.
  std::string json(const std::string &title, const std::string &otherData) const;

private:
  std::size_t limit, rowLimit;
  TraceWords words;
  std::vector<TraceRegion> regions; ///< in the outline's order
  std::size_t recorded = 0;
  std::uint64_t heard = 0; ///< beginnings of tasks, and what threads took
  std::string events;
  std::size_t rowsShown = 1;

  TraceRow &row(std::uint32_t thread);
  void bound(TraceRow &row) const;
};

} // namespace prophet
