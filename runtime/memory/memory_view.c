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
  view->lines = arena_reserve(REUSE_IDS * sizeof *view->lines);
  return log_init(&view->log, log_limit) && view->sites && view->lines;
}

void view_destroy(struct memory_view *view) {
  log_destroy(&view->log);
  arena_release(view->sites, view->site_count * sizeof *view->sites);
  arena_release(view->lines, REUSE_IDS * sizeof *view->lines);
}

void view_split(struct memory_view *view, const struct memory_view *all, uint32_t site) {
  if (site != MEMORY_OUTSIDE)
    view->sites[MEMORY_FIRST] = all->sites[site];
  for (uint32_t id = 0; id < REUSE_IDS; ++id) {
    uint32_t writer = all->lines[id].writer;
    bool is_its = site != MEMORY_OUTSIDE && writer == site;
    view->lines[id].writer = is_its                    ? MEMORY_FIRST
                             : writer == MEMORY_PAUSED ? MEMORY_PAUSED
                                                       : MEMORY_OUTSIDE;
  }
  log_copy(&view->log, &all->log, site, MEMORY_FIRST);
}

void view_write_back(struct memory_view *view, uint32_t id, uint32_t from, uint32_t to,
                     int64_t weight) {
  struct memory_site *writer = &view->sites[view->lines[id].writer];
  writer->writebacks[to] += weight;
  if (from)
    writer->writebacks[from] -= weight;
}

void view_use(struct memory_view *view, const struct memory_use *use) {
  struct memory_site *site = &view->sites[view->site_then];
  struct memory_view_line *line = &view->lines[use->id];
  if (use->distance == LOG_COLD) {
    memset(line, 0, sizeof *line);
    site->cold[use->kind] += use->weight;
  } else {
    site->reuse[use->kind][bin_of(use->distance)] += use->weight;
  }
  if (use->to_clean)
    view_write_back(view, use->id, use->clean, use->to_clean, (int64_t)use->weight);
  if (view->site_then != MEMORY_PAUSED)
    log_reference(&view->log, use->line, use->last, use->distance, &line->logged);
  if (use->last != use->kind)
    site->reuse[use->last][0] += use->weight;
  if (use->last % 2)
    line->writer = (uint16_t)view->site_then;
}

uint64_t memory_sampled(const struct memory_site *site, unsigned kind) {
  uint64_t sum = site->cold[kind];
  for (uint32_t bin = 0; bin < BINS; ++bin)
    sum += site->reuse[kind][bin];
  return sum;
}
