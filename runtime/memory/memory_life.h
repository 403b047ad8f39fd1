//===- memory_life.h - Whose memory is measured, and until when --*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread of one process is measured: the one that the program starts with, or another that
// opens the first section, from then on. Where that is another one, the profile changes hands: the
// thread that had it says that it is within, then looks whether it is still its own; the new one
// takes it away, then waits until the old one is not within. Once a section has opened it stays
// where it is, and entering costs no more than a comparison.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memory_profile.h"
#include "process.h"

#include <stdatomic.h>
#include <stddef.h>

/** What entering and leaving look at. */
struct life_gate {
  const char *_Atomic owner;  ///< life_self of the measured thread, from the first section on
  const char *_Atomic early;  ///< the same, up to then
  atomic_bool busy;           ///< the owner is within the profile
  atomic_bool early_busy;     ///< the other one is
  _Atomic uint32_t published; ///< the threshold that units have; 0: nothing is measured
  uint64_t dropped;           ///< events in the middle of another
  struct memory_profile profile;
};
extern struct life_gate life_gate;
extern __thread char life_self __attribute__((tls_model("initial-exec")));

#define LIFE_READ(field) atomic_load_explicit(&life_gate.field, memory_order_relaxed)

static inline bool life_is_owner(void) { return &life_self == LIFE_READ(owner); }

/** Enters before the first section. */
struct memory_profile *life_enter_early(void);

/** The profile, to be left soon; null where the caller is not measured, or within it already. */
static inline struct memory_profile *life_enter(void) {
  if (!life_is_owner())
    return life_enter_early();
  if (LIFE_READ(published) == 0)
    return NULL;
  if (LIFE_READ(busy)) {
    ++life_gate.dropped;
    return NULL;
  }
  atomic_store_explicit(&life_gate.busy, true, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  return &life_gate.profile;
}

/** What leaving has to do rarely: a new threshold, signals that have arrived. */
void life_leave_slowly(void);

/** Leaves it. */
static inline void life_leave(void) {
  bool lowered = life_gate.profile.threshold != LIFE_READ(published);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&life_gate.busy, false, memory_order_relaxed);
  atomic_store_explicit(&life_gate.early_busy, false, memory_order_release);
  atomic_signal_fence(memory_order_seq_cst);
  if (__builtin_expect(signals_pending || lowered, 0))
    life_leave_slowly();
}

/** The same, where a section opens: the first one decides whose profile it is. */
struct memory_profile *life_enter_section(void);
