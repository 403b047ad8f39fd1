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
                std::size_t limit, const TraceWords &words);

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

  /// What a region has on one row from some moment on. What begins at one moment comes in the order
  /// in which it was heard of, so tasks come before what is in them, and arrows begin behind what
  /// they come from and before what they lead to.
  struct Item {
    double time;
    std::uint64_t order;
    std::size_t thread;
    const TraceTask *task = nullptr;
    const TraceSlice *slice = nullptr; ///< neither: an arrow begins
    std::size_t arrow = 0;             ///< that begins here, or leads here; 0: none does
  };

  const Tree &tree;
  const EmulatedProgram &program;
  const std::vector<TraceRegion> &regions;
  std::size_t limit;
  TraceWords words;
  double unitsPerMicrosecond = 1e6; ///< times are written in whole numbers of these
  std::unordered_map<NodeId, std::vector<Outline::Use>> uses; ///< by parent, in program order
  std::vector<bool> entered; ///< by node: has regions below, and is walked through
  std::vector<Frame> stack;
  bool openedFirst = false; ///< the run's first region
  double now = 0;           ///< in ticks
  std::string text;
  std::size_t written = 0, rowCount = 1, arrows = 0;

  void findEntered();
  void step();
  Position openRegion(Frame &frame, Position at);
  void placeUse(std::size_t region, std::uint64_t times);
  void placeRegion(const TraceRegion &region, std::uint64_t times);
  void writeExecution(const TraceRegion &region);
  std::vector<Item> itemsOf(const TraceRegion &region);
  std::size_t addArrow(std::vector<Item> &items, const TraceRegion &region,
                       const TraceOrigin &origin, double start, double end);
  void writeTask(std::size_t thread, const TraceTask &task);
  void writeRepeats(const TraceRegion &region, std::uint64_t times);
  void writeSlice(std::size_t thread, const TraceSlice &slice, double shift);
  void writeSerial(NodeId node, std::uint64_t times);
  void writeRest();

  std::string siteName(NodeId section) const;
  std::int64_t units(double ticks) const;
  std::string decimal(std::int64_t value) const;
  void event(std::size_t thread, double start, double end, std::string_view name,
             std::string_view category, std::string_view arguments);
  void arrowEnd(const Item &item, char phase);
};

} // namespace prophet
