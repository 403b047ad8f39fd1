//===- pause.c - Time that belongs to no node -----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pause reads the clock; when it is over, the event before it is taken to have been
// that much later. So the leaf that was interrupted goes on where it was left.
//
//===----------------------------------------------------------------------===//
#include "events.h"

#include <string.h>

void recorder_pause(struct recorder *r, uint64_t ticks) {
  if (!enter(r))
    return;
  if (r->pauses++ == 0) {
    r->paused_at = ticks;
    if (top_frame(r)->kind == FRAME_SECTION)
      compress_bank(r);
  }
  leave(r);
}

void recorder_resume(struct recorder *r, uint64_t ticks) {
  if (!enter(r))
    return;
  if (r->pauses == 0) {
    ++r->counters.mismatched_ends;
  } else if (--r->pauses == 0 && ticks > r->paused_at) {
    uint64_t length = ticks - r->paused_at;
    r->last += length;
    r->run.begin = r->last;
    r->counters.paused_ticks += length;
    memset(r->ignored, 0, sizeof r->ignored);
  }
  leave(r);
}
