//===- clock.h - The one clock that events read ------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An event costs little more than the clock that it reads, so the clock is the
// processor's own counter where that counts real time at a constant rate.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** True where the processor's counter is used: false until clock_start. */
extern bool clock_is_counter;

/** The processor's counter. \pre clock_is_counter */
static inline uint64_t counter_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

/** Now, in ticks. The rate is clock_hz(). */
static inline uint64_t clock_ticks(void) {
  return __builtin_expect(clock_is_counter, 1) ? counter_ticks() : monotonic_ns();
}

/** Chooses the clock and remembers the start for clock_hz. Call once, while the program starts. */
void clock_start(void);

/** Ticks at clock_start. */
uint64_t clock_started_at(void);

/**
 * Ticks per second, measured from clock_start until now against CLOCK_MONOTONIC. Waits until the
 * two readings are far enough apart for a relative error below 1e-5 (a few milliseconds, and only
 * in a program that is over sooner). Async-signal-safe.
 */
uint64_t clock_hz(void);
