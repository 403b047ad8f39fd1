//===- lock_ids.h - Locks that are known by a value -------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LOCK_BEGIN's argument is a value, of a variable or an address, and how it was
// written. Each value is a lock of its own, called what was written where it was seen
// first; a string literal is its lock's name.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "names.h"

struct lock_slot {
  uint64_t key;
  uint32_t id;  ///< plus 1; 0 = free
  bool literal; ///< `key` is the address of the literal's text
};

struct lock_ids {
  struct lock_slot *slots; ///< NAME_SLOTS
  uint32_t used;
};

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares an empty table. False where the address space does not suffice. */
bool lock_ids_init(struct lock_ids *ids);
void lock_ids_destroy(struct lock_ids *ids);
void lock_ids_clear(struct lock_ids *ids);

/** The number in `names` of the lock `value`, written `text`; NAME_NONE when a table is full. */
uint32_t lock_ids_find(struct lock_ids *ids, struct name_table *names, const char *text,
                       uint64_t value);

#ifdef __cplusplus
}
#endif
