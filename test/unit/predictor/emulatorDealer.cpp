//===- emulatorDealer.cpp - Who runs which iterations, plainly ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorDealer.h"

#include <algorithm>
#include <cmath>

namespace prophet::test {

namespace {

/// libomp: half of each thread's part of what is left; once less than 2 * threads * (chunk + 1) is
/// left, or where it is little from the start, the chunk that was asked for.
std::size_t sizeForLlvm(double tasks, double left, double chunk, double threads) {
  if (threads == 1)
    return static_cast<std::size_t>(tasks);
  const bool small = (2 * chunk + 1) * threads >= tasks || left < 2 * threads * (chunk + 1);
  return static_cast<std::size_t>(small ? chunk : left * (0.5 / threads));
}

/// The same with what is left after k chunks in closed form, tasks * (1 - 1/(2 threads))^k, rounded
/// up; the chunk that was asked for from where no more than (2 chunk + 1) * threads is left.
std::size_t sizeForLlvmAuto(double tasks, double threads, int k) {
  const auto left = [&](int turn) { // no rounding matters but that of the base
    const double base = 1 - 0.5 / threads;
    return tasks * std::pow(static_cast<long double>(base), turn);
  };
  if (threads == 1)
    return static_cast<std::size_t>(tasks);
  if (3 * threads >= tasks || left(k) <= 3 * threads)
    return 1;
  return static_cast<std::size_t>(std::ceil(left(k)) - std::ceil(left(k + 1)));
}

/// How many tasks the chunk holds that begins behind `done` tasks and `turn` chunks.
std::size_t chunkSize(Policy policy, std::size_t tasks, std::size_t done, int turn,
                      std::size_t chunk, std::size_t threads) {
  const std::size_t left = tasks - done;
  std::size_t size = chunk;
  if (policy == Policy::GuidedGnu)
    size = std::max(chunk, (left + threads - 1) / threads);
  if (policy == Policy::GuidedLlvm)
    size = sizeForLlvm(static_cast<double>(tasks), static_cast<double>(left),
                       static_cast<double>(chunk), static_cast<double>(threads));
  if (policy == Policy::AutoLlvm)
    size = sizeForLlvmAuto(static_cast<double>(tasks), static_cast<double>(threads), turn);
  return std::min(size, left);
}

} // namespace

Policy policyOf(const Tree &tree, std::uint32_t site, const EmulationOptions &options) {
  const bool gnu = options.runtime == OmpRuntime::Libgomp;
  if (tree.sites[site].kind == SiteKind::Sections)
    return gnu ? Policy::Queue : Policy::Static;
  const Schedule &schedule = options.scheduleOf(site);
  switch (schedule.kind) {
  case Schedule::Kind::Static:
    return Policy::Static;
  case Schedule::Kind::StaticChunk:
    return Policy::StaticChunk;
  case Schedule::Kind::Dynamic:
    return gnu || schedule.monotonic ? Policy::Queue : Policy::Steal;
  case Schedule::Kind::Guided:
    return gnu ? Policy::GuidedGnu : Policy::GuidedLlvm;
  case Schedule::Kind::Auto:
    return gnu ? Policy::Static : Policy::AutoLlvm;
  }
  return Policy::Static;
}

Dealer::Dealer(std::size_t iterations, Policy policy, std::size_t chunk, unsigned threads)
    : policy(policy), piles(threads), here(threads), empty(threads), first(threads) {
  std::vector<Chunk> chunks;
  for (std::size_t i = 0, end = 0; i < iterations; ++i) {
    if (i == end) {
      end += chunkSize(policy, iterations, i, static_cast<int>(chunks.size()), chunk, piles.size());
      chunks.emplace_back();
    }
    chunks.back().push_back(i);
  }
  if (policy >= Policy::GuidedGnu)
    this->policy = Policy::Queue;
  if (policy == Policy::Steal && (threads == 1 || chunks.size() < piles.size()))
    this->policy = Policy::Queue;
  for (std::size_t i = 0; i < chunks.size(); ++i)
    piles[ownerOf(i, chunks.size())].push_back(chunks[i]);
  for (unsigned thread = 0; thread < threads; ++thread)
    first[thread] = (thread + 1) % threads;
}

std::optional<Dealer::Chunk> Dealer::next(unsigned thread) {
  std::deque<Chunk> &own = piles[policy == Policy::Queue ? 0 : thread];
  here[thread] = true;
  if (!own.empty()) {
    Chunk taken = own.front();
    own.pop_front();
    return taken;
  }
  if (policy == Policy::Steal)
    return steal(thread);
  return std::nullopt;
}

std::size_t Dealer::ownerOf(std::size_t chunk, std::size_t chunks) const {
  const std::size_t threads = piles.size();
  if (policy == Policy::Queue)
    return 0;
  if (policy == Policy::StaticChunk)
    return chunk % threads;
  std::size_t owner = 0; // blocks, the first ones longer
  for (std::size_t end = 0;; ++owner) {
    end += chunks / threads + (owner < chunks % threads ? 1 : 0);
    if (chunk < end)
      return owner;
  }
}

std::optional<Dealer::Chunk> Dealer::steal(unsigned thread) {
  const auto threads = static_cast<unsigned>(piles.size());
  empty[thread] = true;
  for (unsigned attempt = 1; attempt < threads; ++attempt) {
    unsigned victim = first[thread];
    for (unsigned step = 1; step < threads && (victim == thread || empty[victim]); ++step)
      victim = (victim + 1) % threads;
    if (victim == thread || empty[victim])
      continue;
    first[thread] = (victim + 1) % threads;
    if (piles[victim].empty())
      continue;
    std::size_t count = piles[victim].size();
    if (here[victim]) {
      first[thread] = victim;
      count = count > 7 ? count / 4 : 1;
    } else {
      empty[victim] = true;
    }
    std::deque<Chunk> &own = piles[thread];
    own.assign(piles[victim].end() - static_cast<long>(count), piles[victim].end());
    piles[victim].resize(piles[victim].size() - count);
    Chunk taken = own.front();
    own.pop_front();
    empty[thread] = own.empty();
    return taken;
  }
  return std::nullopt;
}

} // namespace prophet::test
