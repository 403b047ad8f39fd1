//===- hand_calls.c - The exported calls that macros make ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "by_hand.h"
#include "calls.h"

/** The caller's frame, the same for all calls from one execution of a function. */
#define CALLERS_FRAME() ((uintptr_t)__builtin_dwarf_cfa())

void __prophet_open_section(const char *site) {
  uint64_t ticks = clock_ticks();
  if (!is_owner(&ticks))
    return;
  recorder_open_section(mine, site, CALLERS_FRAME(), ticks);
  count(mine);
  deliver_signals();
}

void __prophet_close_section(int nowait) {
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody)) {
    foreign_event();
    return;
  }
  uint64_t last = r->last, now = clock_at_section_end(r);
  recorder_close_section(r, nowait != 0, CALLERS_FRAME(), state_is_section(r->state) ? last : now);
  if (now != last)
    settle(r, now);
  count(r);
  deliver_signals();
}

void __prophet_open_task(void) {
  struct recorder *r = mine;
  unsigned handle;
  if (state_is_section(r->state) && recorder_in_hand(r) && recorder_begin_bare_task(r, &handle))
    return;
  if (UNLIKELY(r == &nobody)) {
    foreign_event();
    return;
  }
  recorder_open_task(r, clock_ticks());
  deliver_signals();
}

/** Does the innermost section's bare task, the only thing open in it, end from `stack`? */
static inline bool ends_bare_task(const struct recorder *r, uintptr_t stack) {
  return state_is_bare(r->state) && recorder_in_hand(r) && r->frames[r->container].stack == stack;
}

void __prophet_close_task(void) {
  struct recorder *r = mine;
  uintptr_t stack = CALLERS_FRAME();
  if (ends_bare_task(r, stack)) {
    unsigned handle = r->state;
    __prophet_task_end(&handle);
    return;
  }
  if (UNLIKELY(r == &nobody)) {
    foreign_event();
    return;
  }
  uint64_t ticks = clock_ticks();
  recorder_close_task(r, stack, ticks);
  settle(r, ticks);
  deliver_signals();
}

void __prophet_next_task(void) {
  struct recorder *r = mine;
  uintptr_t stack = CALLERS_FRAME();
  if (ends_bare_task(r, stack)) {
    unsigned handle = r->state;
    __prophet_task_end(&handle);
    __prophet_open_task();
    return;
  }
  if (UNLIKELY(r == &nobody)) {
    foreign_event();
    return;
  }
  uint64_t ticks = clock_ticks();
  if (recorder_leave_task(r, stack, ticks)) {
    settle(r, ticks);
    recorder_open_task(r, ticks);
  }
  deliver_signals();
}

void __prophet_open_lock(const char *text, unsigned long value) {
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody)) {
    foreign_event();
    return;
  }
  recorder_open_lock(r, text, value, clock_ticks());
  deliver_signals();
}

void __prophet_close_lock(const char *text, unsigned long value) {
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody)) {
    foreign_event();
    return;
  }
  recorder_close_lock(r, text, value, clock_ticks());
  deliver_signals();
}
