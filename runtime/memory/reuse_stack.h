//===- reuse_stack.h - Which lines were used since ---------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack distance of an access (Mattson et al. 1970): how many other lines were used since its
// line was. A use takes the next slot of a row and gives up the line's former one, so the distance
// is the number of taken slots behind that: all but those up to it. How many these are is known for
// the beginnings of regions, of their blocks and of these ones' words; the word has a bit for each
// slot. Beginnings behind a slot that is given up change all at once, without a jump. When the row
// is full its slots are renumbered.
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
  REUSE_WORD = 64, ///< slots
  REUSE_PARTS = 8, ///< of a block, of a region and of the row
  REUSE_BLOCK = REUSE_PARTS * REUSE_WORD,
  REUSE_REGION = REUSE_PARTS * REUSE_BLOCK,
  REUSE_WORDS = REUSE_SLOTS / REUSE_WORD,
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

/** How many taken slots of a whole lie before each of its parts. What lies behind the latest slot
 * is not known yet. */
struct reuse_before {
  uint16_t part[REUSE_PARTS];
} __attribute__((aligned(16)));

struct reuse_stack {
  struct reuse_line table[REUSE_TABLE]; ///< by hash of the line
  struct reuse_before words[REUSE_BLOCKS], blocks[REUSE_REGIONS], regions;
  uint64_t taken[REUSE_WORDS];
  uint16_t holder[REUSE_SLOTS]; ///< of a taken slot: its line in the table
  uint32_t next;                ///< the first slot that is free, as all behind it
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

/** A slot of the part is given up, which is before all later ones. */
static inline void reuse_give_up(struct reuse_before *before, uint32_t part) {
  typedef uint16_t counts __attribute__((vector_size(16), may_alias));
  static const struct reuse_before later[REUSE_PARTS] = {
      {{0, 1, 1, 1, 1, 1, 1, 1}}, {{0, 0, 1, 1, 1, 1, 1, 1}}, {{0, 0, 0, 1, 1, 1, 1, 1}},
      {{0, 0, 0, 0, 1, 1, 1, 1}}, {{0, 0, 0, 0, 0, 1, 1, 1}}, {{0, 0, 0, 0, 0, 0, 1, 1}},
      {{0, 0, 0, 0, 0, 0, 0, 1}}, {{0, 0, 0, 0, 0, 0, 0, 0}}};
  *(counts *)before -= *(const counts *)&later[part];
}

static inline void reuse_free_slot(struct reuse_stack *stack, uint32_t slot) {
  const uint32_t word = slot / REUSE_WORD, block = slot / REUSE_BLOCK, region = slot / REUSE_REGION;
  stack->taken[word] &= ~(UINT64_C(1) << slot % REUSE_WORD);
  reuse_give_up(&stack->words[block], word % REUSE_PARTS);
  reuse_give_up(&stack->blocks[region], block % REUSE_PARTS);
  reuse_give_up(&stack->regions, region);
}

/** `slot`, a word's first, is the next one; `before` are taken. */
static inline void reuse_begin_word(struct reuse_stack *stack, uint32_t slot, uint32_t before) {
  const uint32_t word = slot / REUSE_WORD, block = slot / REUSE_BLOCK, region = slot / REUSE_REGION;
  if (slot % REUSE_REGION == 0)
    stack->regions.part[region] = (uint16_t)before;
  before -= stack->regions.part[region];
  if (slot % REUSE_BLOCK == 0)
    stack->blocks[region].part[block % REUSE_PARTS] = (uint16_t)before;
  before -= stack->blocks[region].part[block % REUSE_PARTS];
  stack->words[block].part[word % REUSE_PARTS] = (uint16_t)before;
}

/** The line at a place of the table takes the next slot. \pre there is one, and all other lines
 * have theirs. */
static inline void reuse_take_slot(struct reuse_stack *stack, uint32_t at) {
  uint32_t slot = stack->next++;
  if (__builtin_expect(slot % REUSE_WORD == 0, 0))
    reuse_begin_word(stack, slot, stack->lines - 1);
  stack->table[at].slot = slot;
  stack->holder[slot] = (uint16_t)at;
  stack->taken[slot / REUSE_WORD] |= UINT64_C(1) << slot % REUSE_WORD;
}

/** How many lines have been used since `line` was. */
static inline __attribute__((always_inline)) uint32_t reuse_depth(const struct reuse_stack *stack,
                                                                  const struct reuse_line *line) {
  const uint32_t slot = line->slot, word = slot / REUSE_WORD, block = slot / REUSE_BLOCK;
  const uint32_t region = slot / REUSE_REGION;
  const uint32_t before = stack->regions.part[region] +
                          stack->blocks[region].part[block % REUSE_PARTS] +
                          stack->words[block].part[word % REUSE_PARTS];
  const uint64_t up_to = stack->taken[word] << (REUSE_WORD - 1 - slot % REUSE_WORD);
  return stack->lines - before - (uint32_t)__builtin_popcountll(up_to);
}

/** Gives the lines the first slots, in order. */
void reuse_renumber(struct reuse_stack *stack);
/** The same, and drops those whose hash is not below `threshold`. */
void reuse_keep(struct reuse_stack *stack, uint32_t threshold);
/** Adds the line of a key to a free place of the table. */
void reuse_add(struct reuse_stack *stack, uint32_t at, uint64_t key);

/** Uses `line`. `*distance`: lines used since it was, or REUSE_COLD at its first use.
 * \pre stack->lines <= REUSE_LINES */
static inline __attribute__((always_inline)) struct reuse_line *
reuse_touch(struct reuse_stack *stack, uint64_t line, uint32_t *distance) {
  const uint64_t key = line + 1;
  if (__builtin_expect(stack->next == REUSE_SLOTS, 0))
    reuse_renumber(stack);
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
