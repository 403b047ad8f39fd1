//===- memory_life.h - Whose memory is measured, and until when --*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread of one process is measured: the one that the program starts with, or another that
// opens the first section, from then on.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memory_profile.h"
#include "process.h"

#include <stddef.h>

/** What entering and leaving look at. */
struct life_gate {
  const char *volatile owner; ///< the measured thread's life_self
  volatile bool busy;         ///< within the profile
  uint32_t published;         ///< the threshold that units have; 0: nothing is measured
  uint64_t dropped;           ///< events in the middle of another
  struct memory_profile profile;
};
extern struct life_gate life_gate;
extern __thread char life_self __attribute__((tls_model("initial-exec")));

static inline bool life_is_owner(void) { return &life_self == life_gate.owner; }

/** The profile, to be left soon; null where the caller is not measured, or within it already. */
static inline struct memory_profile *life_enter(void) {
  if (!life_is_owner() || life_gate.published == 0)
    return NULL;
  if (life_gate.busy) {
    ++life_gate.dropped;
    return NULL;
  }
  life_gate.busy = true;
  __asm__ volatile("" ::: "memory");
  return &life_gate.profile;
}

/** What leaving has to do rarely: a new threshold, signals that have arrived. */
void life_leave_slowly(void);

/** Leaves it. */
static inline void life_leave(void) {
  __asm__ volatile("" ::: "memory");
  life_gate.busy = false;
  if (__builtin_expect(signals_pending || life_gate.profile.threshold != life_gate.published, 0))
    life_leave_slowly();
}

/** The same, where a section opens: the first one decides whose profile it is. */
struct memory_profile *life_enter_section(void);
/** Adds what the program has counted to the section that is open. Within the profile. */
void life_settle(void);

void life_add_unit(const struct prophet_memory_unit *unit);
void life_remove_unit(const struct prophet_memory_unit *unit);
