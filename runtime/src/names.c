//===- names.c - Strings to small numbers --------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "names.h"

#include "arena.h"

#include <string.h>

bool names_init(struct name_table *names) {
  *names = (struct name_table){0};
  names->slots = arena_reserve(NAME_SLOTS * sizeof *names->slots);
  names->texts = arena_reserve(NAME_LIMIT * sizeof *names->texts);
  return names->slots && names->texts;
}

void names_destroy(struct name_table *names) {
  arena_release(names->slots, NAME_SLOTS * sizeof *names->slots);
  arena_release(names->texts, NAME_LIMIT * sizeof *names->texts);
  *names = (struct name_table){0};
}

void names_clear(struct name_table *names) {
  for (uint32_t id = 0; id < names->count; ++id) {
    uint32_t at = names_slot(names->texts[id]);
    for (; names->slots[at].text; at = (at + 1) % NAME_SLOTS)
      names->slots[at] = (struct name_slot){NULL, 0};
  }
  names->count = names->used = 0;
}

static uint32_t find_text(const struct name_table *names, const char *text) {
  for (uint32_t id = 0; id < names->count; ++id)
    if (strcmp(names->texts[id], text) == 0)
      return id;
  return NAME_NONE;
}

uint32_t names_add(struct name_table *names, const char *text) {
  uint32_t at = names_slot(text);
  for (; names->slots[at].text; at = (at + 1) % NAME_SLOTS)
    if (names->slots[at].text == text)
      return names->slots[at].id;
  uint32_t id = find_text(names, text);
  if (id == NAME_NONE) {
    if (names->count == NAME_LIMIT)
      return NAME_NONE;
    id = names->count;
    names->texts[id] = text;
    ++names->count;
  }
  // A quarter of the slots stays free, so that probing ends; a pointer left out is found by text.
  if (names->used < NAME_SLOTS / 4 * 3) {
    names->slots[at] = (struct name_slot){text, id};
    ++names->used;
  }
  return id;
}
