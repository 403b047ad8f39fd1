//===- streams_together.cpp - What computing hides of several streams -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads one, two, three and five arrays of memory in lock step, and two of which one
// is half as long as the other, and multiplies and adds to each number ever more often.
// Prints what a line takes, in nanoseconds, medians; first of a loop whose lines are
// all in the first cache.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace {

typedef std::uint64_t Vector __attribute__((vector_size(16), may_alias));
typedef double Doubles __attribute__((vector_size(16)));
constexpr std::size_t lineBytes = 64, vectors = lineBytes / sizeof(Vector);
constexpr std::size_t farLines = (std::size_t(512) << 20) / lineBytes, nearLines = 120;
constexpr std::size_t apart = 37; // lines, so that arrays do not begin in the same sets

/// Multiplies and adds to the numbers of a line, and adds them up.
template <unsigned Rounds> void computeOn(const char *line, Doubles *sums) {
  const auto *from = reinterpret_cast<const Vector *>(line);
  constexpr Vector one = {0x3ff0000000000000, 0x3ff0000000000000}; // no denormals
  Doubles values[vectors];
  for (std::size_t i = 0; i < vectors; ++i)
    values[i] = reinterpret_cast<Doubles>(from[i] | one);
  for (unsigned round = 0; round < Rounds; ++round)
    for (Doubles &value : values)
      value = value * 0.75 + 0.5;
  for (std::size_t i = 0; i < vectors; ++i)
    sums[i] += values[i];
}

/// Goes once through `lines` lines. In each step every array goes on by so many as `Steps` says.
template <unsigned Rounds, std::size_t... Steps>
double nsOfLine(const char *memory, std::size_t lines, int repetitions) {
  constexpr std::array steps = {Steps...};
  constexpr std::size_t inStep = (Steps + ...);
  const std::size_t counted = lines / inStep * inStep;
  std::array<const char *, steps.size()> arrays;
  for (std::size_t i = 0, begin = 0; i < steps.size(); begin += lines / inStep * steps[i], ++i)
    arrays[i] = memory + (begin + i * apart) * lineBytes;
  std::vector<double> times;
  while (repetitions-- > 0) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    Doubles sums[vectors] = {};
    for (std::size_t at = 0; at < lines / inStep; ++at)
      [&]<std::size_t... Array>(std::index_sequence<Array...>) {
        const auto all = [&](const char *array, std::size_t step) {
          for (std::size_t i = 0; i < step; ++i)
            computeOn<Rounds>(array + (at * step + i) * lineBytes, sums);
        };
        (all(arrays[Array], steps[Array]), ...);
      }(std::make_index_sequence<steps.size()>());
    asm volatile("" : : "x"(sums[0]), "x"(sums[1]), "x"(sums[2]), "x"(sums[3]) : "memory");
    const std::chrono::duration<double, std::nano> took = Clock::now() - begin;
    times.push_back(took.count() / static_cast<double>(counted));
  }
  std::ranges::nth_element(times, times.begin() + std::ssize(times) / 2);
  return times[times.size() / 2];
}

template <unsigned Rounds> void measure(const char *memory) {
  constexpr int often = 20001, few = 9;
  std::printf(
      "%5u %12.2f %9.2f %9.2f %9.2f %9.2f %9.2f\n", Rounds,
      nsOfLine<Rounds, 1>(memory, nearLines, often), nsOfLine<Rounds, 1>(memory, farLines, few),
      nsOfLine<Rounds, 2, 1>(memory, farLines, few), nsOfLine<Rounds, 1, 1>(memory, farLines, few),
      nsOfLine<Rounds, 1, 1, 1>(memory, farLines, few),
      nsOfLine<Rounds, 1, 1, 1, 1, 1>(memory, farLines, few));
}

} // namespace

int main() {
  constexpr std::size_t hugePage = std::size_t(2) << 20, bytes = (farLines + 5 * apart) * lineBytes;
  char *memory = static_cast<char *>(
      std::aligned_alloc(hugePage, (bytes + hugePage - 1) / hugePage * hugePage));
  if (!memory) {
    std::fprintf(stderr, "streams_together: no memory\n");
    return 2;
  }
  madvise(memory, bytes, MADV_HUGEPAGE); // where there are none, small pages do
  std::memset(memory, 1, bytes);
  std::printf("times  first cache       one    2 to 1       two     three      five\n");
  measure<0>(memory);
  measure<1>(memory);
  measure<2>(memory);
  measure<4>(memory);
  measure<8>(memory);
  std::free(memory);
  return 0;
}
