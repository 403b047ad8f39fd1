//===- memory_log.h - Which task used which lines ----------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The references of the sample in the program's order, with the outermost section
// and the task that made them, so that a reader can deal the tasks to threads and
// see whose caches would have had what. What any cache of 256 lines has is left out. A
// section that does what an earlier one did, with the same lines, has no records of its
// own. Where the room does not suffice, every second line is left out.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memory_blocks.h"
#include "reuse_stack.h"

#include "text.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  LOG_RECORDS = 1 << 20,
  LOG_INNER_RECORDS = 1 << 18, ///< of a site that runs inside others
  LOG_NEAR = 256,              ///< lines: shorter distances within a task are not recorded
  LOG_KNOWN = 4096,            ///< parts among which the one is looked for that another repeats
};
#define LOG_COLD UINT64_MAX
/** Beside a kind, and above PROPHET_MEMORY_THEN_WRITE: of a variable that the task has declared, or
 * what it calls, or of what they allocate. */
#define MEMORY_OWN 16u

struct log_record {
  uint32_t part, task, line, kind;
};

/** An execution of an outermost section, or what lies between two of them. */
struct log_part {
  uint32_t site, tasks;
  uint32_t first, count; ///< of its records; `tasks`, too, are those of a part that has ended
  uint32_t same;         ///< the part whose records these are: its own number, or an earlier one
};

struct log_known {
  uint32_t part; ///< plus 1; 0: none
  uint32_t hash; ///< of what it has done
};

struct memory_log {
  struct log_record *records;
  struct log_part *parts;  ///< those with records, at most `limit`
  struct log_known *known; ///< by hash: parts that have ended, with records of their own
  uint32_t count, limit, part_count;
  uint32_t ready; ///< up to so many records, one more can be added as it is
  uint32_t warm;  ///< records whose pages are there
  uint64_t below; ///< lines with such hashes are recorded: 2^32 / 2^level, or none
  uint32_t level; ///< at most one of 2^level lines is recorded
  uint32_t site;  ///< of the part that goes on
  uint64_t tasks; ///< that it has begun
  uint32_t task;  ///< the number of the last one, 0 before
  bool has_part;  ///< it is the last of `parts`
  bool is_full;   ///< nothing more is recorded
};

/** Prepares an empty log of `limit` records, at most LOG_RECORDS. */
bool log_init(struct memory_log *log, uint32_t limit);
void log_destroy(struct memory_log *log);

/** Leaves lines out, so that at most one of 2^level is recorded. */
void log_thin(struct memory_log *log, uint32_t level);
/** The part that goes on ends, and one of `site` begins. */
void log_part(struct memory_log *log, uint32_t site);
/** So many tasks of the part begin, all but the last one without a reference. */
void log_tasks(struct memory_log *log, uint32_t count);
/** Makes room for one more record of a line, in a part; false where there is none, or no longer for
 * this line. */
bool log_prepare(struct memory_log *log, uint32_t line);

/**
 * A reference of `kind`, MEMORY_OWN beside it or not, to a line of the sample, `distance`
 * lines since its last use or LOG_COLD.
 * `*logged` is the line's own, 0 at first.
 */
static inline void log_reference(struct memory_log *log, uint64_t line, unsigned kind,
                                 uint64_t distance, uint32_t *logged) {
  if (reuse_hash(line) >= log->below)
    return;
  if (distance < LOG_NEAR && *logged && *logged <= log->count) {
    struct log_record *before = &log->records[*logged - 1];
    if (before->line == (uint32_t)line && before->part == log->part_count - log->has_part &&
        before->task == log->task) {
      before->kind |= kind & 1; // a task that writes a line it has read takes it for itself
      return;
    }
  }
  if (__builtin_expect(log->count >= log->ready, 0) && !log_prepare(log, (uint32_t)line))
    return;
  log->records[log->count++] =
      (struct log_record){log->part_count - 1, log->task, (uint32_t)line, kind};
  *logged = log->count;
}

/** Those of `blocks` that were born after `born` are not the latest task's own after all. */
void log_share(struct memory_log *log, const struct memory_blocks *blocks, uint64_t born);

/** Makes of an empty log one of the same references, where parts of `site` are `as` and all others
 * outside: of those between two of the site's that repeat each other the last one, since caches
 * have what that leaves. The part of `from` that goes on is none of the site's. */
void log_copy(struct memory_log *log, const struct memory_log *from, uint32_t site, uint32_t as);

/**
 * Writes the object that memmodel/AccessLog.h describes. \pre the last part has ended. Sites below
 * `first_site` are outside of sections, the others numbered from it on.
 */
void log_write(struct text *out, const struct memory_log *log, uint32_t first_site);

#ifdef __cplusplus
}
#endif
