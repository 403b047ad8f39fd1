//===- ForEach.h - Work that does not depend on its order -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace prophet {

/// Calls `work(i)` for every i below `count` from up to `jobs` threads.
template <typename Work> void forEach(std::size_t count, unsigned jobs, const Work &work) {
  std::atomic<std::size_t> next = 0;
  auto worker = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < count;)
      work(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t n = 1; n < std::min<std::size_t>(jobs, count); ++n)
    others.emplace_back(worker);
  worker();
}

} // namespace prophet
