//===- lock_ids.c - Locks that are known by a value ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lock_ids.h"

#include "arena.h"

#include <stdio.h>

/** Longer names are cut. */
enum { NAME_SIZE = 256 };

bool lock_ids_init(struct lock_ids *ids) {
  *ids = (struct lock_ids){arena_reserve(NAME_SLOTS * sizeof *ids->slots), 0};
  return ids->slots != NULL;
}

void lock_ids_destroy(struct lock_ids *ids) {
  arena_release(ids->slots, NAME_SLOTS * sizeof *ids->slots);
  *ids = (struct lock_ids){0};
}

void lock_ids_clear(struct lock_ids *ids) {
  arena_discard(ids->slots, NAME_SLOTS * sizeof *ids->slots);
  ids->used = 0;
}

static bool is_literal(const char *text) { return *text == '"'; }

/** Copies a literal's text without its quotes and without backslashes before such. */
static void unquote(char name[NAME_SIZE], const char *text) {
  size_t size = 0;
  for (++text; *text && *text != '"' && size + 1 < NAME_SIZE; ++text) {
    if (*text == '\\' && (text[1] == '"' || text[1] == '\\'))
      ++text;
    name[size++] = *text;
  }
  name[size] = 0;
}

/** What the lock that was written `text` is called: unlike any that there is. */
static void make_name(char name[NAME_SIZE], const struct name_table *names, const char *text,
                      uint32_t ordinal) {
  const char *prefix = *text >= '0' && *text <= '9' ? "lock " : "";
  snprintf(name, NAME_SIZE, "%s%.200s", prefix, text);
  if (names_find(names, name) != NAME_NONE)
    snprintf(name, NAME_SIZE, "%s%.200s #%u", prefix, text, ordinal);
}

uint32_t lock_ids_find(struct lock_ids *ids, struct name_table *names, const char *text,
                       uint64_t value) {
  bool literal = is_literal(text);
  uint64_t key = literal ? (uintptr_t)text : value;
  uint32_t at = names_slot((const char *)(uintptr_t)key);
  while (ids->slots[at].id && (ids->slots[at].key != key || ids->slots[at].literal != literal))
    at = (at + 1) % NAME_SLOTS;
  struct lock_slot *slot = &ids->slots[at];
  if (slot->id)
    return slot->id - 1;
  if (ids->used == NAME_SLOTS / 4 * 3) // a quarter stays free, so that probing ends
    return NAME_NONE;
  char name[NAME_SIZE];
  if (literal)
    unquote(name, text);
  else
    make_name(name, names, text, ids->used + 1);
  uint32_t id = names_keep(names, name);
  if (id != NAME_NONE) {
    *slot = (struct lock_slot){key, id + 1, literal};
    ++ids->used;
  }
  return id;
}
