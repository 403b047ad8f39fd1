//===- TraceTimeline.h - Regions in the order of a program --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a program in its order, serial parts and regions, and writes their events
// with the time of the whole run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Chain.h"
#include "predictor/emulator/Outline.h"
#include "predictor/report/Trace.h"

#include <string_view>
#include <unordered_map>

namespace prophet {

class TraceTimeline {
public:
  TraceTimeline(const EmulatedProgram &program, const std::vector<TraceRegion> &regions,
                std::size_t limit);

  /// The events, each with ",\n" in front.
  std::string write();
  /// How many threads have a row.
  std::size_t rows() const { return rowCount; }

private:
  /// A node outside of any region, and how far the walk has come.
  struct Frame {
    NodeId node;
    Position at;
    std::size_t nextUse = 0;
  };

  const Tree &tree;
  const EmulatedProgram &program;
  const std::vector<TraceRegion> &regions;
  std::size_t limit;
  double unitsPerMicrosecond = 1e6; ///< times are written in whole numbers of these
  std::unordered_map<NodeId, std::vector<Outline::Use>> uses; ///< by parent, in program order
  std::vector<bool> entered; ///< by node: has regions below, and is walked through
  std::vector<Frame> stack;
  bool openedFirst = false; ///< the run's first region
  double now = 0;           ///< in ticks
  std::string text;
  std::size_t written = 0, rowCount = 1;

  void findEntered();
  void step();
  Position openRegion(Frame &frame, Position at);
  void placeUse(std::size_t region, std::uint64_t times);
  void placeRegion(const TraceRegion &region, std::uint64_t times);
  void writeExecution(const TraceRegion &region);
  void writeRepeats(const TraceRegion &region, std::uint64_t times);
  void writeSlice(std::size_t thread, const TraceSlice &slice, double shift);
  void writeSerial(NodeId node, std::uint64_t times);
  void writeRest();

  std::string siteName(NodeId section) const;
  std::int64_t units(double ticks) const;
  void event(std::size_t thread, double start, double end, std::string_view name,
             std::string_view category, std::string_view arguments);
};

} // namespace prophet
