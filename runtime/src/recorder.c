//===- recorder.c - From events to a program tree ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "events.h"

//===----------------------------------------------------------------------===//
// Closing
//===----------------------------------------------------------------------===//

static void close_task(struct recorder *r, uint64_t ticks) {
  push_token(r, TOKEN_U, 0, elapse(r, ticks));
  uint64_t base = top_frame(r)->tokens;
  --r->depth;
  compress_task(r, base);
}

static void close_lock(struct recorder *r, uint64_t ticks) {
  const struct frame *frame = top_frame(r);
  --r->depth;
  if (frame->split) {
    push_token(r, TOKEN_U, 0, elapse(r, ticks));
    push_token(r, TOKEN_LOCK_CLOSE, 0, 0);
  } else {
    push_token(r, TOKEN_L, frame->ref, elapse(r, ticks));
  }
  ++r->counters.locks;
  finish_leaf(r, frame->tokens);
}

/** A section ends where its last task ended; in a `tasks` section the spawner's rest follows. */
static void close_section(struct recorder *r, uint64_t ticks) {
  struct frame *frame = top_frame(r);
  if (frame->kind == FRAME_SPAWN)
    end_computation(r, ticks);
  else
    compress_bank(r);
  compress_flush(r);
  uint32_t item = compress_section(r, frame->ref, frame->runs);
  r->run = frame->run;
  r->container = frame->container;
  --r->depth;
  ++r->counters.sections;
  if (item == ITEM_NONE || item > TOKEN_REF_LIMIT) {
    r->full = true;
    return;
  }
  if (holds_entries(top_frame(r)))
    compress_append(r, item);
  else
    push_token(r, TOKEN_SECTION, item, 0);
}

void close_top(struct recorder *r, uint64_t ticks) {
  switch (top_frame(r)->kind) {
  case FRAME_TASK:
    close_task(r, ticks);
    break;
  case FRAME_LOCK:
    close_lock(r, ticks);
    break;
  case FRAME_SECTION:
  case FRAME_SPAWN:
    close_section(r, ticks);
    break;
  default:
    --r->depth;
  }
}

void close_down_to(struct recorder *r, uint32_t depth, uint64_t ticks) {
  while (r->depth > depth)
    close_top(r, ticks);
}

/** Is frame `depth` an open construct of `kind`, or one that stands in for it? */
static bool names_open(const struct recorder *r, unsigned depth, enum frame_kind kind) {
  if (depth == 0 || depth >= r->depth)
    return false;
  uint8_t found = r->frames[depth].kind;
  if (found == FRAME_TASK && kind != FRAME_TASK && depth + 1 < r->depth) // implicit task
    found = r->frames[depth + 1].kind;
  return found == kind || found == FRAME_MUTED || (found == FRAME_SPAWN && kind == FRAME_SECTION);
}

static void end(struct recorder *r, unsigned handle, enum frame_kind kind, uint64_t ticks) {
  if (handle == 0 || (handle == NO_HANDLE && r->state != STATE_OFF))
    return; // nothing was begun, or its begin was counted
  if (!enter(r))
    return;
  unsigned depth = state_is_bare(handle) ? -handle : handle;
  if (names_open(r, depth, kind))
    close_down_to(r, depth, r->pauses ? r->paused_at : ticks);
  else
    ++r->counters.mismatched_ends;
  leave(r);
}

void recorder_section_end(struct recorder *r, unsigned handle, uint64_t ticks) {
  end(r, handle, FRAME_SECTION, ticks);
}

void recorder_lock_end(struct recorder *r, unsigned handle, uint64_t ticks) {
  end(r, handle, FRAME_LOCK, ticks);
}

void recorder_task_end(struct recorder *r, unsigned handle, uint64_t ticks) {
  if (!recorder_claim_task(r, handle))
    end(r, handle, FRAME_TASK, ticks);
  else if (!recorder_end_bare_task(r, handle, ticks))
    recorder_end_other_task(r, ticks);
}

void recorder_end_other_task(struct recorder *r, uint64_t ticks) {
  r->state = STATE_SLOW;
  SIGNAL_FENCE();
  compress_bank(r);
  compress_bare_task(r, elapse(r, ticks));
  leave(r);
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/**
 * Closes the sections whose function is gone (longjmp past them): the stack grows downwards, so
 * they were opened further down than the one that opens a section now.
 */
void close_abandoned(struct recorder *r, uintptr_t stack, uint64_t ticks) {
  const struct frame *section = &r->frames[r->container];
  while (section->kind != FRAME_ROOT && !section->by_hand && stack && section->stack &&
         section->stack < stack) {
    close_down_to(r, r->container, ticks);
    ++r->counters.abandoned;
    section = &r->frames[r->container];
  }
}

uint32_t open_section(struct recorder *r, uint32_t site, bool spawn, uintptr_t stack,
                      uint64_t ticks) {
  uint32_t handle = r->depth;
  if (top_frame(r)->kind == FRAME_SECTION)
    open_task(r); // what is in no task is given one
  end_computation(r, ticks);
  struct frame *frame = push(r, spawn ? FRAME_SPAWN : FRAME_SECTION);
  frame->ref = site;
  frame->container = r->container;
  frame->runs = r->run_count;
  frame->begin = frame->filled = recorder_clock(r);
  frame->bucket = 0;
  frame->stack = stack;
  frame->run = r->run;
  r->run = (struct current_run){.lo = UINT64_MAX};
  r->container = r->depth - 1;
  return handle;
}

/** Is this a site of kind `tasks`, whose own computation counts? */
static bool is_spawn(const char *site) {
  static const char kind[] = "tasks|";
  for (unsigned i = 0; i + 1 < sizeof kind; ++i)
    if (site[i] != kind[i])
      return false;
  return true;
}

unsigned recorder_section_begin(struct recorder *r, const char *site, uintptr_t stack,
                                uint64_t ticks) {
  if (!enter_begin(r))
    return NO_HANDLE;
  close_abandoned(r, stack, ticks);
  unsigned handle = r->depth;
  uint32_t id = names_id(&r->sites, site);
  if (in_lock(r) || id == NAME_NONE) {
    push_muted(r, FRAME_SECTION);
    ++r->counters.sections_in_locks;
  } else {
    open_section(r, id, is_spawn(site), stack, ticks);
  }
  leave(r);
  return handle;
}

/** Makes the innermost section the top by closing what its last task left open. */
static bool reach_section(struct recorder *r, uint64_t ticks) {
  while (top_frame(r)->kind == FRAME_TASK || top_frame(r)->kind == FRAME_LOCK) {
    if (r->container == 0)
      return false;
    r->counters.unfinished_tasks += top_frame(r)->kind == FRAME_TASK;
    close_top(r, ticks);
  }
  return top_frame(r)->kind == FRAME_SECTION || top_frame(r)->kind == FRAME_SPAWN;
}

void skip_own(struct recorder *r, uint64_t length) {
  if (!in_task(r)) { // a task's own time is its tokens'
    compress_bank(r);
    r->run.begin = r->last + length;
  }
  r->last += length;
  r->counters.own_ticks += length;
}

void recorder_skip(struct recorder *r, uint64_t since, uint64_t ticks) {
  if (!enter(r))
    return;
  r->searched = false;
  if (ticks > since && r->last <= since && !r->pauses) // no handler's events
    skip_own(r, ticks - since);
  leave(r);
}

void end_spawners_part(struct recorder *r, uint64_t ticks) {
  uint64_t own = r->overhead.between_spawned;
  uint64_t length = ticks > r->last ? ticks - r->last : 0;
  if (length > own + r->merging.noise)
    end_computation(r, ticks);
  else
    skip_own(r, length < own ? length : own);
}

unsigned recorder_task_begin(struct recorder *r, uint64_t ticks) {
  unsigned handle = r->depth;
  if (recorder_begin_bare_task(r, &handle))
    return handle;
  if (!enter_begin(r))
    return NO_HANDLE;
  if (!reach_section(r, ticks)) {
    r->counters.misplaced_tasks += top_frame(r)->kind != FRAME_MUTED;
    leave(r);
    return NO_HANDLE;
  }
  if (top_frame(r)->kind == FRAME_SPAWN)
    end_spawners_part(r, ticks);
  handle = r->depth;
  if (top_frame(r)->kind == FRAME_SPAWN || r->no_short_way) {
    open_task(r);
    leave(r);
    return handle;
  }
  leave(r);
  recorder_begin_bare_task(r, &handle);
  return handle;
}

/** Is `lock` held by the open task? */
static bool is_held(const struct recorder *r, uint32_t lock) {
  for (uint32_t i = r->depth; i-- > 0;) {
    const struct frame *frame = &r->frames[i];
    if (frame->kind != FRAME_LOCK && frame->kind != FRAME_MUTED)
      return false;
    if (frame->kind == FRAME_LOCK && frame->ref == lock)
      return true;
  }
  return false;
}

/** The innermost held lock becomes a node with children: one lock inside another. */
static void split_lock(struct recorder *r) {
  struct frame *frame = top_frame(r);
  while (frame->kind == FRAME_MUTED)
    --frame;
  if (frame->kind != FRAME_LOCK || frame->split)
    return;
  frame->split = true;
  push_token(r, TOKEN_LOCK_OPEN, frame->ref, 0);
}

struct frame *open_lock(struct recorder *r, uint32_t lock, uint64_t ticks) {
  struct frame *frame;
  if (top_frame(r)->kind == FRAME_SECTION)
    open_task(r); // what is in no task is given one
  if (lock == NAME_NONE || is_held(r, lock)) {
    frame = push_muted(r, FRAME_LOCK);
    ++r->counters.recursive_locks;
  } else {
    split_lock(r);
    end_computation(r, ticks);
    frame = push(r, FRAME_LOCK);
  }
  frame->ref = lock;
  return frame;
}

unsigned recorder_lock_begin(struct recorder *r, const char *lock, uint64_t ticks) {
  if (!enter_begin(r))
    return NO_HANDLE;
  unsigned handle = r->depth;
  open_lock(r, names_id(&r->locks, lock), ticks);
  leave(r);
  return handle;
}

unsigned recorder_close(struct recorder *r, uint64_t ticks) {
  if (state_is_bare(r->state))
    open_task(r);
  r->state = STATE_SLOW;
  SIGNAL_FENCE();
  r->limits = recorder_capacity(r);
  unsigned open = r->depth - 1;
  uint64_t paused = r->pauses && ticks > r->paused_at ? ticks - r->paused_at : 0;
  ticks -= paused;
  if (r->full) // nothing is known of the time since
    ticks = r->last;
  close_down_to(r, 1, ticks);
  end_computation(r, ticks);
  compress_flush(r);
  r->counters.paused_ticks += paused;
  r->state = STATE_OFF;
  return open;
}
