//===- overhead.h - What a leaf contains of the profiler itself ----*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A leaf lasts from one event's clock sample to the next one's, so it contains the
// rest of the first call and the beginning of the second (§VI-A). How much that is
// depends on the two events alone; it is measured with empty leaves.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdint.h>

/** What opened a leaf. */
enum leaf_from { FROM_TASK, FROM_LOCK_BEGIN, FROM_LOCK_END, FROM_SECTION_END, LEAF_FROMS };
/** What closed it. */
enum leaf_to { TO_TASK_END, TO_LOCK_BEGIN, TO_LOCK_END, TO_SECTION_BEGIN, LEAF_TOS };

/** Ticks of the profiler's own in a leaf between the two. */
struct overhead_table {
  uint64_t ticks[LEAF_FROMS][LEAF_TOS];
  uint64_t between_spawned; ///< from a spawned task's end to the next one's begin
};

/** While it is measured, all time between spawned tasks is taken to be the profiler's own. */
enum { UNMEASURED = 1 << 30 };

/** Between these ticks the noise is believed: less is luck, more is other programs' work. */
enum { LEAST_NOISE = 64, MOST_NOISE = 96 };

struct recorder;
struct prophet_runtime_api;

/**
 * Measures the table through the calls of `api`, which must record into `r`, with MOST_NOISE:
 * medians over empty leaves of every kind. Also returns in `*noise` by how much empty leaves
 * differ. Takes some hundred microseconds and leaves `r` with what it recorded: the caller starts
 * it afresh.
 */
struct overhead_table overhead_measure(const struct recorder *r,
                                       const struct prophet_runtime_api *api, uint64_t *noise);
