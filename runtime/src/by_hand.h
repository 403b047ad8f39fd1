//===- by_hand.h - Constructs that are ended without a handle ---*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sections, tasks and locks that a program begins and ends with macros, wherever it
// likes. An end closes the innermost construct of its kind that was begun from the same
// call of a function, told by the stack; where there is none, as with macros that
// functions wrap, the innermost. It closes none that the plugin opened around it. What
// lies inside has been left by `return`, an exception or longjmp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/** `stack`: where the caller's frame ends; equal for all calls from one execution of a function. */
void recorder_open_section(struct recorder *r, const char *site, uintptr_t stack, uint64_t ticks);
/** `nowait`: whoever opened the section did not wait for its tasks. */
void recorder_close_section(struct recorder *r, bool nowait, uintptr_t stack, uint64_t ticks);
void recorder_open_task(struct recorder *r, uint64_t ticks);
void recorder_close_task(struct recorder *r, uintptr_t stack, uint64_t ticks);
/** Closes the section's open task, if it has one. May the next one open? */
bool recorder_leave_task(struct recorder *r, uintptr_t stack, uint64_t ticks);
/** A lock is known by its value (lock_ids.h). Locks may be released in any order. */
void recorder_open_lock(struct recorder *r, const char *text, uint64_t value, uint64_t ticks);
void recorder_close_lock(struct recorder *r, const char *text, uint64_t value, uint64_t ticks);

/** Does the innermost section take tasks that are begun by hand? \pre something is recorded */
static inline bool recorder_in_hand(const struct recorder *r) {
  return r->frames[r->container].by_hand;
}

#ifdef __cplusplus
}
#endif
