//===- Loops.h - OpenMP's schedules, each as it is written ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not schedule(runtime): what a compiler makes of a written clause differs from it
// (a plain schedule(dynamic) steals under libomp, the same by OMP_SCHEDULE does not).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Dispatch.h"
#include "predictor/synthesizer/executor/Plan.h"

#include <algorithm>

#ifndef __clang__
// How GCC shares out `#pragma omp sections`, whose number is fixed when it is compiled.
extern "C" unsigned GOMP_sections_start(unsigned count);
extern "C" unsigned GOMP_sections_next();
extern "C" void GOMP_sections_end_nowait();
#endif

namespace synthesizer {

/// Whether each thread's iterations are computed beforehand, and not asked of the runtime.
inline bool isDealtBeforehand(Sharing sharing) {
#ifdef __clang__
  return sharing == Sharing::Static || sharing == Sharing::StaticChunk ||
         sharing == Sharing::Sections;
#else
  return sharing == Sharing::Static || sharing == Sharing::StaticChunk || sharing == Sharing::Auto;
#endif
}

template <typename Body> void shareSections(int count, const Body &body) {
#ifdef __clang__ // lowers sections to a static loop
#pragma omp for schedule(static) nowait
  for (int i = 0; i < count; ++i)
    body(i);
#else
  DispatchListener *const listener = dispatchListener;
  if (listener)
    listener->asks();
  for (unsigned i = GOMP_sections_start(static_cast<unsigned>(count)); i > 0;
       i = GOMP_sections_next()) {
    if (listener)
      listener->takes();
    body(static_cast<int>(i - 1));
    if (listener)
      listener->asks();
  }
  GOMP_sections_end_nowait();
#endif
}

/// The chunk that is asked for where `given` is. A longer one than the loop means the same, and
/// runtimes multiply it by the threads.
inline int chunkOf(int given, int count) { return std::clamp(given, 1, std::max(count, 1)); }

/// The present team's part of a loop, without a barrier at its end.
template <typename Body> void shareLoop(Sharing sharing, int given, int count, const Body &body) {
  const int chunk = chunkOf(given, count);
  switch (sharing) {
  case Sharing::Static:
#pragma omp for schedule(static) nowait
    for (int i = 0; i < count; ++i)
      body(i);
    break;
  case Sharing::StaticChunk:
#pragma omp for schedule(static, chunk) nowait
    for (int i = 0; i < count; ++i)
      body(i);
    break;
  case Sharing::Dynamic:
#pragma omp for schedule(dynamic, chunk) nowait
    for (int i = 0; i < count; ++i)
      body(i);
    break;
  case Sharing::Monotonic:
#pragma omp for schedule(monotonic : dynamic, chunk) nowait
    for (int i = 0; i < count; ++i)
      body(i);
    break;
  case Sharing::Guided:
#pragma omp for schedule(guided, chunk) nowait
    for (int i = 0; i < count; ++i)
      body(i);
    break;
  case Sharing::Auto:
#pragma omp for schedule(auto) nowait
    for (int i = 0; i < count; ++i)
      body(i);
    break;
  case Sharing::Sections:
    shareSections(count, body);
    break;
  case Sharing::Tasks: // are no loops
  case Sharing::Taskloop:
  case Sharing::Serial: // opens no team
    break;
  }
}

} // namespace synthesizer
