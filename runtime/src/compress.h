//===- compress.h - Run-length and dictionary compression --------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel Prophet §VI-B, while the program runs: an execution that equals the one
// before it lengthens a run; one that equals an earlier one shares its item.
// Lengths are added up, so that merging preserves their sum exactly.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "recorder.h"

enum { BUCKETS = 1 << 18 };
#define ITEM_NONE UINT32_MAX

/** Adds the task tokens[base..] to the innermost section, and takes the tokens away. */
void compress_task(struct recorder *r, uint64_t base);

/** Adds a task that is one U of `length` ticks. \pre compress_bank before it */
void compress_bare_task(struct recorder *r, uint64_t length);

/** Adds the U or L tokens[base..] to the root or `tasks` section, and takes the tokens away. */
void compress_entry(struct recorder *r, uint64_t base);

/** Appends one execution of `item` to the root or `tasks` section. */
void compress_append(struct recorder *r, uint32_t item);

/**
 * Adds up the bare tasks of the current run so far. \pre the event before was the end of its last
 */
void compress_bank(struct recorder *r);

/** Ends the current run. \pre compress_bank where it may have had bare tasks since */
void compress_flush(struct recorder *r);

/** The item for a section of `site` that consists of runs[base..], and takes these away. */
uint32_t compress_section(struct recorder *r, uint32_t site, uint64_t base);

/** Empties the dictionary. */
void compress_forget(struct recorder *r);
