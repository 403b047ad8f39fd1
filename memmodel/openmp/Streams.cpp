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
// One thread is measured, while another waits: of two, each has the memory to itself
// while the other is dealt out a chunk, which gains more than beginning anew costs.
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Constructs.h"
#include "memmodel/openmp/Measuring.h"

#include <algorithm>
#include <atomic>
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

  /// Begins to go through `count` rows, those behind the ones of before, and from the first one
  /// again where there are not so many left. By then these have left the caches.
  void turn(std::size_t count) {
    std::swap(grids[0], grids[1]);
    first = first + 2 * count <= rows - 2 ? first + count : 0;
  }
  /// \param i from the first one of these
  void row(std::size_t i) const {
    const double *from = grids[0].get() + (first + i + 1) * width;
    double *to = grids[1].get() + (first + i + 1) * width;
    for (std::size_t j = 1; j + 1 < width; ++j)
      to[j] = 0.25 * (from[j - width] + from[j + width] + from[j - 1] + from[j + 1]);
  }

private:
  static constexpr std::size_t hugePage = std::size_t(2) << 20;
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  using Grid = std::unique_ptr<double[], Free>;
  Grid grids[2];
  std::size_t first = 0;
};

/// What the first of two threads takes for each of `rows` iterations of its own, of a loop that has
/// twice as many; the second one waits meanwhile, so that the first has the memory to itself.
/// \param loop calls what it gets with the number of each iteration
template <typename Loop, typename Row> double aloneNs(int rows, Loop loop, Row row) {
  double begin = 0, end = 0;
  std::atomic<bool> through = false;
  const auto iteration = [&](int i) {
    if (i >= rows) {
      while (!through.load(std::memory_order_acquire))
        delay(bodySteps);
      return;
    }
    row(i);
    if (i == rows - 1) {
      end = now();
      through.store(true, std::memory_order_release);
    }
  };
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      begin = now();
    loop(2 * rows, iteration);
  }
  return (end - begin) / rows;
}

/// What a chunk takes longer under `dynamic,1` than an iteration does under `static`; of each there
/// and back, for one of two grids may be on huge pages.
template <typename Row> double chunkOf(int rows, Row row) {
  const auto blocks = [](int count, auto iteration) {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < count; ++i)
      iteration(i);
  };
  const auto chunks = [](int count, auto iteration) {
#pragma omp for schedule(nonmonotonic : dynamic, 1) nowait
    for (int i = 0; i < count; ++i)
      iteration(i);
  };
  const auto thereAndBack = [&](auto loop) {
    const double there = aloneNs(rows, loop, row);
    return (there + aloneNs(rows, loop, row)) / 2;
  };
  return difference([&] { return thereAndBack(chunks); }, [&] { return thereAndBack(blocks); });
}

} // namespace

double stealRestart() {
  constexpr int rows = 128; // at a time: what else goes on in the memory changes slower than that
  Grids grids;
  const double streaming = chunkOf(rows, [&](int i) {
    if (i == 0)
      grids.turn(rows);
    grids.row(static_cast<std::size_t>(i));
  });
  const double chunk = chunkOf(rows, [](int) { delay(bodySteps); });
  // By memmodel's EndsTogether, which is not linked here.
  return (streaming - chunk) / std::sqrt(Grids::streamsFromMemory);
}

} // namespace openmp_overheads
