//===- memory_profile.h - How sections use memory ----------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses to sampled lines become stack distances, by the top-level section that made them; and,
// for some sites that run inside others, by whether their sections did. Pure: no clock, file or
// environment. Counts are of the whole program: an event at rate 1/2^k counts
// 2^k, and as many lines are taken to lie between as were seen, times 2^k.
//
// The rate begins at 1, so that what is small is known exactly, and halves after each 2^16 events
// down to 1/64; that makes for at most some 0.02 s in a program of any length. Where more than
// REUSE_LINES lines are in the sample it halves, too, without end.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memory_blocks.h"
#include "memory_view.h"

#include "names.h"

#include <prophet/memory_format.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /** The outermost sections', and those of some sites that run inside others. */
  MEMORY_VIEWS = 1 + PROPHET_MEMORY_INNER_SITES,
  MEMORY_DEPTH = 1 << 20,
  MEMORY_FLOOR = 6, ///< rates below 1/64 are only for want of room
  MEMORY_EVENTS = 1 << 16,
  MEMORY_WAITING = 4096,
  MEMORY_STACK = 8 << 20, ///< bytes: the usual size of a stack
  MEMORY_KIND_BITS = 6,
  MEMORY_RANGES = 256,
  MEMORY_REGIONS = 64, ///< inside each other
};

/** Beside a kind: as MEMORY_OWN, of the outermost section's task, or of tasks inside. */
#define MEMORY_OWN_OUTERMOST (2 * MEMORY_OWN)

/** A site, by the number of its name. */
struct memory_name {
  uint32_t open; ///< of its sections
  uint16_t site; ///< in the first view; MEMORY_OUTSIDE: none yet
  uint8_t view;  ///< where it alone is parallel; 0: none
};

/** An open section. */
struct memory_frame {
  uintptr_t stack;       ///< where it was opened; 0: by hand
  uintptr_t task;        ///< where its latest task began; 0: none has
  uint64_t born;         ///< of the blocks, those before that task's ones
  uint64_t opened;       ///< those before the section
  uint64_t around;       ///< those before the OpenMP `parallel` that it is directly in; or `opened`
  const unsigned *owner; ///< of spawned tasks: the variable with their handle
  uint32_t ranges;       ///< of `own`, those before its tasks' ones
  uint32_t name;         ///< of its site; NAME_NONE where there are too many
};

/** An OpenMP `parallel` or `single` that goes on. */
struct memory_region {
  uint64_t born;  ///< of the blocks, those before it
  uint32_t depth; ///< of the sections that it is in
  bool single;
};

struct memory_profile {
  struct reuse_stack stack;
  struct memory_view views[MEMORY_VIEWS]; ///< the first one has the outermost sections
  uint32_t view_count, most_views;
  struct name_table names;           ///< of all sites, outermost or not
  struct memory_name *named;         ///< by number of the name
  uint32_t site_names[MEMORY_SITES]; ///< of the first view's sites
  uint32_t view_names[MEMORY_VIEWS]; ///< of the other views' site
  uint32_t site_count;               ///< of the first view: MEMORY_FIRST, and those with names
  struct memory_frame *frames;
  uint32_t depth, pauses;
  uint32_t deepest;                             ///< depth of the views' open sections
  uint32_t deepest_views;                       ///< bits: those whose section that is
  uint32_t level;                               ///< the rate is 1 / 2^level
  uint32_t threshold;                           ///< for the hashes of lines in the sample
  bool fixed;                                   ///< the rate is as asked for, while there is room
  bool has_popcnt;                              ///< one instruction counts bits
  uint64_t events;                              ///< since the rate changed
  uint64_t most_events;                         ///< after which it changes
  uint32_t waiting;                             ///< accesses and marks in `waits`
  uint32_t ranges;                              ///< in `own`
  struct memory_region regions[MEMORY_REGIONS]; ///< the innermost last
  uint32_t region_count;
  struct memory_blocks blocks;                  ///< that open tasks have allocated
  struct prophet_memory_range thread_variables; ///< the measured thread's thread-local ones
  struct prophet_memory_range private_around;   ///< all of `private_variables`
  uint32_t private_count;
  uintptr_t highest; ///< on the stack, no task of an open section has begun above; 0: none has
  uint64_t lost_sites;
  uint64_t waits[MEMORY_WAITING]; ///< accesses, lines times 64 plus kinds, or marks; in order
  /** Variables of the open tasks, the innermost one's last. */
  struct prophet_memory_range own[MEMORY_RANGES];
  /** Those that each thread has, in all tasks, by address. */
  struct prophet_memory_range private_variables[MEMORY_RANGES];
};

/** What else happens between accesses that wait: such a mark, plus views, a bit each, plus a
 * number. */
#define MEMORY_MARK_SITE (UINT64_C(4) << 61)  ///< those that follow are of the site
#define MEMORY_MARK_PART (UINT64_C(5) << 61)  ///< a part of the site begins
#define MEMORY_MARK_TASKS (UINT64_C(6) << 61) ///< so many tasks begin
#define MEMORY_MARK_VIEWS 32                  ///< bits of the number

/** Prepares an empty profile. `level`: where the rate begins and stays; -1: it is as above. */
bool memory_init(struct memory_profile *m, int level);
void memory_destroy(struct memory_profile *m);

/** An access to a line of the sample, of a kind in prophet/memory.h; or of a read's with
 * PROPHET_MEMORY_THEN_WRITE, which are two; either with MEMORY_OWN and
 * MEMORY_OWN_OUTERMOST or without. */
void memory_event(struct memory_profile *m, uint64_t line, unsigned kind);
/** Does what has been put off: accesses by memory_event_soon, and where sections, tasks and pauses
 * among them begin and end. */
void memory_catch_up(struct memory_profile *m);

/** An access as it waits, MEMORY_OWN and the like beside its kind. An address's line leaves the
 * highest bits free, for marks. */
static inline uint64_t memory_wait(uint64_t line, unsigned kind) {
  return (line << MEMORY_KIND_BITS & INT64_MAX) | kind; // no mark, whatever the address
}

/** A write follows the read `read`: true if that waits last, so that they are one from now on. */
static inline bool memory_then_write(struct memory_profile *m, uint64_t read) {
  if (!m->waiting || m->waits[m->waiting - 1] != read)
    return false;
  m->waits[m->waiting - 1] |= PROPHET_MEMORY_THEN_WRITE;
  return true;
}

/**
 * The same as memory_event, but a little later: many at a time find what they need in the cache,
 * which the program otherwise takes for itself between two of them.
 */
static inline void memory_event_soon(struct memory_profile *m, uint64_t line, unsigned kind) {
  m->waits[m->waiting++] = memory_wait(line, kind);
  if (m->waiting == MEMORY_WAITING)
    memory_catch_up(m);
}

/** Accesses that were made, in the sample or not; or floating-point operations. */
void memory_count(struct memory_profile *m, unsigned kind, uint64_t number);

/** Opens a section; its handle. `stack` is where (0: by hand), `owner` as in memory_frame. */
unsigned memory_open(struct memory_profile *m, const char *site, uintptr_t stack,
                     const unsigned *owner);
/** A task begins in a view's section, of which none waits last. */
void memory_put_off_task(struct memory_profile *m);
/** A task begins in the innermost section. */
static inline void memory_task(struct memory_profile *m) {
  if (m->depth != m->deepest || m->depth == 0 || m->pauses)
    return;
  const uint64_t mark = MEMORY_MARK_TASKS | (uint64_t)m->deepest_views << MEMORY_MARK_VIEWS;
  uint64_t *last = m->waiting ? &m->waits[m->waiting - 1] : NULL;
  if (last && (*last ^ mark) >> MEMORY_MARK_VIEWS == 0 && (uint32_t)*last < UINT32_MAX)
    ++*last;
  else
    memory_put_off_task(m);
}
/** What the innermost section's latest task has allocated and not freed is shared, since others may
 * use it. */
void memory_end_task(struct memory_profile *m);
/** Where on the stack the next one does, which ends the latest: what the task calls has its
 * variables below. Before memory_task. */
static inline void memory_task_at(struct memory_profile *m, uintptr_t stack) {
  if (!m->depth || m->pauses)
    return;
  if (m->blocks.live)
    memory_end_task(m);
  m->frames[m->depth - 1].born = m->blocks.born;
  m->frames[m->depth - 1].task = stack;
  m->highest = stack > m->highest ? stack : m->highest;
  m->ranges = m->frames[m->depth - 1].ranges;
}
/** The innermost section's latest task has declared a variable. Of more than MEMORY_RANGES some
 * count as shared. */
static inline void memory_declare(struct memory_profile *m, uint64_t address, uint64_t size) {
  if (m->depth && !m->pauses && m->frames[m->depth - 1].task && m->ranges < MEMORY_RANGES)
    m->own[m->ranges++] = (struct prophet_memory_range){address, size};
}
/** May a line of [address, address + size) be in the sample? */
static inline bool memory_may_sample(const struct memory_profile *m, uint64_t address,
                                     uint64_t size) {
  enum { MOST = 16 }; // lines to look at
  uint64_t line = address >> PROPHET_MEMORY_LINE_SHIFT;
  const uint64_t last = (address + size - 1) >> PROPHET_MEMORY_LINE_SHIFT;
  if (last - line >= MOST)
    return true;
  while (line < last && reuse_hash(line) >= m->threshold)
    ++line;
  return reuse_hash(line) < m->threshold;
}
/** The innermost OpenMP `parallel` or `single` that goes on, or null. */
static inline const struct memory_region *memory_region(const struct memory_profile *m) {
  const uint32_t count = m->region_count;
  return count && count <= MEMORY_REGIONS ? &m->regions[count - 1] : NULL;
}
/** A block of the heap is a task's own where that has allocated it, and freed it before it ends; or
 * where an OpenMP `parallel` around has, outside of its tasks and of a `single`. */
static inline void memory_allocate(struct memory_profile *m, uint64_t address, uint64_t size) {
  const struct memory_region *region = memory_region(m);
  if ((m->highest || region) && !m->pauses && memory_may_sample(m, address, size))
    blocks_add(&m->blocks, address, size, region && region->single);
}
static inline void memory_free(struct memory_profile *m, uint64_t address) {
  if (m->blocks.live)
    blocks_remove(&m->blocks, address);
}
/** As in prophet/memory.h. Of more than MEMORY_REGIONS inside each other the innermost ones are
 * none. */
void memory_change_region(struct memory_profile *m, unsigned change);
/** The blocks before the OpenMP `parallel` that what opens now is directly in. */
static inline uint64_t memory_around(const struct memory_profile *m) {
  const struct memory_region *region = memory_region(m);
  const bool is_in = region && !region->single && region->depth == m->depth;
  return is_in ? region->born : m->blocks.born;
}
/** Forgets what each thread has in all tasks, but for these thread-local variables. */
static inline void memory_set_private(struct memory_profile *m,
                                      struct prophet_memory_range thread_variables) {
  m->thread_variables = thread_variables;
  m->private_around = (struct prophet_memory_range){0, 0};
  m->private_count = 0;
}
/** One more variable of which each thread has another one, if it is not yet there. Of more than
 * MEMORY_RANGES some count as shared. */
void memory_add_private(struct memory_profile *m, struct prophet_memory_range variable);
static inline bool memory_is_in(uint64_t address, struct prophet_memory_range range) {
  return address - range.address < range.size;
}
/** A block of the one at `old`, as prophet/memory.h has it. */
void memory_reallocate(struct memory_profile *m, uint64_t old, uint64_t address, uint64_t size);
/** memory_own, where it is not known at once. */
unsigned memory_own_of_task(struct memory_profile *m, uint64_t address, unsigned kind,
                            uintptr_t here);
/** MEMORY_OWN and MEMORY_OWN_OUTERMOST, beside `kind`, where they hold for an access, in the place
 * of PROPHET_MEMORY_OF_THREAD. */
static inline unsigned memory_own(struct memory_profile *m, uint64_t address, unsigned kind,
                                  uintptr_t here) {
  // Most are no variable of a function, which is known without what few use otherwise.
  const bool of_thread = kind & PROPHET_MEMORY_OF_THREAD;
  if (!m->depth)
    return kind & ~PROPHET_MEMORY_OF_THREAD;
  if (!of_thread &&
      (!(m->ranges | m->blocks.live) && (address < here || address >= m->highest) &&
       !memory_is_in(address, m->thread_variables) && !memory_is_in(address, m->private_around)))
    return kind;
  return memory_own_of_task(m, address, kind, here);
}
/** Closes the section `handle` and all in it. Names that are not open do nothing. */
void memory_close(struct memory_profile *m, unsigned handle);
/** Whether what is counted is of another site when the section `handle` has been closed. */
static inline bool memory_closes_site(const struct memory_profile *m, unsigned handle) {
  return handle <= m->deepest;
}
/** The innermost section that was opened by hand; 0: none. */
unsigned memory_by_hand(const struct memory_profile *m);
void memory_pause(struct memory_profile *m);
void memory_resume(struct memory_profile *m);

/** The program has ended: what is dirty is told. Call once. */
void memory_finish(struct memory_profile *m);

#ifdef __cplusplus
}
#endif
