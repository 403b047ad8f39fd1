//===- program.h - Which program a profile is of -----------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes the key "program" and its object, which both kinds of profile have: `command`, the
 * arguments, each ended by a 0, `size` bytes in all; and when it was started. Async-signal-safe.
 */
void program_write(struct text *out, const char *command, size_t size, const char *started);

#ifdef __cplusplus
}
#endif
