//===- streamLogs.h - Logs of tasks that go through memory ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/AccessLog.h"

#include <map>
#include <vector>

namespace prophet::memmodel::test {

/// A log of one part of site 0, to which tasks add lines by their places.
class LogMaker {
public:
  explicit LogMaker(std::uint64_t tasks) { log.parts.push_back({0, tasks, 0, 0}); }
  AccessLog log;

  void task(std::uint64_t number, const std::vector<std::uint32_t> &places,
            AccessClass accessClass = AccessClass::Stream) {
    log.tasks.push_back({number, log.references.size(), places.size()});
    ++log.parts.back().count;
    for (const std::uint32_t place : places) {
      const auto [found, isNew] = numbers.emplace(place, log.places.size());
      if (isNew)
        log.places.push_back(place);
      log.references.push_back({found->second, accessClass, false});
    }
  }

private:
  std::map<std::uint32_t, std::uint32_t> numbers;
};

/// `tasks` tasks that each go on in `streams` arrays that lie one behind the other, by `lines`.
inline LogMaker arrays(std::uint32_t tasks, std::uint32_t streams, std::uint32_t lines,
                       bool descend) {
  LogMaker make(tasks);
  for (std::uint32_t task = 0; task < tasks; ++task) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t stream = 0; stream < streams; ++stream)
      for (std::uint32_t line = 0; line < lines; ++line)
        places.push_back((stream * tasks + (descend ? tasks - 1 - task : task)) * lines + line);
    make.task(task, places);
  }
  return make;
}

} // namespace prophet::memmodel::test
