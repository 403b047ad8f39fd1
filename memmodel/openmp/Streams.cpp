//===- Streams.cpp - What a chunk costs where memory is streamed ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that takes chunk after chunk of one range goes on in memory where it was,
// but in between its runtime uses lines of its own. Where the chunk had pushed these
// out of the first cache, they are misses among the streams', and a core that follows
// few streams at a time loses the chunk's: its prefetchers begin anew. libomp of
// Debian, which formats its debug messages at each chunk, even where it prints none,
// uses some dozens.
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Constructs.h"
#include "memmodel/openmp/Measuring.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace openmp_overheads {

namespace {

/// Two grids of which each row of one comes of three of the other, as in Jacobi's method: four
/// streams, two of them from memory.
class Grids {
public:
  Grids() {
    for (Grid &grid : grids) {
      grid.reset(static_cast<double *>(std::aligned_alloc(hugePage, bytes)));
      if (!grid) {
        std::fprintf(stderr, "no memory for %zu bytes\n", bytes);
        std::exit(2);
      }
      std::fill_n(grid.get(), rows * width, 1.0);
    }
  }

  /// Of each: together beyond most caches. In larger ones less is seen.
  static constexpr std::size_t bytes = std::size_t(64) << 20;
  /// Of a row, whose four streams are more than most first caches: 313 lines each.
  static constexpr std::size_t width = 2504;
  static constexpr double streamsFromMemory = 2; // a row that is read for the first time, a new one
  static constexpr std::size_t rows = bytes / (width * sizeof(double));

  void row(std::size_t i) const {
    const double *from = grids[0].get() + i * width;
    double *to = grids[1].get() + i * width;
    for (std::size_t j = 1; j + 1 < width; ++j)
      to[j] = 0.25 * (from[j - width] + from[j + width] + from[j - 1] + from[j + 1]);
  }
  void change() { std::swap(grids[0], grids[1]); }

private:
  static constexpr std::size_t hugePage = std::size_t(2) << 20;
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  using Grid = std::unique_ptr<double[], Free>;
  Grid grids[2];
};

} // namespace

double stealRestart() {
  constexpr int threads = 2;
  Grids grids;
  constexpr int inner = static_cast<int>(Grids::rows) - 2;
  const auto blocks = [&] {
    int own = 0;
#pragma omp for schedule(static) nowait
    for (int i = 1; i <= inner; ++i) {
      grids.row(static_cast<std::size_t>(i));
      ++own;
    }
    return own;
  };
  const auto chunks = [&] {
    int own = 0;
#pragma omp for schedule(nonmonotonic : dynamic, 1) nowait
    for (int i = 1; i <= inner; ++i) {
      grids.row(static_cast<std::size_t>(i));
      ++own;
    }
    return own;
  };
  const auto thereAndBack = [&](auto loop) { // a grid may be on huge pages alone
    std::vector<Part> both = teamParts(threads, loop);
    grids.change();
    const std::vector<Part> back = teamParts(threads, loop);
    grids.change();
    for (std::size_t i = 0; i < both.size(); ++i)
      both[i] = {both[i].ns + back[i].ns, both[i].iterations + back[i].iterations};
    return both;
  };
  const double more = differenceOfParts([&] { return thereAndBack(chunks); },
                                        [&] { return thereAndBack(blocks); }) /
                      2;
  const double starts = stealStart(threads) - staticStart(threads);
  const double chunk = (more - starts) / (static_cast<double>(inner) / threads);
  // By memmodel's EndsTogether, which is not linked here.
  return (chunk - stealChunk(threads)) / std::sqrt(Grids::streamsFromMemory);
}

} // namespace openmp_overheads
