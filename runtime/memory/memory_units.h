//===- memory_units.h - The programs that have filters ----------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program and its shared libraries, which any thread may load and unload: their list has a lock.
// The measured thread takes it only within the profile, where no signal ends the program, and
// other threads hold signals back meanwhile.
//
// Counters are thread-local variables that the program begins with (initial-exec): those of a unit
// lie as far from life_self in all threads, so that any thread finds the measured one's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memory_profile.h"

/** From now on the accesses of the thread count whose life_self this is; null: of none. */
void units_follow(const char *thread);
/** No longer those of `thread`, the calling one, if it is that: its counters end with it. */
void units_unfollow(const char *thread);
/** Lines below `threshold` are in the sample; 0: nothing is measured any more. */
void units_publish(uint32_t threshold);
/** Adds what the followed thread has counted to the section that is open. */
void units_settle(struct memory_profile *m);
/** Whether there were more units than can be measured. */
bool units_were_lost(void);
/** In a fork's child, which has but the calling thread: nothing is measured. */
void units_after_fork(void);

void units_add(const struct prophet_memory_unit *unit);
void units_remove(const struct prophet_memory_unit *unit);
