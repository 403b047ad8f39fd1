//===- memory_blocks.h - What open tasks have allocated ----------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of the heap that were allocated while tasks were open, by address: a tree that random
// priorities balance (Seidel and Aragon 1996). None overlap: a block that is where an older one was
// takes its place, since that was freed where nobody told. Addresses count modulo the bytes of 2^32
// lines, as lines do in the log.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MEMORY_BLOCKS = 1 << 16 };

struct memory_block {
  uint64_t address, size;
  uint64_t born;         ///< by number of allocations, from 1
  uint32_t left, right;  ///< in the tree; 0: none
  uint32_t older, newer; ///< by `born`; 0: none
  bool seen;             ///< the caller's: false at first
  bool single;           ///< one thread has allocated it for all
};

struct memory_blocks {
  struct memory_block *blocks; ///< from 1 on
  uint64_t born;               ///< how many have been added
  uint32_t live;               ///< that are here
  uint32_t used;               ///< places in `blocks`, of them 0 is none
  uint32_t root, newest;
  uint32_t spare; ///< the first of the places that are free again, by `left`
};

bool blocks_init(struct memory_blocks *b);
void blocks_destroy(struct memory_blocks *b);

/** `single`: as in memory_block. Of more than MEMORY_BLOCKS at a time some are not here. */
void blocks_add(struct memory_blocks *b, uint64_t address, uint64_t size, bool single);
/** The one that begins at `address` gets another size. False where there is none, or no such size.
 */
bool blocks_resize(struct memory_blocks *b, uint64_t address, uint64_t size);
/** The one that begins at `address`, if there is one. */
void blocks_remove(struct memory_blocks *b, uint64_t address);
/** Those that were born after `born`. */
void blocks_forget(struct memory_blocks *b, uint64_t born);

/** The last block that begins before the end of [address, address + size), if it ends behind
 * `address`; else null. */
struct memory_block *blocks_find(const struct memory_blocks *b, uint64_t address, uint64_t size);

/** The newest one, where there is any: of those that are, the first in order of `older`. */
static inline const struct memory_block *blocks_newest(const struct memory_blocks *b) {
  return &b->blocks[b->newest];
}

#ifdef __cplusplus
}
#endif
