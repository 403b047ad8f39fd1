//===- by_hand.c - Constructs that are ended without a handle -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "by_hand.h"

#include "events.h"

/** So many locks at most stay held when one around them is released. */
enum { MOST_KEPT = 16 };

/** What a frame is, or stands in for. */
static enum frame_kind meaning(const struct frame *frame) {
  enum frame_kind kind = frame->kind == FRAME_MUTED ? frame->muted : frame->kind;
  return kind == FRAME_SPAWN ? FRAME_SECTION : kind;
}

/** Enters to begin a `kind`. What begins in a pause is remembered, as its end has no handle. */
static bool begin(struct recorder *r, enum frame_kind kind) {
  if (enter_begin(r))
    return true;
  r->ignored[kind] += r->pauses != 0;
  return false;
}

/** Enters to end a `kind` at `*ticks`. */
static bool end(struct recorder *r, enum frame_kind kind, uint64_t *ticks) {
  if (r->pauses && r->ignored[kind]) {
    --r->ignored[kind];
    return false;
  }
  if (r->pauses)
    *ticks = r->paused_at;
  return enter(r);
}

/** The frame of the section by hand that an end or a task from `stack` means; 0 = none. */
static uint32_t section_meant(const struct recorder *r, uintptr_t stack) {
  uint32_t innermost = 0;
  for (uint32_t at = r->depth; at-- > 1;) {
    const struct frame *frame = &r->frames[at];
    if (frame->kind == FRAME_TASK)
      continue;
    if (!frame->by_hand)
      break;
    if (meaning(frame) != FRAME_SECTION)
      continue;
    if (frame->stack == stack)
      return at;
    if (!innermost)
      innermost = at;
  }
  return innermost;
}

/** Closes what is open inside section `at`, but its task. What sections there are were left. */
static void close_inside(struct recorder *r, uint32_t at, uint64_t ticks) {
  while (r->depth > at + 2 || (r->depth > at + 1 && top_frame(r)->kind != FRAME_TASK)) {
    r->counters.abandoned += meaning(top_frame(r)) == FRAME_SECTION;
    close_top(r, ticks);
  }
}

static bool has_open_task(struct recorder *r, uint32_t section) {
  return section + 1 < r->depth && r->frames[section + 1].kind == FRAME_TASK;
}

void recorder_open_section(struct recorder *r, const char *site, uintptr_t stack, uint64_t ticks) {
  if (!begin(r, FRAME_SECTION))
    return;
  uint32_t id = names_id(&r->sites, site);
  if (in_lock(r) || id == NAME_NONE) {
    push_muted(r, FRAME_SECTION)->stack = stack;
    ++r->counters.sections_in_locks;
  } else {
    uint32_t handle = open_section(r, id, /*spawn=*/false, stack, ticks);
    top_frame(r)->in_own_task = handle != r->container;
  }
  top_frame(r)->by_hand = true;
  leave(r);
}

void recorder_close_section(struct recorder *r, bool nowait, uintptr_t stack, uint64_t ticks) {
  if (!end(r, FRAME_SECTION, &ticks))
    return;
  uint32_t at = section_meant(r, stack);
  if (at) {
    const struct frame *section = &r->frames[at];
    if (nowait && section->kind == FRAME_SECTION)
      r->nowait[section->ref / 8] |= (uint8_t)(1 << section->ref % 8);
    uint32_t depth = at - section->in_own_task;
    close_inside(r, at, ticks);
    close_down_to(r, depth, ticks);
  } else {
    ++r->counters.mismatched_ends;
  }
  leave(r);
}

void recorder_open_task(struct recorder *r, uint64_t ticks) {
  if (!begin(r, FRAME_TASK))
    return;
  bool in_hand = recorder_in_hand(r);
  r->counters.misplaced_tasks += !in_hand;
  leave(r);
  if (in_hand)
    recorder_task_begin(r, ticks);
}

void recorder_close_task(struct recorder *r, uintptr_t stack, uint64_t ticks) {
  if (!end(r, FRAME_TASK, &ticks))
    return;
  uint32_t at = section_meant(r, stack);
  if (at && has_open_task(r, at)) {
    close_inside(r, at, ticks);
    close_down_to(r, at + 1, ticks);
  } else if (!at || r->frames[at].kind != FRAME_MUTED) {
    ++r->counters.mismatched_ends;
  }
  leave(r);
}

bool recorder_leave_task(struct recorder *r, uintptr_t stack, uint64_t ticks) {
  if (r->pauses || !enter(r))
    return false;
  uint32_t at = section_meant(r, stack);
  if (at && has_open_task(r, at)) {
    close_inside(r, at, ticks);
    close_down_to(r, at + 1, ticks);
  }
  leave(r);
  return true;
}

//===----------------------------------------------------------------------===//
// Locks
//===----------------------------------------------------------------------===//

void recorder_open_lock(struct recorder *r, const char *text, uint64_t value, uint64_t ticks) {
  if (!begin(r, FRAME_LOCK))
    return;
  uint32_t lock = lock_ids_find(&r->lock_ids, &r->locks, text, value);
  open_lock(r, lock, ticks)->by_hand = true;
  leave(r);
}

/** The frame of `lock`, taken by hand in the open task; 0 = it is not held. */
static uint32_t lock_frame(const struct recorder *r, uint32_t lock) {
  for (uint32_t at = r->depth; at-- > 1;) {
    const struct frame *frame = &r->frames[at];
    if (!frame->by_hand || meaning(frame) != FRAME_LOCK)
      return 0;
    if (frame->ref == lock)
      return at;
  }
  return 0;
}

/** The locks taken since `at` are taken anew: a tree has them one inside the other. */
static void release(struct recorder *r, uint32_t at, uint64_t ticks) {
  uint32_t kept[MOST_KEPT], count = 0;
  for (uint32_t i = at + 1; i < r->depth && count < MOST_KEPT; ++i)
    kept[count++] = r->frames[i].ref;
  close_down_to(r, at, ticks);
  for (uint32_t i = 0; i < count; ++i)
    open_lock(r, kept[i], ticks)->by_hand = true;
}

void recorder_close_lock(struct recorder *r, const char *text, uint64_t value, uint64_t ticks) {
  if (!end(r, FRAME_LOCK, &ticks))
    return;
  uint32_t lock = lock_ids_find(&r->lock_ids, &r->locks, text, value);
  uint32_t at = lock_frame(r, lock);
  if (at)
    release(r, at, ticks);
  else
    ++r->counters.mismatched_ends;
  leave(r);
}
