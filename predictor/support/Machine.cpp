//===- Machine.cpp - What this machine offers the process -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Machine.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <thread>

namespace prophet {

static std::string firstLine(const std::string &path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

std::optional<double> coresFromCpuMax(std::string_view text) {
  std::istringstream words{std::string(text)};
  double quota = 0, period = 0;
  if (!(words >> quota >> period) || quota <= 0 || period <= 0)
    return std::nullopt; // "max", or no such file
  return quota / period;
}

std::optional<double> cgroupQuota(const std::string &mount, std::string path) {
  std::optional<double> least;
  while (true) {
    std::string directory = mount + (path == "/" ? "" : path);
    // Version 1 keeps quota (-1: none) and period in two files.
    for (const std::string &limit :
         {firstLine(directory + "/cpu.max"), firstLine(directory + "/cpu.cfs_quota_us") + " " +
                                                 firstLine(directory + "/cpu.cfs_period_us")})
      if (auto cores = coresFromCpuMax(limit))
        least = std::min(least.value_or(*cores), *cores);
    auto slash = path.rfind('/');
    if (path == "/" || slash == path.npos)
      return least;
    path.resize(std::max<std::size_t>(slash, 1));
  }
}

/// The quota of the cgroups that /proc/self/cgroup ("0::/path", "4:cpu,cpuacct:/path") names.
static std::optional<double> ownQuota() {
  std::ifstream groups("/proc/self/cgroup");
  std::optional<double> least;
  for (std::string line; std::getline(groups, line);) {
    auto first = line.find(':');
    auto second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos)
      continue;
    std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    bool version2 = controllers == ",,";
    if (!version2 && controllers.find(",cpu,") == controllers.npos)
      continue;
    std::string mount = version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    if (auto cores = cgroupQuota(mount, line.substr(second + 1)))
      least = std::min(least.value_or(*cores), *cores);
  }
  return least;
}

unsigned availableCores() {
  cpu_set_t set;
  unsigned cores = ::sched_getaffinity(0, sizeof set, &set) == 0
                       ? static_cast<unsigned>(CPU_COUNT(&set))
                       : std::thread::hardware_concurrency();
  cores = std::max(cores, 1u);
  if (auto quota = ownQuota())
    cores = std::min(cores, static_cast<unsigned>(std::max(1.0, std::ceil(*quota))));
  return cores;
}

bool wasQuiet(double busy, double seconds, unsigned spare) {
  constexpr double grain = 0.01; // s
  return busy - (seconds > 0 ? grain / seconds : 0) < spare + 0.25;
}

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != line.npos)
        return line.substr(colon + 2);
  return "";
}

} // namespace prophet
