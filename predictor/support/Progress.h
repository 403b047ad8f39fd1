//===- Progress.h - How far a long computation is ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace prophet {

/// A line on standard error that is written over and over, and is gone at the end. Nothing where
/// that is no terminal.
class Progress {
public:
  Progress();
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void show(std::string_view line);

private:
  bool terminal;
};

/// Counts `total` pieces of work, and says how many are done once that takes a while. May be called
/// from several threads.
class Countdown {
public:
  /// \param what "estimates"
  Countdown(std::string what, std::size_t total) : what(std::move(what)), total(total) {}

  void finishedOne();

private:
  using Clock = std::chrono::steady_clock;
  std::string what;
  std::size_t total, done = 0;
  Clock::time_point shown = Clock::now();
  std::mutex mutex;
  Progress progress;
};

} // namespace prophet
