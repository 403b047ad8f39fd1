/* A runtime in place of libprophet-memory: prints how often each line of [REGION, REGION + ROOM)
 * is touched that a fixed threshold lets pass, by kind. SAMPLED_LEVEL is the k of a rate of 1/2^k.
 * With SAMPLED_AHEAD, the table of
 * prophet/memory.h is filled, from its definition, with so much more in each entry. */
#include "region.h"

#include <prophet/memory.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t threshold;
static unsigned long long touches, counted[ROOM / 64][PROPHET_MEMORY_KINDS];
static const struct prophet_memory_unit *the_unit;

/** Is the hash of none of the entry's lines below the threshold, so many lines further up? */
static int is_free(uint32_t entry, uint32_t lines) {
  uint64_t width = UINT64_C(1) << (32 - PROPHET_MEMORY_AHEAD_BITS);
  uint64_t first = (uint32_t)(entry * width + (uint64_t)lines * PROPHET_MEMORY_HASH);
  return first >= threshold && first + width <= UINT64_C(1) << 32;
}

static void add_unit(const struct prophet_memory_unit *unit) {
  the_unit = unit;
  *unit->threshold = threshold;
  const char *more = getenv("SAMPLED_AHEAD");
  for (uint32_t entry = 0; more && entry < PROPHET_MEMORY_AHEAD; ++entry) {
    uint32_t lines = 0;
    while (lines < UINT16_MAX && is_free(entry, lines))
      ++lines;
    unit->ahead[entry] = (unsigned short)(lines + (uint32_t)atoi(more));
  }
}

static void remove_unit(const struct prophet_memory_unit *unit) { *unit->threshold = 0; }

static void count_line(uint64_t line, unsigned kind) {
  if ((uint32_t)line * PROPHET_MEMORY_HASH < threshold && line >= REGION / 64 &&
      line < (REGION + ROOM) / 64)
    ++counted[line - REGION / 64][kind];
}

static void touch(unsigned long long address, const unsigned *group) {
  ++touches;
  for (unsigned i = 0; i < group[0]; ++i) {
    uint64_t from = address + (uint64_t)(int64_t)(int32_t)group[2 * i + 1];
    uint64_t to = from + (group[2 * i + 2] >> 8);
    for (uint64_t line = from / 64; line <= (to - 1) / 64; ++line)
      count_line(line, group[2 * i + 2] % PROPHET_MEMORY_KINDS);
  }
}

static void touch_line(unsigned long long address, unsigned kind) {
  ++touches;
  count_line(address / 64, kind % PROPHET_MEMORY_KINDS);
  if (kind & PROPHET_MEMORY_THEN_WRITE)
    count_line(address / 64, kind % PROPHET_MEMORY_KINDS + 1);
}

static void touch_lanes(const unsigned long long *addresses, unsigned long long mask,
                        const unsigned *group) {
  for (int lane = 0; mask; ++lane, mask >>= 1)
    if (mask & 1)
      count_line(addresses[lane] / 64, group[2] % PROPHET_MEMORY_KINDS);
}

static void range(unsigned long long address, unsigned long long size) { (void)address, (void)size; }
static void region(unsigned change) { (void)change; }
static void reallocated(unsigned long long old, unsigned long long address,
                        unsigned long long size) {
  (void)old, (void)address, (void)size;
}
static void freed(unsigned long long address) { (void)address; }

static void touch_range(unsigned long long address, unsigned long long size, unsigned kind) {
  (void)address, (void)size, (void)kind;
}

__attribute__((constructor)) static void at_start(void) {
  threshold = (uint32_t)(UINT64_C(1) << (32 - atoi(getenv("SAMPLED_LEVEL"))));
}

__attribute__((destructor)) static void at_end(void) {
  for (int kind = 0; kind < PROPHET_MEMORY_KINDS; ++kind)
    printf("accesses of kind %d: %llu\n", kind, the_unit->counts()[kind]);
  for (int line = 0; line < ROOM / 64; ++line)
    for (int kind = 0; kind < PROPHET_MEMORY_KINDS; ++kind)
      if (counted[line][kind])
        printf("line %d kind %d: %llu\n", line, kind, counted[line][kind]);
  fprintf(stderr, "%llu\n", touches);
}

static unsigned section_begin(const char *site) {
  (void)site;
  return 1;
}
static void end(unsigned *handle) { (void)handle; }
static unsigned inside(void) { return 0; }

const struct prophet_memory_api *prophet_memory_get_api(unsigned version) {
  static const struct prophet_memory_api api = {
      {PROPHET_RUNTIME_API_VERSION, sizeof(struct prophet_runtime_api), section_begin, end, inside,
       end, NULL, end, NULL, end, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
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
