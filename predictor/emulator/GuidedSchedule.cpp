//===- GuidedSchedule.cpp - schedule(guided,c), and libomp's auto ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/GuidedSchedule.h"

#include <algorithm>
#include <cassert>

namespace prophet {

namespace {

std::uint64_t ceilDivide(std::uint64_t number, std::uint64_t by) {
  return number / by + (number % by != 0);
}

/// libomp's __kmp_pow, multiplications in its order: rounding decides where a chunk ends.
long double power(long double base, std::uint64_t exponent) {
  long double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}

/// (2T - 1) / 2T, in double precision as libomp has it.
double shareLeft(unsigned threads) { return 1.0 - 0.5 / static_cast<double>(threads); }

} // namespace

bool isTooShortToShrink(std::uint64_t iterations, unsigned threads, std::uint64_t chunk) {
  return 2 * chunk + 1 >= ceilDivide(iterations, threads); // (2c + 1) T >= n, without overflow
}

GuidedChunks::GuidedChunks(Shrinking shrinking, std::uint64_t iterations, unsigned threads,
                           std::uint64_t chunk)
    : shrinking(shrinking), iterations(iterations), chunk(chunk), threads(threads) {
  assert(shrinking == Shrinking::Libgomp ||
         (threads > 1 && !isTooShortToShrink(iterations, threads, chunk)));
  if (shrinking == Shrinking::LibompAuto)
    findCrossover();
}

/// __kmp_dispatch_guided_remaining: what is left after `turns` chunks that shrink.
std::uint64_t GuidedChunks::remaining(std::uint64_t turns) const {
  const long double exact = static_cast<long double>(iterations) * power(shareLeft(threads), turns);
  const auto whole = static_cast<std::uint64_t>(exact);
  return static_cast<long double>(whole) == exact ? whole : whole + 1;
}

/// The first turn after which no more than 2c + 1 iterations a thread are left.
void GuidedChunks::findCrossover() {
  const long double target = (static_cast<long double>(chunk) * 2 + 1) *
                             static_cast<long double>(threads) /
                             static_cast<long double>(iterations);
  const auto isBelow = [&](std::uint64_t turns) {
    return power(shareLeft(threads), turns) <= target;
  };
  std::uint64_t low = 0;
  shrink = 1;
  for (; !isBelow(shrink); shrink *= 2)
    low = shrink;
  while (shrink - low > 1) {
    const std::uint64_t middle = low + (shrink - low) / 2;
    (isBelow(middle) ? shrink : low) = middle;
  }
}

std::uint64_t GuidedChunks::next() {
  const std::uint64_t left = iterations - begin;
  std::uint64_t size = chunk;
  switch (shrinking) {
  case Shrinking::Libgomp:
    size = std::max(chunk, ceilDivide(left, threads));
    break;
  case Shrinking::Libomp:
    if (left >= 2 * threads * (chunk + 1))
      size = static_cast<std::uint64_t>(static_cast<double>(left) *
                                        (0.5 / static_cast<double>(threads)));
    break;
  case Shrinking::LibompAuto:
    if (++turn <= shrink)
      size = left - remaining(turn);
    break;
  }
  size = std::min(size, left);
  begin += size;
  return size;
}

Runs guidedRuns(const Runs &tasks, GuidedChunks chunks, Time perChunk) {
  Runs result;
  auto run = tasks.begin();
  std::uint64_t left = tasks.empty() ? 0 : run->count; // of *run
  while (std::uint64_t open = chunks.next()) {
    Time duration = perChunk;
    while (open > 0) {
      if (left == 0)
        left = (++run)->count;
      const std::uint64_t taken = std::min(open, left);
      duration += run->duration * static_cast<Time>(taken);
      open -= taken;
      left -= taken;
    }
    append(result, {duration, 1});
  }
  return result;
}

} // namespace prophet
