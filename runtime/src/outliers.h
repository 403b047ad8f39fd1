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

/** How many outliers back a period is looked for, and how many items' runs are remembered. */
enum { OUTLIERS_KEPT = 8, ENDED_KEPT = 4 };

/** What an outlier has cut goes on after it: the runs of one item that ended lately. */
struct ended_runs {
  uint32_t item;  ///< plus 1; 0 = none
  uint64_t ticks; ///< of all its runs since it is remembered
};

/** Which tasks the last outliers were. */
struct outlier_series {
  uint64_t recent[OUTLIERS_KEPT];
  uint64_t seen; ///< so far
};

/** The outliers of one section: the innermost one, and only since it is that. */
struct outliers {
  uint64_t section;                    ///< recorder_clock at its begin, by which it is known
  uint64_t filled;                     ///< recorder_clock when `irregular` was filled last
  uint64_t irregular;                  ///< ticks of irregular outliers that runs may still take
  uint64_t aftermath;                  ///< of these, for small ones that follow a large one
  struct outlier_series large, small;  ///< small: those that no large one explains
  struct ended_runs ended[ENDED_KEPT]; ///< the latest first
};

struct recorder;

#ifdef __cplusplus
extern "C" {
#endif

/** The current run ends. \pre its sum is banked */
void outliers_run_ends(struct recorder *r);

/** May the current run take a task that is `excess` ticks too long? It is charged for it if so. */
bool outliers_take(struct recorder *r, uint64_t excess);

#ifdef __cplusplus
}
#endif
