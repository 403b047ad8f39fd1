//===- memory_view.h - What counts as parallel -------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sections lie inside each other, and which of them use a line depends on which are parallel. A
// view has the uses of the sample by site, and as a log, for one choice: the outermost sections of
// all sites, or one site's alone, which run inside others'.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bins.h"
#include "memory_log.h"
#include "reuse_stack.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MEMORY_OUTSIDE, ///< the site of what lies outside sections
  MEMORY_PAUSED,  ///< of what is not to count, but is used all the same
  MEMORY_FIRST,   ///< of those with names
  MEMORY_SITES = 1024,
};

struct memory_site {
  uint64_t cold[PROPHET_MEMORY_KINDS];
  uint64_t reuse[PROPHET_MEMORY_KINDS][BINS];
  uint64_t counted[PROPHET_MEMORY_COUNTS]; ///< accesses, exactly, and what else the code counts
  int64_t writebacks[BINS];                ///< a cache of C lines writes back those of at least C
  uint64_t never;                          ///< lines that were dirty at the end
  uint64_t read_first;                     ///< lines first written to here, but read before
  uint64_t executions;
};

struct memory_view {
  struct memory_site *sites;
  uint32_t site_count;      ///< MEMORY_FIRST and those with names
  struct reuse_note *notes; ///< by reuse_line::id; the first view's are in the lines themselves
  struct memory_log log;
  uint32_t depth;     ///< of the open section; 0: none is
  uint32_t open;      ///< its site; MEMORY_OUTSIDE: none is
  uint32_t site;      ///< of what is counted now: `open`, or MEMORY_PAUSED
  uint32_t site_then; ///< `site` at the time of what is put off next
};

/** A use of a line of the sample. */
struct memory_use {
  uint64_t line;
  unsigned kind;            ///< in prophet/memory.h
  unsigned last;            ///< the same, or of the write that follows the read
  uint64_t distance;        ///< in lines of all, or LOG_COLD
  uint32_t bin;             ///< of it
  uint64_t weight;          ///< uses that it stands for
  uint32_t clean, to_clean; ///< view_write_back's `from` and `to`; 0: none does
  bool read_first;          ///< nothing has written to the line, but it has been read
};

/** An empty view of `sites` sites, MEMORY_OUTSIDE and MEMORY_PAUSED among them. */
bool view_init(struct memory_view *view, uint32_t sites, uint32_t log_limit);
void view_destroy(struct memory_view *view);

/** Makes of an empty view of one site that one of the first view, which knows what ran until now,
 * the site as its `site`, or never: MEMORY_OUTSIDE. False where there is no room. */
bool view_split(struct memory_view *view, const struct memory_view *first,
                const struct reuse_stack *stack, uint32_t site);

/** Caches from the bin `from` (0: none yet) to the bin `to` write a line back. */
static inline void view_write_back(struct memory_view *view, const struct reuse_note *note,
                                   uint32_t from, uint32_t to, int64_t weight) {
  struct memory_site *writer = &view->sites[note->writer];
  writer->writebacks[to] += weight;
  if (from)
    writer->writebacks[from] -= weight;
}

/** `own`: MEMORY_OWN or 0. */
static inline __attribute__((always_inline)) void view_use(struct memory_view *view,
                                                           struct reuse_note *note,
                                                           const struct memory_use *use,
                                                           unsigned own) {
  struct memory_site *site = &view->sites[view->site_then];
  if (use->distance == LOG_COLD) {
    *note = (struct reuse_note){0, 0};
    site->cold[use->kind] += use->weight;
  } else {
    site->reuse[use->kind][use->bin] += use->weight;
  }
  if (use->read_first)
    site->read_first += use->weight;
  if (use->to_clean)
    view_write_back(view, note, use->clean, use->to_clean, (int64_t)use->weight);
  if (view->site_then != MEMORY_PAUSED)
    log_reference(&view->log, use->line, use->last | own, use->distance, &note->logged);
  if (use->last != use->kind)
    site->reuse[use->last][0] += use->weight;
  if (use->last % 2)
    note->writer = (uint16_t)view->site_then;
}

/** The accesses of `kind` as estimated by the sample. */
uint64_t memory_sampled(const struct memory_site *site, unsigned kind);

#ifdef __cplusplus
}
#endif
