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

/** The profile, to be left soon; null where the caller is not measured, or within it already. */
struct memory_profile *life_enter(void);
/** The same, where a section opens: the first one decides whose profile it is. */
struct memory_profile *life_enter_section(void);
/** Leaves it. Signals that arrived meanwhile are delivered. */
void life_leave(void);

/** Adds what the program has counted to the section that is open. Within the profile. */
void life_settle(void);

void life_add_unit(const struct prophet_memory_unit *unit);
void life_remove_unit(const struct prophet_memory_unit *unit);
