//===- reuse_stack.h - Which lines were used since ---------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack distance of an access (Mattson et al. 1970): how many other lines were used since its
// line was. A use takes the next slot of a row and gives up the line's former one, so the distance
// is the number of taken slots behind that. Three levels of counts above a bit each find it,
// several counts to an integer, so that it takes no loop. When the row is full its slots are
// renumbered.
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
  REUSE_WORDS = REUSE_SLOTS / 64,
  REUSE_BLOCKS = REUSE_WORDS / 8,
  REUSE_REGIONS = REUSE_BLOCKS / 8,
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
  uint64_t in_words[REUSE_BLOCKS];        ///< taken slots of a block's 8 words, in a byte each
  uint64_t in_blocks[REUSE_BLOCKS / 4];   ///< of 4 blocks, in 16 bits each
  uint64_t in_regions[REUSE_REGIONS / 4]; ///< of 4 times 8 blocks
  uint16_t holder[REUSE_SLOTS];           ///< of a taken slot: its line in the table
  uint32_t next;                          ///< the first slot that is free, as all behind it
  uint32_t lines;
  uint32_t latest; ///< of the line used last: its place in the table
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

/** Uses `line`. `*distance`: lines used since it was, or REUSE_COLD at its first use.
 * \pre stack->lines <= REUSE_LINES */
struct reuse_line *reuse_touch(struct reuse_stack *stack, uint64_t line, uint32_t *distance);

/** How many lines have been used since `line` was. */
uint32_t reuse_depth(const struct reuse_stack *stack, const struct reuse_line *line);

/** Drops the lines whose hash is not below `threshold`. */
void reuse_keep(struct reuse_stack *stack, uint32_t threshold);

#ifdef __cplusplus
}
#endif
