//===- tree_writer.h - The program-tree file ---------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what a recorder holds in the format of prophet/tree_format.h, one pass,
// children before parents. Async-signal-safe.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "counters.h"
#include "recorder.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the file says besides the recorder's contents. */
struct tree_header {
  uint64_t timebase_hz;
  bool complete;
  const char *command; ///< the arguments, each ended by a 0
  size_t command_size;
  const char *started; ///< ISO 8601, UTC
  const char *cpu;
  uint64_t logical_cpus;
  uint64_t waited_ticks; ///< that the profiled thread was ready and had no core
  uint64_t other_thread_events;
  const struct counters *counters; ///< may be null
};

/** Writes the tree of `r`. \pre recorder_close(r). Uses r's memory for its own: call it once. */
void tree_write(struct text *out, struct recorder *r, const struct tree_header *header);

#ifdef __cplusplus
}
#endif
