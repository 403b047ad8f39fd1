//===- recorder.h - From events to a program tree ----------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval profiling (Parallel Prophet §IV-B) with the compression of §VI-B. Pure:
// every event takes the clock's ticks as an argument. An event's leaf lasts from the
// event before it; a task begins where its sibling ended, so its begin needs no ticks
// (only `tasks` sections, whose own computation lies between tasks, use them).
//
// Ends that name nothing open are counted and otherwise without effect.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "lock_ids.h"
#include "merging.h"
#include "model.h"
#include "names.h"
#include "outliers.h"
#include "overhead.h"

/** A handle is the index of the construct's frame, or the state in a bare task. */
#define NO_HANDLE UINT32_MAX

/**
 * What the recorder is doing: decides which events may take the short way. Besides these, the
 * state is the depth directly in a section, where a task may begin, and minus the depth in a task
 * there that is one U so far and has no frame: a bare task.
 */
enum recorder_state {
  STATE_NOBODY = 0xC0000000, ///< of a thread that is not profiled
  STATE_OFF,                 ///< not recording (any more)
  STATE_INSIDE,              ///< anywhere else
  STATE_FAST,                ///< in the short way: consistent but for the task itself
  STATE_SLOW,                ///< in the recorder
};
static inline bool state_is_section(uint32_t state) { return (int32_t)state > 0; }
static inline bool state_is_bare(uint32_t state) { return state > STATE_SLOW; }

/** What the file reports about the profiling itself. */
struct recorder_counters {
  uint64_t tasks, sections, locks;
  uint64_t dropped;           ///< events while not recording, or from within the recorder
  uint64_t mismatched_ends;   ///< ends without a begin
  uint64_t misplaced_tasks;   ///< tasks outside any section
  uint64_t unfinished_tasks;  ///< tasks that the next task's begin closed
  uint64_t abandoned;         ///< constructs left without their end (longjmp)
  uint64_t sections_in_locks; ///< sections recorded as their lock's computation
  uint64_t recursive_locks;   ///< locks taken while held, recorded as computation
  uint64_t paused_ticks;      ///< time that belongs to no node
  uint64_t own_ticks;         ///< the profiler's own time that no leaf contains
};

/** How many of each the arenas hold. */
struct recorder_limits {
  uint64_t frames, tokens, runs, items, cells, kept_runs;
};

struct recorder {
  // One cache line for the short way (fastpath.h).
  volatile uint32_t state __attribute__((aligned(64))); ///< recorder_state
  uint32_t depth;                                       ///< number of frames
  uint64_t last;                                        ///< ticks of the event before
  struct current_run run;

  uint32_t pauses;    ///< that have not been resumed
  uint64_t paused_at; ///< ticks when the first of them began
  uint32_t container; ///< index of the innermost section's (or the root's) frame
  bool full;          ///< memory ran out: recording has ended
  bool no_short_way;  ///< events must not read the processor's counter directly
  bool searched;      ///< since recorder_skip an event took longer than its usual share
  struct frame *frames;
  uint32_t *tokens;  ///< of the open tasks
  uint64_t *lengths; ///< of `tokens`
  struct run *runs;  ///< of the open sections
  uint64_t token_count, run_count;
  struct bare_entry bare[BARE_ENTRIES]; ///< by bits of the length's logarithm
  struct bare_entry before;             ///< of the last run of bare tasks that has ended
  struct outliers outliers;

  struct item *items;
  struct cell *cells;
  uint32_t *shapes; ///< the tokens of `cells`
  struct run *kept_runs;
  uint32_t *buckets; ///< hash table of items, plus 1
  uint64_t item_count, cell_count, kept_run_count;
  struct recorder_limits limits;
  unsigned halvings; ///< how far below full size the arenas are

  struct name_table sites, locks;
  struct lock_ids lock_ids;
  uint8_t nowait[NAME_LIMIT / 8]; ///< bits by site: did one of its sections end without waiting?
  uint32_t ignored[FRAME_KINDS];  ///< what began by hand in this pause, by kind
  struct merging merging;
  struct overhead_table overhead;
  struct recorder_counters counters;
};

/** Ticks up to the last event, without those that are in no leaf. */
static inline uint64_t recorder_clock(const struct recorder *r) {
  return r->last - r->counters.paused_ticks - r->counters.own_ticks;
}

/** Sections of so many runs are as fast to find as one of one run. */
enum { FEW_RUNS = 8 };

/** May the innermost section have more than FEW_RUNS runs? The current one still counts. */
static inline bool recorder_section_is_large(const struct recorder *r) {
  return r->run_count - r->frames[r->container].runs >= FEW_RUNS;
}

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares `r`, recording from `ticks` on. False where the address space does not suffice. */
bool recorder_init(struct recorder *r, uint32_t tolerance_ppm, uint64_t ticks);
/** Forgets what `r` has recorded and starts again at `ticks`, with what was measured meanwhile. */
void recorder_restart(struct recorder *r, struct overhead_table overhead, uint64_t noise,
                      uint64_t ticks);
void recorder_destroy(struct recorder *r);
/** The arenas' sizes. `limits` is less: the rest is for closing what is open. */
struct recorder_limits recorder_capacity(const struct recorder *r);

/** The events. `stack`: the caller's stack pointer, by which abandoned sections are found; 0 =
 * unknown. */
unsigned recorder_section_begin(struct recorder *r, const char *site, uintptr_t stack,
                                uint64_t ticks);
void recorder_section_end(struct recorder *r, unsigned handle, uint64_t ticks);
unsigned recorder_task_begin(struct recorder *r, uint64_t ticks);
void recorder_task_end(struct recorder *r, unsigned handle, uint64_t ticks);
unsigned recorder_lock_begin(struct recorder *r, const char *lock, uint64_t ticks);
void recorder_lock_end(struct recorder *r, unsigned handle, uint64_t ticks);

/** A task of the section that `*tasks` is the handle of, which it opens if none is open. */
unsigned recorder_spawn_begin(struct recorder *r, unsigned *tasks, const char *site,
                              uintptr_t stack, uint64_t ticks);
/**
 * What most events take is the same every time and is subtracted when the tree is written
 * (overhead.h). The event at `since` was another one and kept the profiler at work until `ticks`:
 * that time is in no leaf. Nothing where a signal handler's events came in between, which have used
 * it up.
 */
void recorder_skip(struct recorder *r, uint64_t since, uint64_t ticks);
/** Closes that section, if there is one, and sets `*tasks` to 0. */
void recorder_tasks_end(struct recorder *r, unsigned *tasks, uint64_t ticks);
/** Time between them belongs to no node. They nest; begins in between are not recorded. */
void recorder_pause(struct recorder *r, uint64_t ticks);
void recorder_resume(struct recorder *r, uint64_t ticks);

/** Closes everything that is open and stops recording. Returns the number of open constructs. */
unsigned recorder_close(struct recorder *r, uint64_t ticks);

#ifdef __cplusplus
}
#endif
