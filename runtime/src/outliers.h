//===- outliers.h - Tasks that were disturbed from outside -------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A timer interrupt in a short task is no imbalance of the program, but would cut
// a run in three. What a run may take of such tasks is bounded in every stretch of
// a section by the tolerance, and what recurs at equal distances, as imbalance of
// the program's own does, is not taken at the larger rate.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** How many outliers back a period is looked for. */
enum { OUTLIERS_KEPT = 8 };

/** The outliers of one section: the innermost one, and only since it is that. */
struct outliers {
  uint64_t section;               ///< recorder_clock at its begin, by which it is known
  uint64_t filled;                ///< recorder_clock when `irregular` was filled last
  uint64_t irregular;             ///< ticks of irregular outliers that runs may still take
  uint64_t aftermath;             ///< of these, for small ones that follow a large one
  uint64_t recent[OUTLIERS_KEPT]; ///< which tasks the last large ones were
  uint64_t seen;                  ///< large ones so far
};

struct recorder;

#ifdef __cplusplus
extern "C" {
#endif

/** May the current run take a task that is `excess` ticks off? It is charged for it if so. */
bool outliers_take(struct recorder *r, uint64_t excess);

#ifdef __cplusplus
}
#endif
