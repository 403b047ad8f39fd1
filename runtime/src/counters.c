//===- counters.c - What the processor counts ----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "counters.h"

#include <string.h>

/** The program's outermost open section, or null. */
static const struct frame *outermost(const struct recorder *r) {
  const struct frame *frame = &r->frames[1];
  bool is_section = r->depth > 1 && (frame->kind == FRAME_SECTION || frame->kind == FRAME_SPAWN);
  return is_section ? frame : NULL;
}

bool counters_follow(struct counters *c, const struct recorder *r) {
  const struct frame *now = outermost(r);
  bool is_same = now ? c->inside && c->section == now->begin : !c->inside;
  if (is_same)
    return false;
  c->counting = false; // for signal handlers
  long long values[COUNTED_KINDS];
  bool was_read = c->read(c->set, values) == 0;
  if (c->inside && was_read) {
    struct section_counts *counts = &c->by_site[c->site];
    ++counts->executions;
    for (int kind = 0; kind < COUNTED_KINDS; ++kind)
      if (values[kind] > c->begin[kind])
        counts->values[kind] += (uint64_t)(values[kind] - c->begin[kind]);
  }
  c->inside = now && was_read;
  if (c->inside) {
    c->site = now->ref;
    c->section = now->begin;
    memcpy(c->begin, values, sizeof values);
  }
  c->counting = true;
  return true;
}
