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

/** True when a task may begin the short way. `state`: the recorder's. */
static inline bool recorder_may_begin_task(uint32_t state) {
  return LIKELY((state & MODE_MASK) == MODE_SECTION);
}

/** Begins a task. \pre recorder_may_begin_task(state) */
static inline unsigned recorder_begin_bare_task(struct recorder *r, uint32_t state) {
  r->state = state + (MODE_BARE - MODE_SECTION);
  return state + (MODE_BARE - MODE_SECTION);
}

/**
 * Starts to end the open task the short way, if that is possible and `handle` names it. From here
 * on until recorder_end_bare_task the events of signal handlers are dropped: they would come
 * between the clock's reading and its use.
 */
static inline bool recorder_claim_task(struct recorder *r, unsigned handle) {
  if (UNLIKELY(r->state != handle))
    return false;
  r->state = STATE_FAST;
  SIGNAL_FENCE();
  // A handler's events just before the claim have given the task a frame.
  if (LIKELY(r->depth == handle >> MODE_BITS))
    return true;
  r->state = r->depth << MODE_BITS | MODE_INSIDE;
  return false;
}

/** Ends a bare task of `length` ticks that is unlike the current run. */
void recorder_end_other_task(struct recorder *r, uint64_t length);

/**
 * Ends the open task. False when it is unlike the current run: then the caller goes on to
 * recorder_end_other_task with `*length`. \pre recorder_claim_task
 */
static inline bool recorder_end_bare_task(struct recorder *r, unsigned handle, uint64_t ticks,
                                          uint64_t *length) {
  *length = ticks - r->last;
  r->last = ticks;
  if (UNLIKELY(*length - r->run.lo > r->run.span))
    return false;
  r->run.sum += *length;
  r->run.count += 1;
  SIGNAL_FENCE();
  r->state = handle - (MODE_BARE - MODE_SECTION);
  return true;
}

#ifdef __cplusplus
}
#endif
