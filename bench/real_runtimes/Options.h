//===- Options.h - What is compared, and how --------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace real_runtimes {

struct Options {
  unsigned samples = 20;
  std::vector<unsigned> threads{2, 4, 8, 16, 32, 64};
  std::vector<std::string> runtimes{"libomp", "libgomp"};
  std::vector<std::string> patterns;  ///< all, where empty
  std::vector<std::string> schedules; ///< all, where empty
  unsigned nestedThreads = 8;         ///< no larger teams where teams nest
  unsigned long seed = 1;
  std::string executors = PROPHET_EXECUTORS;
  bool spin = false;
  double milliseconds = 50;     ///< a spinning program's serial time
  unsigned repetitions = 7;     ///< of a spinning run
  unsigned rounds = 4;          ///< in which disturbed repetitions are tried again
  unsigned cores = 2;           ///< of a spinning run
  unsigned draws = 10;          ///< runs of a program with tasks, and seeds
  double show = 0.02;           ///< runs that differ by more are listed
  std::string table;            ///< of overheads; none where empty, and built-in when spinning
  std::string wait = "default"; ///< OMP_WAIT_POLICY of spinning runs
  bool keepDisturbed = false;
  bool processes = false; ///< every repetition of a spinning run has a process of its own
  bool byPattern = false;

  /// As options of the command line.
  void declare(CLI::App &app);
};

/// Whether `name` is wanted; all are where nothing is said.
bool among(const std::vector<std::string> &wanted, const std::string &name);

} // namespace real_runtimes
