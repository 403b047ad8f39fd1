//===- calls.h - What every exported call begins with -----------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread reaches the recorder through a thread-local pointer, which for every thread
// but the profiled one leads to a recorder that never records: one load answers both
// "whose thread?" and "recording?".
//
//===----------------------------------------------------------------------===//
#pragma once

#pragma GCC visibility push(default)
#include <prophet/profile.h>
#pragma GCC visibility pop

#include "clock.h"
#include "counters.h"
#include "fastpath.h"
#include "process.h"

extern __thread struct recorder *mine __attribute__((tls_model("initial-exec")));
extern struct recorder nobody;
extern struct counters the_counters;

/** An event that a thread other than the profiled one makes. Returns NO_HANDLE. */
unsigned foreign_event(void);
/** A section is to open at `*ticks` in a thread that is not profiled: is it now? */
bool first_section(uint64_t *ticks);

/** A section is about to open: is the calling thread the profiled one, or now made it? */
static inline bool is_owner(uint64_t *ticks) {
  return !UNLIKELY(mine == &nobody) || first_section(ticks);
}

/** An event that began at `ticks` is over: what it took more than others is in no leaf. */
static inline void settle(struct recorder *r, uint64_t ticks) {
  if (UNLIKELY(r->searched) && (r->state == STATE_INSIDE || state_is_section(r->state)))
    recorder_skip(r, ticks, clock_ticks());
}

/** An event is over that may have begun or ended an outermost section. */
static inline void count(struct recorder *r) {
  if (!UNLIKELY(the_counters.counting))
    return;
  uint64_t ticks = clock_ticks();
  if (counters_follow(&the_counters, r))
    recorder_skip(r, ticks, clock_ticks());
}

/**
 * The clock at a section's end. Where its last task has ended it ends with that one, and a reading
 * is only needed where it takes long to look up.
 */
static inline uint64_t clock_at_section_end(const struct recorder *r) {
  return state_is_section(r->state) && !recorder_section_is_large(r) ? r->last : clock_ticks();
}

/** Signals that arrived in the middle of an event are delivered at its end. */
static inline void deliver_signals(void) {
  if (UNLIKELY(signals_pending))
    signals_deliver();
}
