//===- Sizes.cpp - How much no cache holds --------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Sizes.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace memory_figures {

std::size_t farBytes(std::size_t cache, std::size_t threads) {
  constexpr std::size_t mib = 1 << 20;
  const std::size_t outside = std::max(std::min(8 * cache, 1024 * mib), 4 * cache);
  return std::max({outside, 128 * mib, threads * 16 * mib}) / threads;
}

/// Bytes of memory that there are for this process.
static std::size_t memoryBytes() {
  const auto all = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                   static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t limit = all;
  if (std::ifstream file("/sys/fs/cgroup/memory.max"); !(file >> limit)) // "max", or there is none
    return all;
  return std::min(all, limit);
}

std::size_t farOfAll(std::size_t cache, std::size_t said, std::size_t threads, std::size_t all) {
  return std::max(farBytes(cache, threads),
                  std::min(farBytes(said, threads), memoryBytes() / 4 / all));
}

} // namespace memory_figures
