//===- storage.c - The recorder's memory, its start and its end ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "arena.h"
#include "compress.h"

/** The arenas at full size; a small address space gets 1/2, 1/4, ... of it. */
static const struct recorder_limits FULL_SIZE = {
    .frames = UINT64_C(1) << 24,
    .tokens = UINT64_C(1) << 31,
    .runs = UINT64_C(1) << 32,
    .items = UINT64_C(1) << 29,
    .cells = UINT64_C(1) << 32,
    .kept_runs = UINT64_C(1) << 32,
};
/** The last part of every arena is kept for closing what is open: 1 / CLOSING_SHARE of it. */
enum { HALVINGS = 16, CLOSING_SHARE = 64 };
/** Of every arena so much has pages from the start. */
enum { WARM_BYTES = 1 << 16 };

static struct recorder_limits capacity(unsigned halvings) {
  struct recorder_limits size = FULL_SIZE;
  size.frames >>= halvings;
  size.tokens >>= halvings;
  size.runs >>= halvings;
  size.items >>= halvings;
  size.cells >>= halvings;
  size.kept_runs >>= halvings;
  return size;
}

static void release(struct recorder *r, struct recorder_limits size) {
  arena_release(r->frames, size.frames * sizeof *r->frames);
  arena_release(r->tokens, size.tokens * sizeof *r->tokens);
  arena_release(r->lengths, size.tokens * sizeof *r->lengths);
  arena_release(r->runs, size.runs * sizeof *r->runs);
  arena_release(r->items, size.items * sizeof *r->items);
  arena_release(r->cells, size.cells * sizeof *r->cells);
  arena_release(r->shapes, size.cells * sizeof *r->shapes);
  arena_release(r->kept_runs, size.kept_runs * sizeof *r->kept_runs);
  arena_release(r->buckets, BUCKETS * sizeof *r->buckets);
  names_destroy(&r->sites);
  names_destroy(&r->locks);
  lock_ids_destroy(&r->lock_ids);
}

static bool reserve(struct recorder *r, struct recorder_limits size) {
  *r = (struct recorder){.state = STATE_OFF};
  r->frames = arena_reserve(size.frames * sizeof *r->frames);
  r->tokens = arena_reserve(size.tokens * sizeof *r->tokens);
  r->lengths = arena_reserve(size.tokens * sizeof *r->lengths);
  r->runs = arena_reserve(size.runs * sizeof *r->runs);
  r->items = arena_reserve(size.items * sizeof *r->items);
  r->cells = arena_reserve(size.cells * sizeof *r->cells);
  r->shapes = arena_reserve(size.cells * sizeof *r->shapes);
  r->kept_runs = arena_reserve(size.kept_runs * sizeof *r->kept_runs);
  r->buckets = arena_reserve(BUCKETS * sizeof *r->buckets);
  bool names = names_init(&r->sites) && names_init(&r->locks) && lock_ids_init(&r->lock_ids);
  if (names && r->frames && r->tokens && r->lengths && r->runs && r->items && r->cells &&
      r->shapes && r->kept_runs && r->buckets)
    return true;
  release(r, size);
  return false;
}

static void keep_back(struct recorder_limits *limits) {
  limits->frames -= limits->frames / CLOSING_SHARE;
  limits->tokens -= limits->tokens / CLOSING_SHARE;
  limits->runs -= limits->runs / CLOSING_SHARE;
  limits->items -= limits->items / CLOSING_SHARE;
  limits->cells -= limits->cells / CLOSING_SHARE;
  limits->kept_runs -= limits->kept_runs / CLOSING_SHARE;
}

/** Has the kernel provide the first pages now rather than in the middle of an event. */
static void warm(struct recorder *r) {
  void *const arenas[] = {r->frames, r->tokens, r->lengths, r->runs,
                          r->items,  r->cells,  r->shapes,  r->kept_runs};
  for (unsigned i = 0; i < sizeof arenas / sizeof *arenas; ++i)
    arena_warm(arenas[i], WARM_BYTES);
}

static void start(struct recorder *r, uint64_t ticks) {
  r->limits = capacity(r->halvings);
  keep_back(&r->limits);
  r->run.lo = UINT64_MAX;
  r->last = ticks;
  r->frames[0] = (struct frame){.kind = FRAME_ROOT, .begin = ticks};
  r->depth = 1;
  r->state = STATE_INSIDE;
}

bool recorder_init(struct recorder *r, uint32_t tolerance_ppm, uint64_t ticks) {
  unsigned halvings = 0;
  while (!reserve(r, capacity(halvings)))
    if (++halvings > HALVINGS)
      return false;
  // Where the address space is scarce the program needs some of it: a quarter of what there was.
  if (halvings) {
    release(r, capacity(halvings));
    halvings += 2;
    if (!reserve(r, capacity(halvings)))
      return false;
  }
  r->halvings = halvings;
  r->merging = merging_make(tolerance_ppm, 1);
  warm(r);
  start(r, ticks);
  return true;
}

void recorder_restart(struct recorder *r, struct overhead_table overhead, uint64_t noise,
                      uint64_t ticks) {
  struct recorder fresh = {.state = STATE_OFF,
                           .no_short_way = r->no_short_way,
                           .halvings = r->halvings,
                           .frames = r->frames,
                           .tokens = r->tokens,
                           .lengths = r->lengths,
                           .runs = r->runs,
                           .items = r->items,
                           .cells = r->cells,
                           .shapes = r->shapes,
                           .kept_runs = r->kept_runs,
                           .buckets = r->buckets,
                           .sites = r->sites,
                           .locks = r->locks,
                           .lock_ids = r->lock_ids,
                           .merging = merging_make(r->merging.tolerance_ppm, noise),
                           .overhead = overhead};
  names_clear(&fresh.sites);
  names_clear(&fresh.locks);
  lock_ids_clear(&fresh.lock_ids);
  compress_forget(r);
  *r = fresh;
  start(r, ticks);
}

void recorder_destroy(struct recorder *r) {
  release(r, capacity(r->halvings));
  *r = (struct recorder){.state = STATE_OFF};
}

struct recorder_limits recorder_capacity(const struct recorder *r) { return capacity(r->halvings); }
