//===- reuse_stack.h - Which lines were used since ---------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack distance of an access (Mattson et al. 1970): how many other lines were used since its
// line was. A use takes the next slot of a row and gives up the line's former one, so the distance
// is the number of taken slots behind that. Three levels of counts above a bit each find it: those
// of the regions and blocks behind, which are few for most lines, one by one, those of words and
// the bits all at once. When the row is full its slots are renumbered.
//
// Which lines are here is the caller's sample (SHARDS, Waldspurger et al. 2015).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <prophet/memory.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  REUSE_LINES = 8192, ///< more are dropped by the caller, who halves the sample
  REUSE_SLOTS = 1 << 15,
  REUSE_IDS = REUSE_LINES + 1,
  REUSE_TABLE = 1 << 14,
  REUSE_BLOCK = 8 * 64,           ///< slots
  REUSE_REGION = 8 * REUSE_BLOCK, ///< slots
  REUSE_WORDS = REUSE_SLOTS / 64,
  REUSE_BLOCKS = REUSE_SLOTS / REUSE_BLOCK,
  REUSE_REGIONS = REUSE_SLOTS / REUSE_REGION,
};
#define REUSE_COLD UINT32_MAX
#define REUSE_CLEAN UINT16_MAX

/** What the caller notes of a line, 0 at first. */
struct reuse_note {
  uint32_t logged;
  uint16_t writer;
};

/** A line that was used. */
struct reuse_line {
  uint64_t key;   ///< its number plus 1; 0: free
  uint32_t slot;  ///< of its last use
  uint16_t clean; ///< the caller's: REUSE_CLEAN at first
  uint16_t id;    ///< below REUSE_IDS, its own while it is here: for more notes
  struct reuse_note note;
};

struct reuse_stack {
  struct reuse_line table[REUSE_TABLE]; ///< by hash of the line
  uint64_t taken[REUSE_WORDS];
  uint64_t in_words[REUSE_BLOCKS];    ///< taken slots of a block's 8 words, in a byte each
  uint16_t in_blocks[REUSE_BLOCKS];   ///< of 8 words
  uint16_t in_regions[REUSE_REGIONS]; ///< of 8 blocks
  uint16_t holder[REUSE_SLOTS];       ///< of a taken slot: its line in the table
  uint32_t next;                      ///< the first slot that is free, as all behind it
  uint32_t lines;
  /* Behind are numbers of lines, which keep them when slots are renumbered. */
  uint32_t ids;    ///< given so far
  uint32_t spares; ///< of lines that were dropped
  uint16_t spare[REUSE_IDS];
};

static inline uint32_t reuse_hash(uint64_t line) { return (uint32_t)line * PROPHET_MEMORY_HASH; }

/**
 * By the highest bits of a line's hash, a lower bound of how many lines from that one on, upwards,
 * have no hash below `threshold` (prophet/memory.h). Hashes of lines in a row are a golden ratio
 * apart, so that few of one entry differ.
 */
void reuse_find_ahead(unsigned short ahead[PROPHET_MEMORY_AHEAD], uint32_t threshold);

/** Where in the table a line is looked for first. */
static inline uint32_t reuse_place(uint64_t key) {
  return (uint32_t)((key * UINT64_C(0xD1B54A32D192ED03)) >> 50);
}

/** `line` is going to be used soon. */
static inline void reuse_prefetch(const struct reuse_stack *stack, uint64_t line) {
  __builtin_prefetch(&stack->table[reuse_place(line + 1)], 1);
}

/** The line's place in the table, or the free one where it belongs. `key`: as in reuse_line. */
static inline uint32_t reuse_find(const struct reuse_stack *stack, uint64_t key) {
  uint32_t at = reuse_place(key);
  while (stack->table[at].key && stack->table[at].key != key)
    at = (at + 1) % REUSE_TABLE;
  return at;
}

/** Changes the counts of what `slot` is in by one, `sign`. Words' are stored as they are loaded
 * for the next line, which would have to wait for anything smaller to be in the cache. */
static inline void reuse_count(struct reuse_stack *stack, uint32_t slot, int sign) {
  const uint32_t block = slot / REUSE_BLOCK, region = slot / REUSE_REGION;
  stack->in_words[block] += (uint64_t)(int64_t)sign << slot / 64 % 8 * 8;
  stack->in_blocks[block] = (uint16_t)(stack->in_blocks[block] + sign);
  stack->in_regions[region] = (uint16_t)(stack->in_regions[region] + sign);
}

/** The line at a place of the table takes the next slot. \pre there is one. */
static inline void reuse_take_slot(struct reuse_stack *stack, uint32_t at) {
  uint32_t slot = stack->next++;
  stack->table[at].slot = slot;
  stack->holder[slot] = (uint16_t)at;
  stack->taken[slot / 64] |= UINT64_C(1) << slot % 64;
  reuse_count(stack, slot, 1);
}

static inline void reuse_free_slot(struct reuse_stack *stack, uint32_t slot) {
  stack->taken[slot / 64] &= ~(UINT64_C(1) << slot % 64);
  reuse_count(stack, slot, -1);
}

/** How many lines have been used since `line` was. */
static inline uint32_t reuse_depth(const struct reuse_stack *stack, const struct reuse_line *line) {
  const uint32_t last = stack->next - 1;
  uint32_t word = line->slot / 64, block = word / 8, region = block / 8, depth = 0;
  // Most regions and blocks behind are none. What is there was counted right before, so that to
  // load several counts at once would wait until these are in the cache.
  const uint32_t last_region = last / REUSE_REGION;
  for (uint32_t r = last_region; r > region; --r)
    depth += stack->in_regions[r];
  for (uint32_t b = last_region > region ? region * 8 + 7 : last / REUSE_BLOCK; b > block; --b)
    depth += stack->in_blocks[b];
  // Bits, in bytes, are added to words' counts, in bytes.
  uint64_t bits = stack->taken[word] >> line->slot % 64 >> 1;
  bits -= bits >> 1 & UINT64_C(0x5555555555555555);
  bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
  bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  bits += stack->in_words[block] >> word % 8 * 8 >> 8;
  const uint64_t even_bytes = UINT64_C(0x00ff00ff00ff00ff);
  const uint64_t sums = (bits & even_bytes) + (bits >> 8 & even_bytes);
  return depth + (uint32_t)(sums * UINT64_C(0x0001000100010001) >> 48);
}

/** Drops the lines whose hash is not below `threshold`, and renumbers the slots of the others. */
void reuse_keep(struct reuse_stack *stack, uint32_t threshold);
/** Adds the line of a key to a free place of the table. */
void reuse_add(struct reuse_stack *stack, uint32_t at, uint64_t key);

/** Uses `line`. `*distance`: lines used since it was, or REUSE_COLD at its first use.
 * \pre stack->lines <= REUSE_LINES */
static inline struct reuse_line *reuse_touch(struct reuse_stack *stack, uint64_t line,
                                             uint32_t *distance) {
  const uint64_t key = line + 1;
  if (__builtin_expect(stack->next == REUSE_SLOTS, 0))
    reuse_keep(stack, UINT32_MAX); // which no line's hash is that was ever used
  uint32_t at = reuse_find(stack, key);
  struct reuse_line *found = &stack->table[at];
  if (__builtin_expect(found->key == 0, 0)) {
    *distance = REUSE_COLD;
    reuse_add(stack, at, key);
  } else if (found->slot + 1 == stack->next) { // it was used last
    *distance = 0;
    return found;
  } else {
    *distance = reuse_depth(stack, found);
    reuse_free_slot(stack, found->slot);
  }
  reuse_take_slot(stack, at);
  return found;
}

#ifdef __cplusplus
}
#endif
