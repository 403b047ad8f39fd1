//===- memory_view.c - What counts as parallel ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_view.h"

#include "arena.h"

#include <string.h>

bool view_init(struct memory_view *view, uint32_t sites, uint32_t log_limit) {
  memset(view, 0, sizeof *view);
  view->site_count = sites;
  view->sites = arena_reserve(sites * sizeof *view->sites);
  return log_init(&view->log, log_limit) && view->sites;
}

void view_destroy(struct memory_view *view) {
  log_destroy(&view->log);
  arena_release(view->sites, view->site_count * sizeof *view->sites);
  arena_release(view->notes, REUSE_IDS * sizeof *view->notes);
}

bool view_split(struct memory_view *view, const struct memory_view *first,
                const struct reuse_stack *stack, uint32_t site) {
  view->notes = arena_reserve(REUSE_IDS * sizeof *view->notes);
  if (!view->notes)
    return false;
  if (site != MEMORY_OUTSIDE)
    view->sites[MEMORY_FIRST] = first->sites[site];
  for (uint32_t i = 0; i < REUSE_TABLE; ++i) {
    const struct reuse_line *line = &stack->table[i];
    const uint32_t writer = line->note.writer;
    if (line->key && writer != MEMORY_OUTSIDE)
      view->notes[line->id].writer = writer == MEMORY_PAUSED ? MEMORY_PAUSED
                                     : writer == site        ? MEMORY_FIRST
                                                             : MEMORY_OUTSIDE;
  }
  log_copy(&view->log, &first->log, site, MEMORY_FIRST);
  return true;
}

uint64_t memory_sampled(const struct memory_site *site, unsigned kind) {
  uint64_t sum = site->cold[kind];
  for (uint32_t bin = 0; bin < BINS; ++bin)
    sum += site->reuse[kind][bin];
  return sum;
}
