//===- reuse_stack.h - Which lines were used since ---------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack distance of an access (Mattson et al. 1970): how many other lines were used since its
// line was. A use takes the next slot of a row and gives up the line's former one, so the distance
// is the number of taken slots behind that; two levels of counts above a bit each find it. When
// the row is full its slots are renumbered.
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
  REUSE_TABLE = 1 << 14,
  REUSE_WORDS = REUSE_SLOTS / 64,
  REUSE_BLOCK = 32, ///< words
  REUSE_BLOCKS = REUSE_WORDS / REUSE_BLOCK,
};
#define REUSE_COLD UINT32_MAX
#define REUSE_CLEAN UINT16_MAX

/** A line that was used. */
struct reuse_line {
  uint64_t key;    ///< its number plus 1; 0: free
  uint32_t slot;   ///< of its last use
  uint16_t clean;  ///< the caller's: REUSE_CLEAN at first
  uint16_t writer; ///< the caller's
  uint32_t logged; ///< the caller's; 0 at first
};

struct reuse_stack {
  struct reuse_line table[REUSE_TABLE]; ///< by hash of the line
  uint64_t taken[REUSE_WORDS];
  uint16_t in_word[REUSE_WORDS], in_block[REUSE_BLOCKS];
  uint16_t holder[REUSE_SLOTS]; ///< of a taken slot: its line in the table
  uint32_t next;                ///< the first slot that is free, as all behind it
  uint32_t lines;
  uint32_t latest; ///< of the line used last: its place in the table
};

static inline uint32_t reuse_hash(uint64_t line) { return (uint32_t)line * PROPHET_MEMORY_HASH; }

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
