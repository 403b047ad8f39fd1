//===- ThreadLimit.cpp - How many threads a process may have --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/ThreadLimit.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace prophet {

/// The number that a file begins with; none: "max", or no such file.
static std::optional<double> numberIn(const std::string &path) {
  std::ifstream file(path);
  double number = 0;
  if (file >> number)
    return number;
  return std::nullopt;
}

static std::optional<double> limitOf(__rlimit_resource resource) {
  rlimit limit;
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return static_cast<double>(limit.rlim_cur);
}

std::optional<double> cgroupThreads(const std::string &mount, std::string path) {
  std::optional<double> least;
  while (true) {
    const std::string file = mount + (path == "/" ? "" : path) + "/pids.max";
    if (const auto threads = numberIn(file))
      least = std::min(least.value_or(*threads), *threads);
    const auto slash = path.rfind('/');
    if (path == "/" || slash == path.npos)
      return least;
    path.resize(std::max<std::size_t>(slash, 1));
  }
}

/// pids.max of the cgroups that /proc/self/cgroup ("0::/path", "8:pids:/path") names.
static std::optional<double> ownCgroupThreads() {
  std::ifstream groups("/proc/self/cgroup");
  std::optional<double> least;
  for (std::string line; std::getline(groups, line);) {
    const auto path = line.find(":/");
    const bool version2 = line.starts_with("0::");
    if (path == line.npos || (!version2 && line.find(":pids:") == line.npos))
      continue;
    const std::string mount = version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids";
    if (const auto threads = cgroupThreads(mount, line.substr(path + 1)))
      least = std::min(least.value_or(*threads), *threads);
  }
  return least;
}

ThreadLimit threadLimit(std::optional<double> stack) {
  ThreadLimit least;
  const auto add = [&](std::optional<double> threads, const char *of) {
    if (threads && *threads < least.threads)
      least = {std::floor(*threads), of};
  };
  const auto perThread = [](std::optional<double> all, double one) {
    return all ? std::optional(*all / one) : std::nullopt;
  };
  constexpr double defaultStack = 2 << 20, mappings = 2; // a stack, and the page that guards it
  add(numberIn("/proc/sys/kernel/threads-max"), "kernel.threads-max");
  add(numberIn("/proc/sys/kernel/pid_max"), "kernel.pid_max");
  add(perThread(numberIn("/proc/sys/vm/max_map_count"), mappings), "vm.max_map_count");
  add(ownCgroupThreads(), "the cgroup's pids.max");
  if (::geteuid() != 0) // the kernel lets root have more
    add(limitOf(RLIMIT_NPROC), "ulimit -u");
  const double own = stack.value_or(limitOf(RLIMIT_STACK).value_or(defaultStack));
  add(perThread(limitOf(RLIMIT_AS), own), stack ? "ulimit -v" : "ulimit -v and -s");
  return least;
}

} // namespace prophet
