//===- Loops.cpp - What OpenMP's loop schedules cost ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Constructs.h"
#include "memmodel/openmp/Measuring.h"

namespace openmp_overheads {

namespace {

/// Iterations are longer in larger teams, so that requests come to a shared counter as often.
int stepsOf(int threads) { return bodySteps * std::max(threads / 2, 1); }

auto staticLoop(int count, int steps) {
  return [=] {
    int own = 0;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < count; ++i) {
      delay(steps);
      ++own;
    }
    return own;
  };
}

auto roundRobinLoop(int count, int steps) {
  return [=] {
    int own = 0;
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < count; ++i) {
      delay(steps);
      ++own;
    }
    return own;
  };
}

auto queueLoop(int count, int steps) {
  return [=] {
    int own = 0;
#pragma omp for schedule(monotonic : dynamic, 1) nowait
    for (int i = 0; i < count; ++i) {
      delay(steps);
      ++own;
    }
    return own;
  };
}

auto stealLoop(int count, int steps) {
  return [=] {
    int own = 0;
#pragma omp for schedule(nonmonotonic : dynamic, 1) nowait
    for (int i = 0; i < count; ++i) {
      delay(steps);
      ++own;
    }
    return own;
  };
}

constexpr int iterations = 200; ///< a thread's in a long loop

/// A guided loop; adds the chunks that this thread takes to `chunks`.
auto guidedLoop(int count, int steps, int *chunks) {
  return [=] {
    int own = 0, ownChunks = 0, next = -1;
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < count; ++i) {
      ownChunks += i != next; // a chunk begins where the one before did not end
      next = i + 1;
      delay(steps);
      ++own;
    }
    if (chunks)
#pragma omp atomic
      *chunks += ownChunks;
    return own;
  };
}

/// Per chunk: what a long loop of one-iteration chunks costs a thread beyond its iterations.
template <typename Loop> double perChunk(int threads, Loop loop) {
  const int steps = stepsOf(threads);
  const auto body = loop(threads * iterations, steps);
  const auto plain = plainLoop(iterations, steps);
  return differenceOfParts([&] { return teamParts(threads, body); },
                           [&] { return teamParts(threads, plain); }) /
         iterations;
}

/// Per loop: loops of `each` iterations a thread in a row, chunks included.
template <typename Loop> double shortLoop(int threads, Loop loop, int each = 1) {
  constexpr int loops = 6; // of more, those that ask for chunks wait where one is late
  const auto body = loop(each * threads, stepsOf(threads));
  const auto plain = plainLoop(loops * each, stepsOf(threads));
  const auto inARow = [&] {
    int own = 0;
    for (int i = 0; i < loops; ++i)
      own += body();
    return own;
  };
  return differenceOfParts([&] { return teamParts(threads, inARow); },
                           [&] { return teamParts(threads, plain); }) /
         loops;
}

struct Guided {
  double start, chunk;
};

/// The shortest loop is its start and one chunk a thread, a longer one its start and all the chunks
/// that the runtime makes.
Guided guided(int threads) {
  constexpr int each = 24;
  const auto loop = [](int count, int steps) { return guidedLoop(count, steps, nullptr); };
  int chunks = 0;
  teamTime(threads, guidedLoop(each * threads, stepsOf(threads), &chunks));
  const double more = static_cast<double>(chunks) / threads - 1;
  const double fewest = shortLoop(threads, loop);
  const double chunk = more < 1 ? 0 : (shortLoop(threads, loop, each) - fewest) / more;
  return {fewest - chunk, chunk};
}

} // namespace

double staticStart(int threads) { return shortLoop(threads, staticLoop); }
double roundRobinChunk(int threads) { return perChunk(threads, roundRobinLoop); }
double roundRobinStart(int threads) {
  return shortLoop(threads, roundRobinLoop) - roundRobinChunk(threads);
}
double queueChunk(int threads) { return perChunk(threads, queueLoop); }
double queueStart(int threads) { return shortLoop(threads, queueLoop) - queueChunk(threads); }
double queueInterval(int threads) {
  constexpr int chunks = 4000;
  std::vector<double> values;
  for (Repetitions repetition; repetition.more(); repetition.count()) {
    const double time = teamTime(threads, queueLoop(chunks, 0));
    if (repetition.warm())
      values.push_back(time / chunks);
  }
  return median(values);
}
double stealChunk(int threads) { return perChunk(threads, stealLoop); }
double stealStart(int threads) { return shortLoop(threads, stealLoop) - stealChunk(threads); }
double guidedStart(int threads) { return guided(threads).start; }
double guidedChunk(int threads) { return guided(threads).chunk; }

} // namespace openmp_overheads
