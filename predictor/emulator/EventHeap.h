//===- EventHeap.h - Who acts next ------------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/TimedTree.h"

#include <algorithm>
#include <vector>

namespace prophet {

/// When a thread acts next. The earlier goes first, at one time the lower-numbered.
struct Event {
  Time at;
  std::uint32_t thread;
  bool operator<(const Event &other) const {
    return at != other.at ? at < other.at : thread < other.thread;
  }
};

/// A binary heap of events, the first on top, whose top may change in place: most events of an
/// emulation are a thread acting again.
class EventHeap {
public:
  bool empty() const { return events.empty(); }
  std::size_t size() const { return events.size(); }
  const Event &top() const { return events[0]; }
  std::vector<Event>::iterator begin() { return events.begin(); }
  std::vector<Event>::iterator end() { return events.end(); }

  void push(Event event) {
    std::size_t hole = events.size();
    events.push_back(event);
    for (; hole > 0 && event < events[(hole - 1) / 2]; hole = (hole - 1) / 2)
      events[hole] = events[(hole - 1) / 2];
    events[hole] = event;
  }

  /// Whether the top still were on top if it acted at `at` instead.
  bool staysOnTop(Time at) const {
    const Event moved{at, events[0].thread};
    const std::size_t children = std::min<std::size_t>(events.size(), 3);
    for (std::size_t child = 1; child < children; ++child)
      if (events[child] < moved)
        return false;
    return true;
  }

  /// Lets the top act at `at` instead, a time that keeps it on top.
  void advanceTop(Time at) { events[0].at = at; }

  /// Lets the top act at `at` instead, and restores the order.
  void moveTop(Time at) {
    events[0].at = at;
    sink(0);
  }

  void pop() {
    events[0] = events.back();
    events.pop_back();
    if (!events.empty())
      sink(0);
  }

  void erase(std::vector<Event>::iterator event) {
    *event = events.back();
    events.pop_back();
    rebuild();
  }

  /// Restores the order after events were changed through iterators.
  void rebuild() {
    for (std::size_t hole = events.size() / 2; hole-- > 0;)
      sink(hole);
  }

private:
  std::vector<Event> events;

  void sink(std::size_t hole) {
    Event *const heap = events.data();
    const std::size_t size = events.size();
    const Event moved = heap[hole];
    for (std::size_t child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size) // which goes first, nobody can foresee: this is no branch
        child += heap[child + 1] < heap[child];
      if (!(heap[child] < moved))
        break;
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = moved;
  }
};

} // namespace prophet
