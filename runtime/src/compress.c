//===- compress.c - Run-length and dictionary compression ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compress.h"

#include "arena.h"
#include "outliers.h"

#include <string.h>

/** Bounds on what one look-up costs: pieces that do not repeat must not get dearer with their
 * number. */
enum { CHAIN_LIMIT = 24, CANDIDATE_LIMIT = 6 };
/** Scratch memory of a section that was longer than this is given back. */
enum { DISCARD_BYTES = 1 << 20 };

static uint32_t mix(uint32_t hash, uint64_t value) {
  uint64_t x = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return (uint32_t)(x >> 32) ^ (uint32_t)x;
}

/** Memory ran out: what was to be recorded is lost, and recording ends. */
static uint32_t out_of_memory(struct recorder *r) {
  r->full = true;
  return ITEM_NONE;
}

/** Sum of the differences between tokens[base..] and `item`; stops early above `limit`. */
static uint64_t distance(const struct recorder *r, const struct item *item, uint64_t base,
                         uint64_t limit) {
  const struct cell *cells = r->cells + item->first;
  const uint64_t *lengths = r->lengths + base;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < item->size && sum <= limit; ++i) {
    uint64_t a = lengths[i], b = cells[i].reference;
    sum += a > b ? a - b : b - a;
  }
  return sum;
}

static bool same_shape(const struct recorder *r, const struct item *item, uint64_t base) {
  return item->size == r->token_count - base &&
         memcmp(r->shapes + item->first, r->tokens + base, item->size * sizeof *r->tokens) == 0;
}

/** Does tokens[base..] continue the current run? */
static bool joins_run(struct recorder *r, uint64_t base) {
  if (r->run.count == 0)
    return false;
  const struct item *item = &r->items[r->run.item];
  if (item->size != r->token_count - base)
    return false;
  const uint32_t *shape = r->shapes + item->first, *tokens = r->tokens + base;
  const struct cell *cells = r->cells + item->first;
  const uint64_t *lengths = r->lengths + base;
  uint64_t off = 0, total = 0;
  for (uint32_t i = 0; i < item->size; ++i) {
    if (shape[i] != tokens[i])
      return false;
    uint64_t a = lengths[i], b = cells[i].reference;
    off += a > b ? a - b : b - a;
    total += a;
  }
  return off <= r->run.limit || (total > item->total && outliers_take(r, off));
}

static uint32_t find(const struct recorder *r, enum item_kind kind, uint32_t hash, uint32_t bucket,
                     uint64_t base) {
  int candidates = 0, steps = 0;
  for (uint32_t at = r->buckets[bucket % BUCKETS]; at && steps < CHAIN_LIMIT; ++steps) {
    const struct item *item = &r->items[at - 1];
    at = item->next;
    if (item->hash != hash || item->kind != kind || !same_shape(r, item, base))
      continue;
    uint64_t limit = merging_limit(&r->merging, item->total, item->size);
    if (distance(r, item, base, limit) <= limit)
      return (uint32_t)(item - r->items);
    if (++candidates == CANDIDATE_LIMIT)
      break;
  }
  return ITEM_NONE;
}

static uint32_t add_item(struct recorder *r, struct item item, uint32_t bucket) {
  if (r->item_count == r->limits.items)
    return out_of_memory(r);
  uint32_t id = (uint32_t)r->item_count;
  item.next = r->buckets[bucket % BUCKETS];
  r->items[id] = item;
  // The order matters to whoever writes the tree from a signal handler.
  ++r->item_count;
  r->buckets[bucket % BUCKETS] = id + 1;
  return id;
}

static uint32_t add_tokens(struct recorder *r, enum item_kind kind, uint32_t hash, uint32_t bucket,
                           uint64_t base, uint64_t total) {
  uint64_t size = r->token_count - base;
  if (size > r->limits.cells - r->cell_count)
    return out_of_memory(r);
  struct item item = {.kind = (uint8_t)kind,
                      .hash = hash,
                      .first = (uint32_t)r->cell_count,
                      .size = (uint32_t)size,
                      .total = total};
  for (uint64_t i = 0; i < size; ++i) {
    r->cells[item.first + i] = (struct cell){r->lengths[base + i], 0};
    r->shapes[item.first + i] = r->tokens[base + i];
  }
  r->cell_count += size;
  return add_item(r, item, bucket);
}

/** Where a task or entry is looked up: lengths that may be equal are at most one bucket apart. */
static uint32_t bucket_of(const struct recorder *r, uint32_t hash, uint64_t total) {
  return hash + (r->merging.tolerance_ppm ? merging_bin(&r->merging, total) : 0);
}

void compress_forget(struct recorder *r) {
  for (uint64_t i = 0; i < r->item_count; ++i) {
    const struct item *item = &r->items[i];
    uint32_t bucket =
        item->kind == ITEM_SECTION ? item->hash : bucket_of(r, item->hash, item->total);
    r->buckets[bucket % BUCKETS] = 0;
  }
}

/** The item that stands for tokens[base..] (`total` ticks): an equal one, or a new one. */
static uint32_t find_or_add(struct recorder *r, enum item_kind kind, uint64_t base,
                            uint64_t total) {
  bool exact = r->merging.tolerance_ppm == 0;
  uint32_t hash = (uint32_t)kind;
  for (uint64_t i = base; i < r->token_count; ++i) {
    hash = mix(hash, r->tokens[i]);
    if (exact)
      hash = mix(hash, r->lengths[i]);
  }
  uint32_t bucket = bucket_of(r, hash, total);
  uint32_t item = find(r, kind, hash, bucket, base);
  if (item == ITEM_NONE && !exact)
    item = find(r, kind, hash, bucket - 1, base);
  if (item == ITEM_NONE && !exact)
    item = find(r, kind, hash, bucket + 1, base);
  return item != ITEM_NONE ? item : add_tokens(r, kind, hash, bucket, base, total);
}

static uint64_t total_length(const struct recorder *r, uint64_t base) {
  uint64_t total = 0;
  for (uint64_t i = base; i < r->token_count; ++i)
    total += r->lengths[i];
  return total;
}

static void add_lengths(struct recorder *r, const struct item *item, uint64_t base) {
  for (uint32_t i = 0; i < item->size; ++i)
    r->cells[item->first + i].sum += r->lengths[base + i];
}

/** A task of one token is one U: its sum is kept in the run, where the short way adds to it. */
static bool is_bare(const struct item *item) { return item->size == 1; }

static void start_run(struct recorder *r, uint32_t id) {
  const struct item *item = &r->items[id];
  uint64_t limit = merging_limit(&r->merging, item->total, item->size);
  struct current_run run = {.lo = UINT64_MAX, .limit = limit, .item = id};
  if (is_bare(item)) {
    run.lo = item->total > limit ? item->total - limit : 0;
    run.span = item->total + limit - run.lo;
  }
  r->run = run;
}

void compress_task(struct recorder *r, uint64_t base) {
  uint64_t total = total_length(r, base);
  if (!joins_run(r, base)) {
    r->searched = true;
    uint32_t item = find_or_add(r, ITEM_TASK, base, total);
    compress_flush(r);
    if (item == ITEM_NONE) {
      r->token_count = base;
      r->counters.dropped += 2;
      return;
    }
    start_run(r, item);
  }
  const struct item *item = &r->items[r->run.item];
  if (!is_bare(item))
    add_lengths(r, item, base);
  r->run.sum += total;
  r->run.begin = r->last;
  ++r->run.count;
  r->token_count = base;
}

void compress_bank(struct recorder *r) {
  if (r->run.count)
    r->run.sum += r->last - r->run.begin;
  r->run.begin = r->last;
}

/** The place for a bare task of `length` ticks. */
static struct bare_entry *bare_entry(struct recorder *r, uint64_t length) {
  return &r->bare[(log2_fixed(length) >> 12) % BARE_ENTRIES];
}

void compress_bare_task(struct recorder *r, uint64_t length) {
  struct current_run *run = &r->run;
  const struct bare_entry *entry = bare_entry(r, length);
  bool joins = false;
  if (run->span) { // the run is of bare tasks, and this one is too long or too short for it
    uint64_t reference = r->cells[r->items[run->item].first].reference;
    joins = length > reference && outliers_take(r, length - reference);
  }
  // After something else the run before it often goes on: then it is the same tasks' again, also
  // where another item has room for this length.
  if (!joins && r->before.item && length - r->before.lo <= r->before.span)
    entry = &r->before;
  if (!joins && entry->item && length - entry->lo <= entry->span) {
    const struct bare_entry found = *entry;
    compress_flush(r);
    *run = (struct current_run){
        .lo = found.lo, .span = found.span, .limit = found.limit, .item = found.item - 1};
    joins = true;
  }
  if (joins) {
    run->sum += length;
    run->begin = r->last;
    ++run->count;
    return;
  }
  uint64_t base = r->token_count;
  r->tokens[base] = token_make(TOKEN_U, 0);
  r->lengths[base] = length;
  ++r->token_count;
  compress_task(r, base);
  if (run->count)
    *bare_entry(r, length) = (struct bare_entry){run->lo, run->span, run->limit, run->item + 1};
}

/** Appends `count` executions of `item` to the innermost section's runs. */
static void append(struct recorder *r, uint32_t item, uint64_t count) {
  uint64_t base = r->frames[r->container].runs;
  if (r->run_count > base) {
    struct run *end = &r->runs[r->run_count - 1];
    if (end->item == item && count <= UINT32_MAX - end->count) {
      end->count += (uint32_t)count;
      return;
    }
  }
  for (; count; count -= r->runs[r->run_count - 1].count) {
    if (r->run_count == r->limits.runs) {
      out_of_memory(r);
      return;
    }
    uint32_t part = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    r->runs[r->run_count] = (struct run){item, part};
    ++r->run_count;
  }
}

void compress_flush(struct recorder *r) {
  struct current_run *run = &r->run;
  if (run->count) {
    struct item *item = &r->items[run->item];
    append(r, run->item, run->count);
    outliers_run_ends(r);
    item->count += run->count;
    if (is_bare(item)) {
      r->cells[item->first].sum += run->sum;
      r->before = (struct bare_entry){run->lo, run->span, run->limit, run->item + 1};
    }
    r->counters.tasks += run->count;
  }
  *run = (struct current_run){.lo = UINT64_MAX};
}

void compress_append(struct recorder *r, uint32_t item) {
  compress_flush(r);
  append(r, item, 1);
}

void compress_entry(struct recorder *r, uint64_t base) {
  uint32_t item = find_or_add(r, ITEM_ENTRY, base, total_length(r, base));
  if (item != ITEM_NONE) {
    compress_append(r, item);
    ++r->items[item].count;
    add_lengths(r, &r->items[item], base);
  }
  r->token_count = base;
}

static uint32_t find_section(const struct recorder *r, uint32_t hash, uint32_t site, uint64_t base,
                             uint64_t size) {
  int steps = 0;
  for (uint32_t at = r->buckets[hash % BUCKETS]; at && steps < CHAIN_LIMIT; ++steps) {
    const struct item *item = &r->items[at - 1];
    at = item->next;
    if (item->hash == hash && item->kind == ITEM_SECTION && item->site == site &&
        item->size == size &&
        memcmp(r->kept_runs + item->first, r->runs + base, size * sizeof *r->runs) == 0)
      return (uint32_t)(item - r->items);
  }
  return ITEM_NONE;
}

static uint32_t add_section(struct recorder *r, uint32_t hash, uint32_t site, uint64_t base,
                            uint64_t size) {
  if (size > r->limits.kept_runs - r->kept_run_count)
    return out_of_memory(r);
  struct item item = {.kind = ITEM_SECTION,
                      .hash = hash,
                      .site = site,
                      .first = (uint32_t)r->kept_run_count,
                      .size = (uint32_t)size};
  memcpy(r->kept_runs + item.first, r->runs + base, size * sizeof *r->runs);
  r->kept_run_count += size;
  return add_item(r, item, hash);
}

uint32_t compress_section(struct recorder *r, uint32_t site, uint64_t base) {
  uint64_t size = r->run_count - base;
  r->searched = r->searched || size > FEW_RUNS;
  uint32_t hash = mix(ITEM_SECTION, site);
  for (uint64_t i = base; i < r->run_count; ++i)
    hash = mix(hash, (uint64_t)r->runs[i].item << 32 | r->runs[i].count);
  uint32_t item = find_section(r, hash, site, base, size);
  if (item == ITEM_NONE)
    item = add_section(r, hash, site, base, size);
  if (item != ITEM_NONE)
    ++r->items[item].count;
  r->run_count = base;
  if (size * sizeof *r->runs > DISCARD_BYTES)
    arena_discard(r->runs + base, size * sizeof *r->runs);
  return item;
}
