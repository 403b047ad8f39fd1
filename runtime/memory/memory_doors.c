//===- memory_doors.c - The calls of a program that measures memory ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What prophet_memory_get_api hands out. The functions are memory_life.c's to guard: each enters,
// but for a look at how deep sections are, and does nothing where that fails.
//
//===----------------------------------------------------------------------===//
#include "memory_life.h"
#include "memory_units.h"

#define HERE() ((uintptr_t)__builtin_frame_address(0))
/** The end of the stack where the call of this function is. */
#define CALLER() ((uintptr_t)__builtin_dwarf_cfa())

static unsigned open_at(const char *site, uintptr_t stack, const unsigned *owner) {
  struct memory_profile *m = life_enter_section();
  if (!m)
    return 0;
  units_settle(m);
  unsigned handle = memory_open(m, site, stack, owner);
  life_leave();
  return handle;
}

static void close_handle(unsigned handle) {
  // A task's, in which nothing was left open, as most: there is nothing to do. Nobody but the owner
  // changes the depth; in a handler amid that, nothing is closed, as where entering fails.
  if (life_is_owner() && handle > life_gate.profile.depth)
    return;
  struct memory_profile *m = handle ? life_enter() : 0;
  if (!m)
    return;
  if (handle <= m->depth) {
    if (memory_closes_site(m, handle))
      units_settle(m);
    memory_close(m, handle);
  }
  life_leave();
}

/** A construct inside a section: its end closes what was left open in it. `task`: where one begins,
 * or 0. */
static unsigned open_inside(uintptr_t task) {
  struct memory_profile *m = life_enter();
  if (!m)
    return 0;
  if (task) {
    memory_task_at(m, task);
    memory_task(m);
  }
  unsigned handle = m->depth + 1;
  life_leave();
  return handle;
}

static unsigned section_begin(const char *site) { return open_at(site, HERE(), NULL); }
static void section_end(unsigned *handle) { close_handle(*handle); }
static unsigned task_begin(void) { return open_inside(CALLER()); }
static unsigned lock_begin(const char *lock) {
  (void)lock;
  return open_inside(0);
}

/** Owns what is not open. */
static const unsigned section_of_others;

/** Does `*tasks` name an open section: one that was opened for it, or `parallel tasks`? */
static bool is_open(const unsigned *tasks) {
  struct memory_profile *m = *tasks ? life_enter() : NULL;
  if (!m)
    return false;
  const unsigned *owner = *tasks <= m->depth ? m->frames[*tasks - 1].owner : &section_of_others;
  bool open = !owner || owner == tasks;
  life_leave();
  return open;
}

static unsigned spawn_begin(unsigned *tasks, const char *site) {
  if (!is_open(tasks))
    *tasks = open_at(site, HERE(), tasks);
  return open_inside(CALLER());
}

static void tasks_end(unsigned *tasks) {
  if (is_open(tasks))
    close_handle(*tasks);
  *tasks = 0;
}

/** What was counted before `change` is of the time before it. */
static void after_settling(void (*change)(struct memory_profile *)) {
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  units_settle(m);
  change(m);
  life_leave();
}

static void pause(void) { after_settling(memory_pause); }
static void resume(void) { after_settling(memory_resume); }

static void open_section(const char *site) { open_at(site, 0, NULL); }

static void close_section(int nowait) {
  (void)nowait;
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  unsigned handle = memory_by_hand(m);
  life_leave();
  close_handle(handle);
}

static void open_task(void) { open_inside(CALLER()); }
static void close_task(void) {}
static void lock_by_hand(const char *text, unsigned long value) {
  (void)text;
  (void)value;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/**
 * All lines of an access that are in the sample, but for `*latest`, if that was used in the same
 * way right before: it would have distance 0, which takes all that is counted and not told anyway.
 * A write right behind a read of the line, in the same class, joins it. `here`: as memory_own's.
 */
static void touch_lines(struct memory_profile *m, uint64_t address, uint64_t size, unsigned kind,
                        uintptr_t here, uint64_t *latest) {
  uint64_t line = address >> PROPHET_MEMORY_LINE_SHIFT;
  uint64_t last = (address + size - 1) >> PROPHET_MEMORY_LINE_SHIFT;
  for (; line <= last && reuse_hash(line) >= m->threshold; ++line)
    continue;
  if (line > last)
    return;
  kind = memory_own(m, address, kind, here);
  for (; line <= last; ++line)
    if (reuse_hash(line) < m->threshold && *latest != memory_wait(line, kind)) {
      if (kind % 2 == 0 || *latest != memory_wait(line, kind - 1) || !memory_then_write(m, *latest))
        memory_event_soon(m, line, kind);
      *latest = memory_wait(line, kind);
    }
}

/** As no line in a kind. */
#define NONE UINT64_MAX

/** An access in one line of the sample, by itself. */
static inline __attribute__((always_inline)) void touch_one(struct memory_profile *m, uint64_t line,
                                                            uint64_t address, unsigned kind,
                                                            uintptr_t here) {
  memory_event_soon(m, line, memory_own(m, address, kind, here));
}

static __attribute__((noinline)) void touch_group(struct memory_profile *m, uint64_t address,
                                                  const unsigned *group, uintptr_t here) {
  uint64_t latest = NONE;
  for (unsigned i = 0; i < group[0]; ++i) {
    int32_t offset = (int32_t)group[2 * i + 1];
    unsigned access = group[2 * i + 2];
    touch_lines(m, address + (uint64_t)(int64_t)offset, access >> 8, access & 255, here, &latest);
  }
}

/** As no kind of a group. */
#define SEVERAL 256u

/** The kind of a group that is one access, or a read and a write of the same bytes; else SEVERAL.
 */
static inline unsigned kind_of(const unsigned *group) {
  if (group[0] == 1)
    return group[2] & 255;
  const bool is_update =
      group[0] == 2 && group[1] == group[3] && group[2] % 2 == 0 && group[2] + 1 == group[4];
  return is_update ? (group[2] & 255) | PROPHET_MEMORY_THEN_WRITE : SEVERAL;
}

/** The line of an access in one, in the sample or not, or of one in two the only one that is; else
 * NONE. */
static inline uint64_t only_line(const struct memory_profile *m, uint64_t address, uint64_t size) {
  const uint64_t line = address >> PROPHET_MEMORY_LINE_SHIFT;
  const uint64_t last = (address + size - 1) >> PROPHET_MEMORY_LINE_SHIFT;
  if (line == last)
    return line;
  const bool begins = reuse_hash(line) < m->threshold, ends = reuse_hash(last) < m->threshold;
  return begins != ends && last - line == 1 ? line + ends : NONE;
}

static void touch(unsigned long long address, const unsigned *group) {
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  const uint64_t first = address + (uint64_t)(int64_t)(int32_t)group[1];
  const uint64_t line = only_line(m, first, group[2] >> 8);
  const unsigned kind = kind_of(group);
  if (__builtin_expect(line != NONE && kind != SEVERAL, 1))
    touch_one(m, line, first, kind, HERE());
  else
    touch_group(m, address, group, HERE());
  life_leave();
}

static void touch_line(unsigned long long address, unsigned kind) {
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  touch_one(m, address >> PROPHET_MEMORY_LINE_SHIFT, address, kind, HERE());
  life_leave();
}

static void touch_lanes(const unsigned long long *addresses, unsigned long long mask,
                        const unsigned *group) {
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  uint64_t latest = NONE;
  for (unsigned lane = 0; mask; ++lane, mask >>= 1)
    if (mask & 1)
      touch_lines(m, addresses[lane], group[2] >> 8, group[2] & 255, HERE(), &latest);
  life_leave();
}

static void touch_range(unsigned long long address, unsigned long long size, unsigned kind) {
  struct memory_profile *m = size ? life_enter() : NULL;
  if (!m)
    return;
  uint64_t head = prophet_memory_range_head(address, size), latest = NONE;
  const unsigned of_thread = kind & PROPHET_MEMORY_OF_THREAD;
  memory_count(m, kind % PROPHET_MEMORY_KINDS, prophet_memory_lines(address, head));
  touch_lines(m, address, head, kind, HERE(), &latest);
  if (head < size) {
    kind = 2 * PROPHET_MEMORY_STREAM + kind % 2;
    memory_count(m, kind, prophet_memory_lines(address + head, size - head));
    touch_lines(m, address + head, size - head, kind | of_thread, HERE(), &latest);
  }
  life_leave();
}

static void own(unsigned long long address, unsigned long long size) {
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  memory_declare(m, address, size);
  life_leave();
}

static void region(unsigned change) {
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  memory_change_region(m, change);
  life_leave();
}

static void allocated(unsigned long long address, unsigned long long size) {
  struct memory_profile *m = address ? life_enter() : NULL;
  if (!m)
    return;
  memory_allocate(m, address, size);
  life_leave();
}

static void reallocated(unsigned long long old, unsigned long long address,
                        unsigned long long size) {
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  memory_reallocate(m, old, address, size);
  life_leave();
}

static void freed(unsigned long long address) {
  struct memory_profile *m = life_enter();
  if (!m)
    return;
  memory_free(m, address);
  life_leave();
}

/** As prophet_runtime_linked: what makes a linker take this archive in. */
__attribute__((visibility("default"))) const int prophet_memory_linked = 1;

__attribute__((visibility("default"))) const struct prophet_memory_api *
prophet_memory_get_api(unsigned version) {
  static const struct prophet_memory_api api = {
      {PROPHET_RUNTIME_API_VERSION, sizeof(struct prophet_runtime_api), section_begin, section_end,
       task_begin, section_end, lock_begin, section_end, spawn_begin, tasks_end, pause, resume,
       open_section, close_section, open_task, close_task, open_task, lock_by_hand, lock_by_hand},
      units_add,
      units_remove,
      touch,
      touch_line,
      touch_lanes,
      touch_range,
      own,
      region,
      allocated,
      reallocated,
      freed,
  };
  return version == PROPHET_MEMORY_API_VERSION ? &api : NULL;
}
