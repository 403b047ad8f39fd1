//===- spawn.c - Tasks wherever they are spawned --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `task` annotation opens its `tasks` section when it is first reached, and leaves
// the handle in a variable of the function that it is in; the next one finds it
// there. A variable may outlive its section, when a construct around it ends, and
// the frame may be another section's by then: so a section knows its variable.
//
//===----------------------------------------------------------------------===//
#include "events.h"

/** Of a function that spawns tasks. Further up its variable is not on the stack (coroutines). */
enum { LARGEST_FRAME = 1 << 26 };

/** The frame of the open section that `*tasks` is the handle of; 0 = there is none. */
static uint32_t section_of(struct recorder *r, const unsigned *tasks) {
  uint32_t at = *tasks;
  if (at == 0 || at >= r->depth)
    return 0;
  at += r->frames[at].kind == FRAME_TASK && at + 1 < r->depth; // implicit task
  struct frame *frame = &r->frames[at];
  if (frame->kind != FRAME_SPAWN || (frame->owner && frame->owner != tasks))
    return 0;
  frame->owner = tasks;
  return at;
}

/** Closes sections whose variable was the one at `tasks`, left by longjmp: the variable is anew. */
static void close_earlier_variables(struct recorder *r, const unsigned *tasks, uint64_t ticks) {
  const struct frame *section = &r->frames[r->container];
  for (; section->kind == FRAME_SPAWN && section->owner == tasks;
       section = &r->frames[r->container]) {
    close_down_to(r, r->container, ticks);
    ++r->counters.abandoned;
  }
}

/**
 * Up to where the stack is in use while the function that spawns is alive: its variable, where that
 * is on the stack. (Its stack pointer moves with variable-length arrays.)
 */
static uintptr_t stack_of(const unsigned *tasks, uintptr_t stack) {
  uintptr_t variable = (uintptr_t)tasks;
  return stack && variable > stack && variable - stack < LARGEST_FRAME ? variable : stack;
}

static bool is_lock(const struct frame *frame) {
  return frame->kind == FRAME_LOCK || frame->kind == FRAME_MUTED;
}

/** Does the spawner hold a lock? A lock's computation has no tasks. */
static bool spawner_in_lock(struct recorder *r, uint32_t section) {
  if (section == 0)
    return in_lock(r);
  return section + 1 < r->depth && is_lock(&r->frames[section + 1]);
}

unsigned recorder_spawn_begin(struct recorder *r, unsigned *tasks, const char *site,
                              uintptr_t stack, uint64_t ticks) {
  if (!enter_begin(r))
    return NO_HANDLE;
  uint32_t section = section_of(r, tasks);
  if (section == 0) {
    close_abandoned(r, stack, ticks);
    close_earlier_variables(r, tasks, ticks);
  }
  uint32_t id = section ? 0 : names_id(&r->sites, site);
  if (spawner_in_lock(r, section) || id == NAME_NONE) {
    ++r->counters.sections_in_locks;
    leave(r);
    return NO_HANDLE;
  }
  if (section == 0) {
    *tasks = open_section(r, id, /*spawn=*/true, stack_of(tasks, stack), ticks);
    top_frame(r)->owner = tasks;
    section = r->depth - 1;
  }
  for (; r->depth > section + 1; close_top(r, ticks)) // left by longjmp
    r->counters.unfinished_tasks += top_frame(r)->kind == FRAME_TASK;
  end_spawners_part(r, ticks);
  unsigned handle = r->depth;
  open_task(r);
  leave(r);
  return handle;
}

void recorder_tasks_end(struct recorder *r, unsigned *tasks, uint64_t ticks) {
  unsigned handle = *tasks;
  if (handle != 0 && handle != NO_HANDLE && enter(r)) {
    bool muted = handle < r->depth && r->frames[handle].kind == FRAME_MUTED;
    if (muted || section_of(r, tasks))
      close_down_to(r, handle, r->pauses ? r->paused_at : ticks);
    else
      ++r->counters.mismatched_ends;
    leave(r);
  }
  *tasks = 0;
}
