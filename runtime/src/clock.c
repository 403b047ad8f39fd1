//===- clock.c - Choosing the clock and measuring its rate ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

bool clock_is_counter;

/** One moment on both clocks. */
struct moment {
  uint64_t ticks, ns;
};
static struct moment start;

/** Below this the rate would be too coarse: both clocks are read to within some 50 ns. */
enum { MINIMUM_NS = 10 * 1000 * 1000 };

static bool counter_is_constant(void) {
#if defined(__x86_64__)
  unsigned eax, ebx, ecx, edx;
  // The "invariant TSC" bit: one rate in all power states.
  return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & (1u << 8));
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

/** Reads both clocks; of several tries the one with the narrowest window. */
static struct moment read_both(void) {
  struct moment best = {0, 0};
  uint64_t narrowest = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    uint64_t before = clock_ticks();
    uint64_t ns = monotonic_ns();
    uint64_t window = clock_ticks() - before;
    if (window < narrowest) {
      narrowest = window;
      best = (struct moment){before + window / 2, ns};
    }
  }
  return best;
}

void clock_start(void) {
  clock_is_counter = counter_is_constant();
  start = read_both();
}

uint64_t clock_started_at(void) { return start.ticks; }

uint64_t clock_hz(void) {
  if (!clock_is_counter)
    return 1000000000u;
  uint64_t elapsed = monotonic_ns() - start.ns;
  if (elapsed < MINIMUM_NS) {
    struct timespec rest = {0, (long)(MINIMUM_NS - elapsed)};
    while (nanosleep(&rest, &rest) != 0) {
    }
  }
  struct moment now = read_both();
  return (uint64_t)((unsigned __int128)(now.ticks - start.ticks) * 1000000000u /
                    (now.ns - start.ns));
}
