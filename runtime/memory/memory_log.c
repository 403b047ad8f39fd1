//===- memory_log.c - Which task used which lines ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_log.h"

#include "arena.h"

#include <prophet/memory_format.h>

#include <string.h>

enum {
  MOST_NUMBERS = 2 * (REUSE_LINES + 1), ///< of lines, and of those of them that are a task's own
  NUMBERS_TABLE = 2 * REUSE_TABLE,
  MOST_LEVEL = 20,
  WARM = 1 << 14, ///< records whose pages are had at once: one by one they take far longer
};

/** For how many records there are addresses: nothing behind them is to be touched. */
static size_t room(const struct memory_log *log) { return (log->limit + WARM - 1) / WARM * WARM; }

bool log_init(struct memory_log *log, uint32_t limit) {
  memset(log, 0, sizeof *log);
  log->limit = limit;
  log->below = UINT64_C(1) << 32;
  log->records = arena_reserve_large(room(log) * sizeof *log->records);
  log->parts = arena_reserve(room(log) * sizeof *log->parts);
  return log->records && log->parts;
}

void log_destroy(struct memory_log *log) {
  arena_release(log->records, room(log) * sizeof *log->records);
  arena_release(log->parts, room(log) * sizeof *log->parts);
}

static void end_part(struct memory_log *log) {
  if (log->has_part)
    log->parts[log->part_count - 1].tasks = log->tasks ? (uint32_t)log->tasks : 1;
  log->has_part = false;
  log->ready = 0;
}

/** Nothing more is recorded. */
static void fill(struct memory_log *log) {
  log->is_full = true;
  log->below = 0;
}

void log_part(struct memory_log *log, uint32_t site) {
  end_part(log);
  log->site = site;
  log->tasks = 0;
  log->task = 0;
}

void log_tasks(struct memory_log *log, uint32_t count) {
  log->tasks += count;
  log->task = log->tasks ? (uint32_t)(log->tasks - 1) : 0;
  if (log->tasks >= UINT32_MAX)
    fill(log);
}

static bool is_kept(uint32_t line, uint32_t level) {
  return (uint64_t)reuse_hash(line) << level < UINT64_C(1) << 32;
}

void log_thin(struct memory_log *log, uint32_t level) {
  if (level <= log->level)
    return;
  log->level = level;
  log->below = log->is_full ? 0 : UINT64_C(1) << 32 >> level;
  uint32_t kept = 0, parts = 0, part = 0;
  for (uint32_t i = 0; i < log->count; ++i) {
    struct log_record record = log->records[i];
    if (!is_kept(record.line, log->level))
      continue;
    if (kept == 0 || record.part != part) {
      part = record.part;
      log->parts[parts++] = log->parts[part];
    }
    record.part = parts - 1;
    log->records[kept++] = record;
  }
  log->has_part = log->has_part && kept > 0 && part == log->part_count - 1;
  log->ready = log->has_part ? log->ready : 0;
  log->count = kept;
  log->part_count = parts;
}

bool log_prepare(struct memory_log *log, uint32_t line) {
  while (log->count == log->limit && log->level < MOST_LEVEL)
    log_thin(log, log->level + 1);
  if (log->count == log->limit)
    fill(log);
  if (reuse_hash(line) >= log->below)
    return false;
  if (!log->has_part)
    log->parts[log->part_count++] = (struct log_part){log->site, 0};
  log->has_part = true;
  if (log->count == log->warm) {
    arena_warm(&log->records[log->warm], WARM * sizeof *log->records);
    log->warm += WARM;
  }
  log->ready = log->warm < log->limit ? log->warm : log->limit;
  return true;
}

/** Was one of the blocks in the line at `address` born after `born`? */
static bool any_born_in(const struct memory_blocks *blocks, uint64_t address, uint64_t born) {
  uint64_t size = PROPHET_MEMORY_LINE;
  const struct memory_block *block;
  while (size && (block = blocks_find(blocks, address, size))) {
    if (block->born > born)
      return true;
    size = block->address > address ? block->address - address : 0;
  }
  return false;
}

void log_share(struct memory_log *log, const struct memory_blocks *blocks, uint64_t born) {
  if (!log->has_part)
    return;
  for (uint32_t i = log->count; i-- > 0;) {
    struct log_record *record = &log->records[i];
    if (record->part != log->part_count - 1 || record->task != log->task)
      return;
    if (!(record->kind & MEMORY_OWN))
      continue;
    if (any_born_in(blocks, (uint64_t)record->line << PROPHET_MEMORY_LINE_SHIFT, born))
      record->kind &= ~MEMORY_OWN;
  }
}

void log_copy(struct memory_log *log, const struct memory_log *from, uint32_t site, uint32_t as) {
  log_thin(log, from->level);
  uint32_t part = UINT32_MAX;
  bool is_its = false;
  for (uint32_t i = 0; i < from->count; ++i) {
    struct log_record record = from->records[i];
    if (record.part != part) {
      part = record.part;
      bool was_its = is_its;
      is_its = site != 0 && from->parts[part].site == site;
      if (is_its || was_its)
        log_part(log, is_its ? as : 0);
      log->tasks = is_its ? from->parts[part].tasks : 0;
    }
    if (!is_its)
      record.kind &= ~MEMORY_OWN;
    uint32_t logged = 0;
    log->task = is_its ? record.task : 0;
    log_reference(log, record.line, record.kind, LOG_COLD, &logged);
  }
  if (is_its)
    log_part(log, 0);
  if (from->is_full)
    fill(log);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/** Numbers lines in the order in which they come. A task's own ones, which are a bit above 2^32,
 * are others. */
struct numbering {
  uint64_t lines[NUMBERS_TABLE];
  uint32_t numbers[NUMBERS_TABLE]; ///< plus 1; 0: free
  uint64_t order[MOST_NUMBERS];    ///< lines by number
  uint32_t count;
};

/** MOST_NUMBERS if there is no room. */
static uint32_t number_of(struct numbering *n, const struct log_record *record) {
  const uint64_t line = record->line | (uint64_t)(record->kind & MEMORY_OWN) << 32;
  uint32_t at = (uint32_t)((line * UINT64_C(0xD1B54A32D192ED03)) >> 49);
  while (n->numbers[at] && n->lines[at] != line)
    at = (at + 1) % NUMBERS_TABLE;
  if (!n->numbers[at] && n->count == MOST_NUMBERS)
    return MOST_NUMBERS;
  if (!n->numbers[at]) {
    n->lines[at] = line;
    n->order[n->count] = line;
    n->numbers[at] = ++n->count;
  }
  return n->numbers[at] - 1;
}

/** Ends the arrays that are open: of a task, and of a part. */
static void end_arrays(struct text *out, bool task, bool part) {
  if (task)
    text_char(out, ']');
  if (part)
    text_char(out, ']');
}

static void write_parts(struct text *out, const struct memory_log *log, uint32_t level,
                        uint32_t first_site, struct numbering *numbering) {
  const struct log_record *last = NULL;
  for (uint32_t i = 0; i < log->count; ++i) {
    const struct log_record *record = &log->records[i];
    if (!is_kept(record->line, level))
      continue;
    const uint32_t number = number_of(numbering, record);
    if (number == MOST_NUMBERS) // more lines than are ever in the sample
      break;
    bool new_part = !last || last->part != record->part;
    bool new_task = new_part || last->task != record->task;
    end_arrays(out, last && new_task, last && new_part);
    if (new_part) {
      const struct log_part *part = &log->parts[record->part];
      text_raw(out, last ? ",\n    [" : "\n    [");
      if (part->site < first_site)
        text_raw(out, "-1");
      else
        text_u64(out, part->site - first_site);
      text_char(out, ',');
      text_u64(out, part->tasks);
    }
    if (new_task) {
      text_raw(out, ",[");
      text_u64(out, record->task);
    }
    text_char(out, ',');
    text_u64(out, (uint64_t)number << 3 | record->kind % PROPHET_MEMORY_KINDS);
    last = record;
  }
  end_arrays(out, last, last);
}

void log_write(struct text *out, const struct memory_log *log, uint32_t level,
               uint32_t first_site) {
  if (level < log->level)
    level = log->level;
  text_raw(out, "{\"" PROPHET_KEY_RATE "\": ");
  text_decimal(out, level == 0, level ? 1000000000u >> level : 0);
  text_raw(out, log->is_full ? ", \"complete\": false" : ", \"complete\": true");
  text_raw(out, ", \"parts\": [");
  static struct numbering numbering;
  memset(&numbering, 0, sizeof numbering);
  write_parts(out, log, level, first_site, &numbering);
  text_raw(out, "],\n   \"lines\": [");
  for (uint32_t i = 0; i < numbering.count; ++i) {
    if (i)
      text_char(out, ',');
    text_u64(out, (uint32_t)numbering.order[i]);
  }
  text_raw(out, "]");
  bool any = false;
  for (uint32_t i = 0; i < numbering.count; ++i)
    if (numbering.order[i] >> 32) {
      text_raw(out, any ? "," : ", \"own\": [");
      text_u64(out, i);
      any = true;
    }
  text_raw(out, any ? "]}" : "}");
}
