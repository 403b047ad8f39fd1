//===- Machine.h - What this machine offers the process -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace prophet {

/// Cores that this process may use: its affinity mask, cut by the cgroup's CPU quota. At least 1.
unsigned availableCores();

/// Whether a run of so many seconds that left `spare` cores to others was undisturbed by them.
/// \param busy cores that they kept busy, as /proc/stat has it, in 1/100 s
bool wasQuiet(double busy, double seconds, unsigned spare);

/// "AMD EPYC 7B13": what /proc/cpuinfo calls the processor; "" where it says nothing.
std::string processorName();

/// Cores that a cgroup v2 `cpu.max` grants: "200000 100000" is 2, "max 100000" no limit.
std::optional<double> coresFromCpuMax(std::string_view text);

/// The smallest quota on the way from cgroup `path` up to the root of the hierarchy at `mount`.
std::optional<double> cgroupQuota(const std::string &mount, std::string path);

} // namespace prophet
