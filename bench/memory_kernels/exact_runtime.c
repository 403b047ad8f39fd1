//===- exact_runtime.c - Every line's stack distance -------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A runtime in place of libprophet-memory that leaves no line out: what its estimates are compared
// with. A Fenwick tree over the times of last uses; nothing is shared with the runtime but the ABI.
// It has one site, what runs in sections, and prints to $EXACT_OUT, for caches of 2^8 lines and
// more in steps of a quarter octave: lines, misses, write-backs.
//
//===----------------------------------------------------------------------===//
#include "left_out.h"

#include <prophet/memory.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 1 << 22, TIMES = 1 << 24, SIZES = 50 };

struct line {
  uint64_t key;
  uint32_t time;
  uint32_t clean; ///< caches with fewer lines than that have written it back
  uint8_t dirty;  ///< 2: by the sections
};

static struct line *table;
static uint32_t *tree, *holder, now;
static double size_of[SIZES];
static uint64_t miss_count[SIZES], writebacks[SIZES];
static uint64_t accesses;
static unsigned depth;
static const struct prophet_memory_unit *units[16];
static unsigned unit_count;

static uint64_t counted(void) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < unit_count; ++i)
    for (int kind = 0; kind < PROPHET_MEMORY_KINDS; ++kind)
      sum += units[i]->counts()[kind];
  return sum;
}

static void change(uint32_t at, uint32_t by) {
  for (++at; at <= TIMES; at += at & -at)
    tree[at - 1] += by;
}

/** Uses at times up to `at`. */
static uint32_t up_to(uint32_t at) {
  uint32_t sum = 0;
  for (++at; at; at -= at & -at)
    sum += tree[at - 1];
  return sum;
}

static struct line *find(uint64_t key) {
  uint32_t at = (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 42);
  while (table[at].key && table[at].key != key)
    at = (at + 1) % TABLE;
  return &table[at];
}

/** Times begin anew, in the same order. */
static void renumber(void) {
  static uint32_t *kept;
  kept = kept ? kept : malloc(TIMES * sizeof *kept);
  uint32_t count = 0;
  for (uint32_t i = 0; i < TIMES; ++i)
    if (holder[i] && table[holder[i] - 1].time == i)
      kept[count++] = holder[i];
  memset(tree, 0, TIMES * sizeof *tree);
  memset(holder, 0, TIMES * sizeof *holder);
  for (now = 0; now < count; ++now) {
    holder[now] = kept[now];
    table[kept[now] - 1].time = now;
    change(now, 1);
  }
}

static void write_back(struct line *line, uint32_t distance) {
  for (int i = 0; line->dirty == 2 && i < SIZES; ++i)
    writebacks[i] += size_of[i] > line->clean && size_of[i] <= distance;
  if (distance > line->clean)
    line->clean = distance;
}

static void use(uint64_t number, unsigned kind) {
  if (now == TIMES)
    renumber();
  struct line *line = find(number + 1);
  uint32_t distance = UINT32_MAX;
  if (line->key) {
    distance = up_to(now ? now - 1 : 0) - up_to(line->time);
    change(line->time, -1u);
    holder[line->time] = 0;
    write_back(line, distance);
  }
  for (int i = 0; depth && i < SIZES; ++i)
    miss_count[i] += size_of[i] <= distance;
  line->key = number + 1;
  line->time = now;
  holder[now] = (uint32_t)(line - table) + 1;
  change(now++, 1);
  if (kind % 2) {
    line->dirty = depth ? 2 : 1;
    line->clean = 0;
  }
}

static void touch_lines(uint64_t address, uint64_t size, unsigned kind) {
  for (uint64_t line = address >> 6; size && line <= (address + size - 1) >> 6; ++line)
    use(line, kind);
}

static void touch(unsigned long long address, const unsigned *group) {
  for (unsigned i = 0; i < group[0]; ++i)
    touch_lines(address + (uint64_t)(int64_t)(int)group[2 * i + 1], group[2 * i + 2] >> 8,
                group[2 * i + 2] % PROPHET_MEMORY_KINDS);
}

static void touch_line(unsigned long long address, unsigned kind) {
  use(address >> 6, kind % PROPHET_MEMORY_KINDS);
  if (kind & PROPHET_MEMORY_THEN_WRITE)
    use(address >> 6, kind % PROPHET_MEMORY_KINDS + 1);
}

static void touch_lanes(const unsigned long long *addresses, unsigned long long mask,
                        const unsigned *group) {
  for (; mask; mask &= mask - 1)
    touch_lines(addresses[__builtin_ctzll(mask)], group[2] >> 8, group[2] % PROPHET_MEMORY_KINDS);
}

static void touch_range(unsigned long long address, unsigned long long size, unsigned kind) {
  uint64_t head = prophet_memory_range_head(address, size);
  touch_lines(address, head, kind);
  touch_lines(address + head, size - head, 2 * PROPHET_MEMORY_STREAM + kind % 2);
  accesses += depth ? prophet_memory_lines(address, size) : 0;
}

static unsigned begin(const char *site) {
  (void)site;
  accesses -= depth++ ? 0 : counted();
  return depth;
}
static void end(unsigned *handle) {
  (void)handle;
  accesses += --depth ? 0 : counted();
}
static unsigned inside(void) { return 0; }
static void ignore(unsigned *handle) { (void)handle; }

static void add_unit(const struct prophet_memory_unit *unit) {
  units[unit_count++] = unit;
  *unit->threshold = UINT32_MAX;
}

static void remove_unit(const struct prophet_memory_unit *unit) { *unit->threshold = 0; }

__attribute__((constructor)) static void at_start(void) {
  table = calloc(TABLE, sizeof *table);
  tree = calloc(TIMES, sizeof *tree);
  holder = calloc(TIMES, sizeof *holder);
  size_of[0] = 256;
  for (int i = 1; i < SIZES; ++i)
    size_of[i] = i < 4 ? size_of[i - 1] * 1.189207115002721 : size_of[i - 4] * 2;
}

__attribute__((destructor)) static void at_end(void) {
  const char *name = getenv("EXACT_OUT");
  FILE *out = name ? fopen(name, "w") : NULL;
  if (!out)
    return;
  for (uint32_t i = 0; i < TABLE; ++i)
    if (table[i].key)
      write_back(&table[i], up_to(now - 1) - up_to(table[i].time));
  fprintf(out, "accesses %llu\n", (unsigned long long)accesses);
  for (int i = 0; i < SIZES; ++i)
    fprintf(out, "%.0f %llu %llu\n", size_of[i], (unsigned long long)miss_count[i],
            (unsigned long long)writebacks[i]);
  fclose(out);
}

const struct prophet_memory_api *prophet_memory_get_api(unsigned version) {
  static const struct prophet_memory_api api = {
      {PROPHET_RUNTIME_API_VERSION, sizeof(struct prophet_runtime_api), begin, end, inside, ignore,
       NULL, ignore, NULL, ignore, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
      add_unit,
      remove_unit,
      touch,
      touch_line,
      touch_lanes,
      touch_range,
      range,
      region,
      range,
      reallocated,
      freed};
  return version == PROPHET_MEMORY_API_VERSION ? &api : NULL;
}
