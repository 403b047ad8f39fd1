//===- names.h - Strings to small numbers ------------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sites and locks arrive as string pointers. The first sight of a pointer compares
// contents (two pointers may hold one text); later sights cost one probe.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { NAME_LIMIT = 1 << 15, NAME_SLOTS = 1 << 16, NAME_BYTES = 1 << 22 };
#define NAME_NONE UINT32_MAX

struct name_slot {
  const char *text; ///< null: free
  uint32_t id;
};

struct name_table {
  struct name_slot *slots; ///< NAME_SLOTS, by pointer
  uint32_t *by_text;       ///< NAME_SLOTS, by hash of the text: its number plus 1; 0: free
  const char **texts;      ///< NAME_LIMIT, by number: copies
  char *bytes;             ///< NAME_BYTES, the copies
  uint32_t count;
  uint32_t used;   ///< slots
  uint32_t filled; ///< bytes
};

/** Prepares an empty table. False where the address space does not suffice. */
bool names_init(struct name_table *names);
void names_destroy(struct name_table *names);
/** Forgets all names. */
void names_clear(struct name_table *names);

/** The number of `text`; NAME_NONE where it has none. */
uint32_t names_find(const struct name_table *names, const char *text);
/** The number of `text`, adding it if it has none, without remembering its address. */
uint32_t names_keep(struct name_table *names, const char *text);

/** The number of `text`, adding it at the first sight; NAME_NONE when the table is full. */
uint32_t names_add(struct name_table *names, const char *text);

static inline uint32_t names_slot(const char *text) {
  return (uint32_t)(((uintptr_t)text * UINT64_C(0x9E3779B97F4A7C15)) >> 48);
}

/** Does `slot` say what `text` is? A library that was unloaded leaves its addresses to others. */
static inline bool names_match(const struct name_table *names, const struct name_slot *slot,
                               const char *text) {
  return slot->text == text && strcmp(names->texts[slot->id], text) == 0;
}

/** As names_add, for a pointer that has most likely been seen. */
static inline uint32_t names_id(struct name_table *names, const char *text) {
  const struct name_slot *slot = &names->slots[names_slot(text)];
  return names_match(names, slot, text) ? slot->id : names_add(names, text);
}
