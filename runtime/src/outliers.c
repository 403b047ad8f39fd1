//===- outliers.c - Tasks that were disturbed from outside ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "outliers.h"

#include "recorder.h"

/**
 * Outliers of any kind may be 1 / REGULAR_OF_TOLERANCE of the tolerance, irregular ones the rest of
 * it, and at a time 1 / OUTLIER_OF_SECTION of the section so far. A small one is within
 * SMALL_OUTLIER times the noise; those after a large one add up to 1 / AFTERMATH of it. An
 * irregular one is at most 1 / OUTLIER_OF_RUN of its item's runs so far.
 */
enum {
  OUTLIER_OF_SECTION = 10000,
  OUTLIER_OF_RUN = 8,
  REGULAR_OF_TOLERANCE = 10,
  SMALL_OUTLIER = 16,
  AFTERMATH = 2,
};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/** What one bucket may hold: a negligible part of the section so far. */
static uint64_t most(const struct recorder *r, const struct frame *section) {
  return (recorder_clock(r) - section->begin) / OUTLIER_OF_SECTION;
}

/** The bucket for any outlier. A large one also needs a run that was regular for long enough. */
static bool take_regular(struct recorder *r, struct frame *section, uint64_t excess, bool small) {
  uint32_t tolerance = r->merging.tolerance_ppm;
  uint64_t share = share_ppm(recorder_clock(r) - section->filled, tolerance) / REGULAR_OF_TOLERANCE;
  section->bucket = least(section->bucket + share, most(r, section));
  section->filled = recorder_clock(r);
  if (excess > section->bucket)
    return false;
  if (!small) {
    uint64_t regular = share_ppm(r->run.sum - r->run.mark, tolerance) / REGULAR_OF_TOLERANCE;
    if (excess > regular)
      return false;
    r->run.mark = r->run.sum;
  }
  section->bucket -= excess;
  return true;
}

/** The innermost section's outliers, begun anew where that is another one than before. */
static struct outliers *outliers_of(struct recorder *r) {
  const struct frame *section = &r->frames[r->container];
  struct outliers *o = &r->outliers;
  if (o->section != section->begin)
    *o = (struct outliers){.section = section->begin, .filled = recorder_clock(r)};
  return o;
}

void outliers_run_ends(struct recorder *r) {
  struct outliers *o = outliers_of(r);
  struct ended_runs now = {r->run.item + 1, r->run.sum};
  unsigned at = 0;
  while (at < ENDED_KEPT - 1 && o->ended[at].item != now.item)
    ++at;
  if (o->ended[at].item == now.item)
    now.ticks += o->ended[at].ticks;
  for (; at > 0; --at)
    o->ended[at] = o->ended[at - 1];
  o->ended[0] = now;
}

/** Ticks of the current run and of those before it that were cut from it. */
static uint64_t run_so_far(const struct recorder *r) {
  const struct ended_runs *ended = r->outliers.ended;
  for (unsigned i = 0; i < ENDED_KEPT; ++i)
    if (ended[i].item == r->run.item + 1)
      return r->run.sum + ended[i].ticks;
  return r->run.sum;
}

/** Is task `index` as far from one of the series as that one from another? Remembers it. */
static bool recurs(struct outlier_series *s, uint64_t index) {
  unsigned kept = (unsigned)least(s->seen, OUTLIERS_KEPT);
  bool found = false;
  for (unsigned i = 0; i < kept && !found; ++i)
    for (unsigned j = 0; j < kept && !found; ++j)
      found = i != j && index - s->recent[i] == s->recent[i] - s->recent[j];
  s->recent[s->seen % OUTLIERS_KEPT] = index;
  ++s->seen;
  return found;
}

/** The bucket for irregular outliers and for what comes right after them, cold caches above all. */
static bool take_irregular(struct recorder *r, const struct frame *section, uint64_t excess,
                           bool small) {
  struct outliers *o = outliers_of(r);
  uint64_t share = share_ppm(recorder_clock(r) - o->filled, r->merging.tolerance_ppm);
  o->irregular = least(o->irregular + share - share / REGULAR_OF_TOLERANCE, most(r, section));
  o->filled = recorder_clock(r);
  if (small && excess <= o->aftermath) {
    o->aftermath -= excess;
  } else {
    if (recurs(small ? &o->small : &o->large, r->counters.tasks + r->run.count))
      return false;
    if (!small)
      o->aftermath = excess / AFTERMATH;
  }
  if (excess > o->irregular || excess > run_so_far(r) / OUTLIER_OF_RUN)
    return false;
  o->irregular -= excess;
  return true;
}

bool outliers_take(struct recorder *r, uint64_t excess) {
  if (r->merging.tolerance_ppm == 0)
    return false;
  struct frame *section = &r->frames[r->container];
  bool small = excess <= SMALL_OUTLIER * r->merging.noise;
  // Both must see it: each fills by the clock, and a period shows in all outliers.
  bool irregular = take_irregular(r, section, excess, small);
  return irregular || take_regular(r, section, excess, small);
}
