//===- fastpath.h - The events that must cost next to nothing ----*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task that is one U and as long as the one before it: its begin sets the mode, its
// end adds to a sum. Everything else is in recorder.c.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline, cold))
/** Keeps the order of memory accesses as a signal handler on this thread sees them. */
#define SIGNAL_FENCE() __asm__ volatile("" ::: "memory")

/** Begins a bare task if that is possible; else `*handle` is undefined. */
static inline bool recorder_begin_bare_task(struct recorder *r, unsigned *handle) {
  uint32_t state = r->state;
  if (UNLIKELY(!state_is_section(state)))
    return false;
  *handle = -state;
  r->state = -state;
  return true;
}

/**
 * Starts to end the bare task `handle`, if that is what it names. From here on until
 * recorder_end_bare_task the events of signal handlers are dropped: they would come between the
 * clock's reading and its use.
 */
static inline bool recorder_claim_task(struct recorder *r, unsigned handle) {
  if (UNLIKELY(r->state != handle))
    return false;
  r->state = STATE_FAST;
  SIGNAL_FENCE();
  // A handler's events just before the claim have given the task a frame.
  if (LIKELY(r->depth == -handle))
    return true;
  r->state = STATE_INSIDE;
  return false;
}

/** Ends a bare task, as recorder_end_bare_task, that is unlike the current run. */
void recorder_end_other_task(struct recorder *r, uint64_t ticks);

/**
 * Ends the open task. False when it is unlike the current run: then the caller goes on to
 * recorder_end_other_task. The tasks of a run lie end to end, so their sum needs no adding here.
 * \pre recorder_claim_task(r, handle)
 */
static inline bool recorder_end_bare_task(struct recorder *r, unsigned handle, uint64_t ticks) {
  if (UNLIKELY(ticks - r->last - r->run.lo > r->run.span))
    return false;
  r->last = ticks;
  ++r->run.count;
  SIGNAL_FENCE();
  r->state = -handle;
  return true;
}

#ifdef __cplusplus
}
#endif
