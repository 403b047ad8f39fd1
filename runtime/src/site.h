//===- site.h - Reading a SITE string ----------------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is described in prophet/profile.h. Async-signal-safe.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "counters.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes the JSON object of the site that `text` describes, which may say `nowait` itself, with
 * what was counted there, misses as `miss_event`; null: nothing.
 */
void site_write(struct text *out, const char *text, bool nowait,
                const struct section_counts *counts, const char *miss_event);

/** Writes the keys that say which site `text` describes: name, kind, file and line. */
void site_write_place(struct text *out, const char *text);

#ifdef __cplusplus
}
#endif
