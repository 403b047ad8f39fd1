//===- Options.cpp - What is compared, and how ----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace real_runtimes {

void Options::declare(CLI::App &app) {
  app.add_option("--samples", samples, "Programs of each pattern (default 20)");
  app.add_option("--threads", threads, "Team sizes (default 2,4,8,16,32,64)")->delimiter(',');
  app.add_option("--runtime", runtimes, "libomp, libgomp (default both)")
      ->check(CLI::IsMember({"libomp", "libgomp"}));
  app.add_option("--pattern", patterns,
                 "Only these patterns, e.g. Test1-locks; those of tasks only where they are named");
  app.add_option("--schedule", schedules, "Only these schedules, e.g. dynamic,1");
  app.add_option("--nested-threads", nestedThreads, "The largest teams that nest (default 8)");
  app.add_option("--seed", seed, "Of the first program; the next has the next (default 1)");
  app.add_option("--executors", executors, "Directory of the executors");
  app.add_flag("--spin", spin, "Threads that spin in real time, not in virtual time");
  app.add_option("--cores", cores, "Spin: cores that the threads share (default 2)");
  app.add_option("--milliseconds", milliseconds, "Spin: of a program's serial time (default 50)");
  app.add_option("--repetitions", repetitions, "Spin: the median of so many counts (default 7)");
  app.add_option("--rounds", rounds,
                 "Spin: tries for repetitions that others disturbed (default 4)");
  app.add_option("--overheads", table,
                 "A machine file, none (the default in virtual time), or built-in (when spinning)");
  app.add_flag("--keep-disturbed", keepDisturbed, "Spin: count all repetitions");
  app.add_flag("--processes", processes,
               "Spin: every repetition in a process of its own, as a user's program");
  app.add_option("--wait-policy", wait, "Spin: default, active or passive")
      ->check(CLI::IsMember({"default", "active", "passive"}));
  app.add_option("--draws", draws,
                 "Runs and seeds whose means are compared, of tasks (default 10)");
  app.add_flag("--by-pattern", byPattern, "One row for each pattern, not for each schedule");
  app.add_option("--show", show, "List runs that differ by more than this (default 0.02)");
}

bool among(const std::vector<std::string> &wanted, const std::string &name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

} // namespace real_runtimes
