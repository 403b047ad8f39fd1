//===- reuse_stack.c - Which lines were used since -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "reuse_stack.h"

#include <stddef.h>
#include <string.h>

void reuse_find_ahead(unsigned short ahead[PROPHET_MEMORY_AHEAD], uint32_t threshold) {
  const uint32_t width = UINT32_C(1) << (32 - PROPHET_MEMORY_AHEAD_BITS);
  for (uint32_t i = 0; i < PROPHET_MEMORY_AHEAD; ++i) {
    // The hashes of an entry move together; one may be below where the first is or the last wraps.
    uint32_t lines = 0;
    for (uint32_t first = i * width; first >= threshold && first <= UINT32_MAX - width + 1;
         first += PROPHET_MEMORY_HASH)
      ++lines;
    ahead[i] = (unsigned short)(lines < UINT16_MAX ? lines : UINT16_MAX);
  }
}

/** The line's place in the table, or the free one where it belongs. */
static uint32_t find(const struct reuse_stack *stack, uint64_t key) {
  uint32_t at = reuse_place(key);
  while (stack->table[at].key && stack->table[at].key != key)
    at = (at + 1) % REUSE_TABLE;
  return at;
}

/** Changes the counts of what `slot` is in by one, `sign`. */
static void count(struct reuse_stack *stack, uint32_t slot, uint64_t sign) {
  uint32_t word = slot / 64, block = word / 8, region = block / 8;
  stack->in_words[block] += sign << word % 8 * 8;
  stack->in_blocks[block / 4] += sign << block % 4 * 16;
  stack->in_regions[region / 4] += sign << region % 4 * 16;
}

static void take_slot(struct reuse_stack *stack, uint32_t at) {
  uint32_t slot = stack->next++;
  stack->table[at].slot = slot;
  stack->holder[slot] = (uint16_t)at;
  stack->taken[slot / 64] |= UINT64_C(1) << slot % 64;
  count(stack, slot, 1);
}

static void free_slot(struct reuse_stack *stack, uint32_t slot) {
  stack->taken[slot / 64] &= ~(UINT64_C(1) << slot % 64);
  count(stack, slot, (uint64_t)-1);
}

/** Of eight counts in `pair`, four in each, those behind number `index`, added up in four. */
static uint64_t counts_behind(const uint64_t pair[2], uint32_t index) {
  uint64_t own = pair[index / 4] >> index % 4 * 16 >> 16;
  return own + (index < 4 ? pair[1] : 0);
}

uint32_t reuse_depth(const struct reuse_stack *stack, const struct reuse_line *line) {
  const uint64_t even_bytes = UINT64_C(0x00ff00ff00ff00ff), add_up = UINT64_C(0x0001000100010001);
  uint32_t word = line->slot / 64, block = word / 8, region = block / 8;
  uint64_t slots = stack->taken[word] >> line->slot % 64 >> 1;
  uint64_t words = stack->in_words[block] >> word % 8 * 8 >> 8;
  uint64_t sums = (words & even_bytes) + (words >> 8 & even_bytes);
  sums += counts_behind(&stack->in_blocks[block / 8 * 2], block % 8);
  sums += counts_behind(stack->in_regions, region);
  return (uint32_t)__builtin_popcountll(slots) + (uint32_t)(sums * add_up >> 48);
}

/** Moves the lines to the front of the row, in their order, but for those above `threshold`. */
static void renumber(struct reuse_stack *stack, uint64_t threshold) {
  static struct reuse_line kept[REUSE_IDS];
  uint32_t count = 0;
  for (uint32_t word = 0; word < REUSE_WORDS; ++word)
    for (uint64_t bits = stack->taken[word]; bits; bits &= bits - 1) {
      uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
      const struct reuse_line *line = &stack->table[stack->holder[slot]];
      if (reuse_hash(line->key - 1) < threshold)
        kept[count++] = *line;
      else
        stack->spare[stack->spares++] = line->id;
    }
  memset(stack, 0, offsetof(struct reuse_stack, ids));
  stack->lines = count;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = find(stack, kept[i].key);
    stack->table[at] = kept[i];
    take_slot(stack, at);
    stack->latest = at;
  }
}

void reuse_keep(struct reuse_stack *stack, uint32_t threshold) { renumber(stack, threshold); }

struct reuse_line *reuse_touch(struct reuse_stack *stack, uint64_t line, uint32_t *distance) {
  struct reuse_line *latest = &stack->table[stack->latest];
  if (latest->key == line + 1) {
    *distance = 0;
    return latest;
  }
  if (stack->next == REUSE_SLOTS)
    renumber(stack, UINT64_MAX);
  uint32_t at = find(stack, line + 1);
  struct reuse_line *found = &stack->table[at];
  if (found->key) {
    *distance = reuse_depth(stack, found);
    free_slot(stack, found->slot);
  } else {
    *distance = REUSE_COLD;
    uint32_t id = stack->spares ? stack->spare[--stack->spares] : stack->ids++;
    *found = (struct reuse_line){.key = line + 1, .clean = REUSE_CLEAN, .id = (uint16_t)id};
    ++stack->lines;
  }
  take_slot(stack, at);
  stack->latest = at;
  return found;
}
