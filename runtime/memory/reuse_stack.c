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

void reuse_renumber(struct reuse_stack *stack) {
  uint32_t count = 0;
  for (uint32_t word = 0; word < REUSE_WORDS; ++word) {
    uint64_t bits = stack->taken[word];
    stack->taken[word] = 0;
    for (; bits; bits &= bits - 1) {
      const uint16_t at = stack->holder[word * REUSE_WORD + (uint32_t)__builtin_ctzll(bits)];
      stack->table[at].slot = count;
      stack->holder[count++] = at;
    }
  }
  stack->next = count;
  for (uint32_t slot = 0; slot < count; slot += REUSE_WORD) {
    const uint32_t here = count - slot < REUSE_WORD ? count - slot : REUSE_WORD;
    reuse_begin_word(stack, slot, slot);
    stack->taken[slot / REUSE_WORD] = UINT64_MAX >> (REUSE_WORD - here);
  }
}

void reuse_keep(struct reuse_stack *stack, uint32_t threshold) {
  static struct reuse_line kept[REUSE_IDS];
  uint32_t count = 0;
  for (uint32_t word = 0; word < REUSE_WORDS; ++word)
    for (uint64_t bits = stack->taken[word]; bits; bits &= bits - 1) {
      uint32_t slot = word * REUSE_WORD + (uint32_t)__builtin_ctzll(bits);
      const struct reuse_line *line = &stack->table[stack->holder[slot]];
      if (reuse_hash(line->key - 1) < threshold)
        kept[count++] = *line;
      else
        stack->spare[stack->spares++] = line->id;
    }
  memset(stack, 0, offsetof(struct reuse_stack, ids));
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = reuse_find(stack, kept[i].key);
    stack->table[at] = kept[i];
    ++stack->lines;
    reuse_take_slot(stack, at);
  }
}

void reuse_add(struct reuse_stack *stack, uint32_t at, uint64_t key) {
  uint32_t id = stack->spares ? stack->spare[--stack->spares] : stack->ids++;
  stack->table[at] = (struct reuse_line){.key = key, .clean = REUSE_CLEAN, .id = (uint16_t)id};
  ++stack->lines;
}
