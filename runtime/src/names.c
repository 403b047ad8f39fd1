//===- names.c - Strings to small numbers --------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "names.h"

#include "arena.h"

bool names_init(struct name_table *names) {
  *names = (struct name_table){0};
  names->slots = arena_reserve(NAME_SLOTS * sizeof *names->slots);
  names->texts = arena_reserve(NAME_LIMIT * sizeof *names->texts);
  names->bytes = arena_reserve(NAME_BYTES);
  names->by_text = arena_reserve(NAME_SLOTS * sizeof *names->by_text);
  return names->slots && names->by_text && names->texts && names->bytes;
}

void names_destroy(struct name_table *names) {
  arena_release(names->slots, NAME_SLOTS * sizeof *names->slots);
  arena_release(names->by_text, NAME_SLOTS * sizeof *names->by_text);
  arena_release(names->texts, NAME_LIMIT * sizeof *names->texts);
  arena_release(names->bytes, NAME_BYTES);
  *names = (struct name_table){0};
}

void names_clear(struct name_table *names) {
  arena_discard(names->slots, NAME_SLOTS * sizeof *names->slots);
  arena_discard(names->by_text, NAME_SLOTS * sizeof *names->by_text);
  names->count = names->used = names->filled = 0;
}

/** Where `text` is, or would be, in `by_text`. Half of it stays free. */
static uint32_t text_slot(const struct name_table *names, const char *text) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325); // FNV-1a
  for (const char *c = text; *c; ++c)
    hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
  uint32_t at = (uint32_t)(hash ^ hash >> 32) % NAME_SLOTS;
  while (names->by_text[at] && strcmp(names->texts[names->by_text[at] - 1], text) != 0)
    at = (at + 1) % NAME_SLOTS;
  return at;
}

uint32_t names_find(const struct name_table *names, const char *text) {
  uint32_t found = names->by_text[text_slot(names, text)];
  return found ? found - 1 : NAME_NONE;
}

/** Keeps a copy: the library that `text` is in may be unloaded before the tree is written. */
static uint32_t add_text(struct name_table *names, const char *text) {
  size_t size = strlen(text) + 1;
  if (names->count == NAME_LIMIT || size > NAME_BYTES - names->filled)
    return NAME_NONE;
  char *copy = names->bytes + names->filled;
  memcpy(copy, text, size);
  names->filled += (uint32_t)size;
  names->by_text[text_slot(names, text)] = names->count + 1;
  names->texts[names->count] = copy;
  return names->count++;
}

uint32_t names_keep(struct name_table *names, const char *text) {
  uint32_t id = names_find(names, text);
  return id != NAME_NONE ? id : add_text(names, text);
}

uint32_t names_add(struct name_table *names, const char *text) {
  uint32_t at = names_slot(text);
  while (names->slots[at].text && names->slots[at].text != text)
    at = (at + 1) % NAME_SLOTS;
  struct name_slot *slot = &names->slots[at];
  if (names_match(names, slot, text))
    return slot->id;
  uint32_t id = names_keep(names, text);
  if (id == NAME_NONE)
    return NAME_NONE;
  // A quarter of the slots stays free, so that probing ends; a pointer left out is found by text.
  if (slot->text || names->used < NAME_SLOTS / 4 * 3) {
    names->used += slot->text == NULL;
    *slot = (struct name_slot){text, id};
  }
  return id;
}
