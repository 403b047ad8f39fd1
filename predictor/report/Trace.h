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
// The size is bounded. On a row that has too many events the shortest neighbours
// are merged, and where a region repeats, its later executions are one event a
// row. A merged event (category "merged") covers all the time of what is in it,
// and says how many events, iterations or executions that was, and what of.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Listener.h"

#include <array>
#include <string>
#include <vector>

namespace prophet {

/// What a thread does from `start` to `end`: one thing, or several that were merged.
struct TraceSlice {
  double start, end; ///< in ticks, of the region
  Activity activity;
  Place place;
  std::uint32_t lock;
  std::uint64_t merged = 1;      ///< intervals in it
  std::uint64_t iterations = 0;  ///< that begin in it
  std::array<double, 5> spent{}; ///< by Activity

  void append(const TraceSlice &next);
};

/// One thread's part of a region.
struct TraceRow {
  struct Span {
    double start, end;
    Place place;
  };
  std::vector<TraceSlice> slices; ///< in order, without overlap
  std::vector<Span> tasks;        ///< that are several slices; by their end
  std::vector<Span> open;         ///< tasks that have not ended, the innermost last
  std::uint64_t begun = 0;        ///< tasks that begin with the next slice

  void add(const Interval &interval);
  /// Merges the shortest neighbours until at most `most` >= 1 slices are left.
  void shrink(std::size_t most);
  std::size_t events() const { return slices.size() + tasks.size(); }
};

/// One execution of a region.
struct TraceRegion {
  NodeId section;
  double elapsed = 0;
  std::vector<TraceRow> rows; ///< by thread
  std::size_t events() const;
};

/// Writes down an emulated run.
class TraceRecorder : public EventListener {
public:
  /// \param limit how many events there may be before they are merged; there are never more than
  /// four times as many, or than a few a thread.
  TraceRecorder(unsigned threads, std::size_t limit);

  void regionBegins(NodeId section, double executions) override;
  void interval(const Interval &interval) override;
  void taskBegins(std::uint32_t thread, const Place &place, double time) override;
  void taskEnds(std::uint32_t thread, double time) override;
  void regionEnds(double elapsed) override;
  void programEnds(const EmulatedProgram &program) override;

  /// The run as a trace. `title` names it, `otherData` is JSON to be kept with it: members of an
  /// object. \pre the program has ended.
  std::string json(const std::string &title, const std::string &otherData) const;

private:
  std::size_t limit, rowLimit;
  std::vector<TraceRegion> regions; ///< in the outline's order
  std::size_t recorded = 0;
  std::string events;
  std::size_t rowsShown = 1;

  TraceRow &row(std::uint32_t thread);
};

} // namespace prophet
