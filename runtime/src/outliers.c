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
 * irregular one is at most 1 / OUTLIER_OF_RUN of its run so far.
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

/** Does task `index` continue a series of outliers at equal distances? Remembers it. */
static bool recurs(struct outliers *o, uint64_t index) {
  unsigned kept = (unsigned)least(o->seen, OUTLIERS_KEPT);
  bool found = false;
  for (unsigned i = 0; i < kept && !found; ++i)
    for (unsigned j = 0; j < kept && !found; ++j)
      found = i != j && index - o->recent[i] == o->recent[i] - o->recent[j];
  o->recent[o->seen % OUTLIERS_KEPT] = index;
  ++o->seen;
  return found;
}

/** The bucket for irregular outliers and for what comes right after them, cold caches above all. */
static bool take_irregular(struct recorder *r, const struct frame *section, uint64_t excess,
                           bool small) {
  struct outliers *o = &r->outliers;
  if (o->section != section->begin)
    *o = (struct outliers){.section = section->begin, .filled = recorder_clock(r)};
  uint64_t share = share_ppm(recorder_clock(r) - o->filled, r->merging.tolerance_ppm);
  o->irregular = least(o->irregular + share - share / REGULAR_OF_TOLERANCE, most(r, section));
  o->filled = recorder_clock(r);
  if (!small) {
    o->aftermath = excess / AFTERMATH;
    if (recurs(o, r->counters.tasks + r->run.count))
      return false;
  } else if (excess > o->aftermath) {
    return false;
  } else {
    o->aftermath -= excess;
  }
  if (excess > o->irregular || excess > r->run.sum / OUTLIER_OF_RUN)
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
