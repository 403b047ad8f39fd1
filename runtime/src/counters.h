//===- counters.h - What the processor counts --------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions, cycles and last-level-cache misses of the program's outermost
// sections, by site (Parallel Prophet §V-B). They come from PAPI, which is looked
// for at run time (papi.c); most virtual machines have no counters for it, and then
// the tree says why there are none. A reading costs a microsecond, of which nothing
// is in the tree's lengths.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "recorder.h"

#include <stdbool.h>
#include <stdint.h>

enum counted { COUNTED_INSTRUCTIONS, COUNTED_CYCLES, COUNTED_LLC_MISSES, COUNTED_KINDS };

/** Of all executions of a site's outermost sections that have ended. */
struct section_counts {
  uint64_t executions, values[COUNTED_KINDS];
};

struct counters {
  volatile bool counting; ///< and not in the middle of a reading
  char reason[256];       ///< why nothing is counted
  const char *miss_event; ///< PAPI's name of what is counted as a miss of the last level
  int (*read)(int set, long long *values); ///< 0: `values` are the counters' readings
  int set;
  bool inside;                    ///< an outermost section
  uint32_t site;                  ///< its own
  uint64_t section;               ///< when it began: tells it from others of its site
  long long begin[COUNTED_KINDS]; ///< readings at its begin
  struct section_counts by_site[NAME_LIMIT];
};

#ifdef __cplusplus
extern "C" {
#endif

/** Starts counting in the calling thread, or says in c->reason why not. \pre all of `c` is 0. */
void papi_start(struct counters *c);

/**
 * An outermost section may have begun or ended. True where one has: time has passed since that is
 * not the program's.
 */
bool counters_follow(struct counters *c, const struct recorder *r);

#ifdef __cplusplus
}
#endif
