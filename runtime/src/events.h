//===- events.h - What all of the recorder's events are made of --*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only for the sources that record: every event enters, closes and opens frames, and
// leaves.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compress.h"
#include "fastpath.h"

#include <stddef.h>

/** Room that one event needs at most, besides the lengths of its own task. */
enum { EVENT_TOKENS = 8, EVENT_FRAMES = 4 };

static inline struct frame *top_frame(struct recorder *r) { return &r->frames[r->depth - 1]; }

static inline uint32_t state_of(const struct recorder *r) {
  if (r->full)
    return STATE_OFF;
  bool section = r->frames[r->depth - 1].kind == FRAME_SECTION;
  return section && !r->no_short_way && !r->pauses ? r->depth : STATE_INSIDE;
}

static inline struct frame *push(struct recorder *r, enum frame_kind kind) {
  struct frame *frame = &r->frames[r->depth];
  frame->kind = (uint8_t)kind;
  frame->split = frame->by_hand = frame->in_own_task = false;
  frame->tokens = r->token_count;
  frame->owner = NULL;
  ++r->depth;
  return frame;
}

/** Gives the task that begins, or has just begun, a frame. */
static inline void open_task(struct recorder *r) {
  compress_bank(r);
  push(r, FRAME_TASK);
}

/**
 * Enters the recorder. False when the event cannot be recorded: when recording is over, or when
 * a signal handler's event comes in the middle of another.
 */
static inline bool enter(struct recorder *r) {
  const uint32_t state = r->state;
  if (state != STATE_INSIDE && !state_is_section(state) && !state_is_bare(state)) {
    ++r->counters.dropped;
    return false;
  }
  r->state = STATE_SLOW;
  SIGNAL_FENCE();
  if (r->token_count + EVENT_TOKENS > r->limits.tokens ||
      r->depth + EVENT_FRAMES > r->limits.frames)
    r->full = true;
  // The open task gets its frame, if a handler's events just before have not given it one.
  if (state_is_bare(state) && r->depth == -state)
    open_task(r);
  return true;
}

/** Enters it to open a construct; false also while paused, where no begin is recorded. */
static inline bool enter_begin(struct recorder *r) {
  if (r->pauses && r->state == STATE_INSIDE)
    return false;
  return enter(r);
}

/** Leaves the recorder: the state follows from the innermost frame. */
static inline void leave(struct recorder *r) {
  SIGNAL_FENCE();
  r->state = state_of(r);
}

static inline void push_token(struct recorder *r, enum token_kind kind, uint32_t ref,
                              uint64_t length) {
  if (r->token_count == r->limits.tokens) {
    r->full = true;
    return;
  }
  r->tokens[r->token_count] = token_make(kind, ref);
  r->lengths[r->token_count] = length;
  ++r->token_count;
}

/**
 * The time since the event before; 0 where a signal handler's event came in between, or where the
 * counters of the machine's processors disagree.
 */
static inline uint64_t elapse(struct recorder *r, uint64_t ticks) {
  if (ticks < r->last)
    return 0;
  uint64_t length = ticks - r->last;
  r->last = ticks;
  return length;
}

static inline bool holds_entries(const struct frame *frame) {
  return frame->kind == FRAME_ROOT || frame->kind == FRAME_SPAWN;
}

/** Is a construct of the innermost section's open task the innermost one? */
static inline bool in_task(const struct recorder *r) {
  const struct frame *top = &r->frames[r->depth - 1];
  return top->kind != FRAME_SECTION && !holds_entries(top);
}

/** A U or L that started at token `base` is complete: outside tasks it stands for itself. */
static inline void finish_leaf(struct recorder *r, uint64_t base) {
  if (holds_entries(top_frame(r)) && r->token_count > base)
    compress_entry(r, base);
}

/** Ends the computation that the event at `ticks` interrupts. */
static inline void end_computation(struct recorder *r, uint64_t ticks) {
  uint64_t base = r->token_count;
  push_token(r, TOKEN_U, 0, elapse(r, ticks));
  finish_leaf(r, base);
}

/** Closes the innermost construct. */
void close_top(struct recorder *r, uint64_t ticks);
/** Closes the innermost constructs until `depth` frames are left. */
void close_down_to(struct recorder *r, uint32_t depth, uint64_t ticks);
/** Opens something that the tree cannot express, in place of a `kind`. */
static inline struct frame *push_muted(struct recorder *r, enum frame_kind kind) {
  struct frame *frame = push(r, FRAME_MUTED);
  frame->muted = (uint8_t)kind;
  return frame;
}
/** Opens a critical section on `lock`, or what stands in for it. */
struct frame *open_lock(struct recorder *r, uint32_t lock, uint64_t ticks);
/** Closes the sections whose function is gone, seen from a caller whose stack ends at `stack`. */
void close_abandoned(struct recorder *r, uintptr_t stack, uint64_t ticks);
/** Opens a section of `site` where a section may be; returns its handle. */
uint32_t open_section(struct recorder *r, uint32_t site, bool spawn, uintptr_t stack,
                      uint64_t ticks);
/** The next `length` ticks are the profiler's own. \pre no bare task is open */
void skip_own(struct recorder *r, uint64_t length);
/** Ends the spawner's own computation, unless it is no more than the calls themselves take. */
void end_spawners_part(struct recorder *r, uint64_t ticks);
/** Is a lock held where no task has begun since? What is muted in it counts as well. */
static inline bool in_lock(struct recorder *r) {
  return top_frame(r)->kind == FRAME_LOCK || top_frame(r)->kind == FRAME_MUTED;
}
