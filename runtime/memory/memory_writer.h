//===- memory_writer.h - The memory profile's file ---------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what docs/memory-profile.md describes. Async-signal-safe.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memory_profile.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the file says besides the profile's contents. */
struct memory_header {
  bool complete;
  const char *command; ///< the arguments, each ended by a 0
  size_t command_size;
  const char *started; ///< ISO 8601, UTC
  uint64_t dropped;    ///< accesses from a signal handler in the middle of another
};

/** Writes `m`. \pre memory_finish(m) */
void memory_write(struct text *out, const struct memory_profile *m,
                  const struct memory_header *header);

#ifdef __cplusplus
}
#endif
