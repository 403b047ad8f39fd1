//===- memory_blocks.c - What open tasks have allocated ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_blocks.h"

#include "arena.h"

#include <prophet/memory.h>

#include <stddef.h>
#include <string.h>

enum { PLACES = MEMORY_BLOCKS + 1 };
#define SPACE (UINT64_C(1) << (32 + PROPHET_MEMORY_LINE_SHIFT))

bool blocks_init(struct memory_blocks *b) {
  memset(b, 0, sizeof *b);
  b->blocks = arena_reserve(PLACES * sizeof *b->blocks);
  b->used = 1;
  return b->blocks != NULL;
}

void blocks_destroy(struct memory_blocks *b) {
  arena_release(b->blocks, PLACES * sizeof *b->blocks);
}

/** Higher ones are nearer to the root. */
static uint32_t priority(uint32_t at) {
  at = (at ^ at >> 16) * UINT32_C(0x85EBCA6B);
  at = (at ^ at >> 13) * UINT32_C(0xC2B2AE35);
  return at ^ at >> 16;
}

/** The subtree at `at` becomes those before `address` and the others. */
static void split(struct memory_block *blocks, uint32_t at, uint64_t address, uint32_t *before,
                  uint32_t *behind) {
  while (at) {
    if (blocks[at].address < address) {
      *before = at;
      before = &blocks[at].right;
      at = *before;
    } else {
      *behind = at;
      behind = &blocks[at].left;
      at = *behind;
    }
  }
  *before = *behind = 0;
}

/** All of `before` lies before `behind`. */
static void join(struct memory_block *blocks, uint32_t before, uint32_t behind, uint32_t *link) {
  while (before && behind) {
    if (priority(before) > priority(behind)) {
      *link = before;
      link = &blocks[before].right;
      before = *link;
    } else {
      *link = behind;
      link = &blocks[behind].left;
      behind = *link;
    }
  }
  *link = before ? before : behind;
}

static uint32_t take_place(struct memory_blocks *b) {
  const uint32_t at = b->spare;
  if (at)
    b->spare = b->blocks[at].left;
  return at ? at : b->used < PLACES ? b->used++ : 0;
}

static void remove_at(struct memory_blocks *b, uint32_t *link) {
  const uint32_t at = *link;
  struct memory_block *block = &b->blocks[at];
  join(b->blocks, block->left, block->right, link);
  if (block->older)
    b->blocks[block->older].newer = block->newer;
  if (block->newer)
    b->blocks[block->newer].older = block->older;
  else
    b->newest = block->older;
  block->left = b->spare;
  b->spare = at;
  --b->live;
}

/** Where the tree has the last block that begins before `end`; null: none does. */
static uint32_t *last_before(struct memory_blocks *b, uint64_t end) {
  uint32_t *found = NULL;
  for (uint32_t *link = &b->root; *link;) {
    struct memory_block *block = &b->blocks[*link];
    if (block->address < end)
      found = link;
    link = block->address < end ? &block->right : &block->left;
  }
  return found;
}

void blocks_add(struct memory_blocks *b, uint64_t address, uint64_t size, bool single) {
  address %= SPACE;
  if (!size || size > SPACE - address)
    return;
  for (uint32_t *link; (link = last_before(b, address + size)) &&
                       b->blocks[*link].address + b->blocks[*link].size > address;)
    remove_at(b, link);
  ++b->born;
  const uint32_t at = take_place(b);
  if (!at)
    return;
  struct memory_block *block = &b->blocks[at];
  *block = (struct memory_block){
      .address = address, .size = size, .born = b->born, .older = b->newest, .single = single};
  if (b->newest)
    b->blocks[b->newest].newer = at;
  b->newest = at;
  ++b->live;
  uint32_t *link = &b->root;
  while (*link && priority(*link) > priority(at))
    link = b->blocks[*link].address < address ? &b->blocks[*link].right : &b->blocks[*link].left;
  split(b->blocks, *link, address, &block->left, &block->right);
  *link = at;
}

bool blocks_resize(struct memory_blocks *b, uint64_t address, uint64_t size) {
  address %= SPACE;
  const uint32_t *link = last_before(b, address + 1);
  if (!size || size > SPACE - address || !link || b->blocks[*link].address != address)
    return false;
  struct memory_block *block = &b->blocks[*link];
  for (uint32_t *last; (last = last_before(b, address + size)) && &b->blocks[*last] != block;)
    remove_at(b, last);
  block->size = size;
  return true;
}

void blocks_remove(struct memory_blocks *b, uint64_t address) {
  address %= SPACE;
  uint32_t *link = last_before(b, address + 1);
  if (link && b->blocks[*link].address == address)
    remove_at(b, link);
}

void blocks_forget(struct memory_blocks *b, uint64_t born) {
  if (born) {
    while (blocks_newest(b)->born > born)
      blocks_remove(b, blocks_newest(b)->address);
    return;
  }
  b->root = b->newest = b->spare = 0;
  b->live = 0;
  b->used = 1;
}

struct memory_block *blocks_find(const struct memory_blocks *b, uint64_t address, uint64_t size) {
  address %= SPACE;
  struct memory_block *found = NULL;
  for (uint32_t at = b->root; at;) {
    struct memory_block *block = &b->blocks[at];
    if (block->address < address + size)
      found = block;
    at = block->address < address + size ? block->right : block->left;
  }
  return found && found->address + found->size > address ? found : NULL;
}
