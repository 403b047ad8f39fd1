//===- ThreadLimit.h - How many threads a process may have ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <limits>
#include <optional>
#include <string>

namespace prophet {

struct ThreadLimit {
  double threads = std::numeric_limits<double>::infinity();
  std::string of; ///< what sets it: "ulimit -u"
};

/// The least of what is known to limit the threads of a process that this one starts: limits of the
/// user, the cgroup, the kernel and of address space. It can be fewer, since other processes have
/// threads, too, and stacks are not all of a process.
/// \param stack of each, in bytes; none: as the system makes them
ThreadLimit threadLimit(std::optional<double> stack = std::nullopt);

/// The least pids.max on the way from cgroup `path` up to the root of the hierarchy at `mount`.
std::optional<double> cgroupThreads(const std::string &mount, std::string path);

} // namespace prophet
