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
  KNOWN_NEAR = 8, ///< places of `known` in a row where a part may be
};

/** For how many records there are addresses: nothing behind them is to be touched. */
static size_t room(const struct memory_log *log) { return (log->limit + WARM - 1) / WARM * WARM; }

bool log_init(struct memory_log *log, uint32_t limit) {
  memset(log, 0, sizeof *log);
  log->limit = limit;
  log->below = UINT64_C(1) << 32;
  log->records = arena_reserve_large(room(log) * sizeof *log->records);
  log->parts = arena_reserve(room(log) * sizeof *log->parts);
  log->known = arena_reserve(LOG_KNOWN * sizeof *log->known);
  return log->records && log->parts && log->known;
}

void log_destroy(struct memory_log *log) {
  arena_release(log->records, room(log) * sizeof *log->records);
  arena_release(log->parts, room(log) * sizeof *log->parts);
  arena_release(log->known, LOG_KNOWN * sizeof *log->known);
}

static uint32_t hash_of(const struct memory_log *log, const struct log_part *part) {
  const uint64_t prime = UINT64_C(0x9E3779B97F4A7C15);
  uint64_t hash = ((uint64_t)part->site << 32 | part->tasks) * prime;
  for (uint32_t i = part->first; i < part->first + part->count; ++i) {
    const struct log_record *record = &log->records[i];
    hash = (hash ^ ((uint64_t)record->task << 32 | record->line)) * prime;
    hash = (hash ^ hash >> 29 ^ record->kind) * prime;
  }
  return (uint32_t)(hash >> 32);
}

/** Have two parts the same tasks, and these the same references? */
static bool are_same(const struct memory_log *log, const struct log_part *a,
                     const struct log_part *b) {
  if (a->site != b->site || a->tasks != b->tasks || a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; ++i) {
    const struct log_record *x = &log->records[a->first + i], *y = &log->records[b->first + i];
    if (x->task != y->task || x->line != y->line || x->kind != y->kind)
      return false;
  }
  return true;
}

/** A part with records of its own: does it repeat one that is known? Else it is known from now on,
 * in the place of another one where there is none left. */
static bool find_same(struct memory_log *log, uint32_t number) {
  struct log_part *part = &log->parts[number];
  const uint32_t hash = hash_of(log, part);
  struct log_known *place = &log->known[(hash + number % KNOWN_NEAR) % LOG_KNOWN];
  for (uint32_t i = 0; i < KNOWN_NEAR; ++i) {
    struct log_known *known = &log->known[(hash + i) % LOG_KNOWN];
    if (!known->part) {
      place = known;
      break;
    }
    if (known->hash != hash || !are_same(log, &log->parts[known->part - 1], part))
      continue;
    part->same = known->part - 1;
    part->first = log->parts[part->same].first;
    return true;
  }
  *place = (struct log_known){number + 1, hash};
  return false;
}

static void end_part(struct memory_log *log) {
  if (log->has_part) {
    struct log_part *part = &log->parts[log->part_count - 1];
    part->tasks = log->tasks ? (uint32_t)log->tasks : 1;
    part->count = log->count - part->first;
    const uint32_t first = part->first;
    if (find_same(log, log->part_count - 1))
      log->count = first;
  }
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

/** Leaves out the records of lines that are not kept, and has the parts find the others. */
static void thin_records(struct memory_log *log) {
  uint32_t kept = 0;
  for (uint32_t number = 0; number < log->part_count; ++number) {
    struct log_part *part = &log->parts[number];
    if (part->same != number) {
      part->first = log->parts[part->same].first;
      part->count = log->parts[part->same].count;
      continue;
    }
    const uint32_t first = part->first, end = first + part->count;
    part->first = kept;
    for (uint32_t i = first; i < end; ++i)
      if (is_kept(log->records[i].line, log->level))
        log->records[kept++] = log->records[i];
    part->count = kept - part->first;
  }
  log->count = kept;
}

/** Leaves out the parts that have no records, and numbers the others anew. */
static void thin_parts(struct memory_log *log) {
  uint32_t parts = 0;
  for (uint32_t number = 0; number < log->part_count; ++number) {
    struct log_part part = log->parts[number];
    if (part.count == 0)
      continue;
    if (part.same == number)
      for (uint32_t i = part.first; i < part.first + part.count; ++i)
        log->records[i].part = parts;
    part.same = log->records[part.first].part; // whose number is the new one already
    log->parts[parts++] = part;
  }
  log->part_count = parts;
}

void log_thin(struct memory_log *log, uint32_t level) {
  if (level <= log->level)
    return;
  log->level = level;
  log->below = log->is_full ? 0 : UINT64_C(1) << 32 >> level;
  if (log->has_part) {
    struct log_part *open = &log->parts[log->part_count - 1];
    open->count = log->count - open->first;
  }
  thin_records(log);
  log->has_part = log->has_part && log->parts[log->part_count - 1].count > 0;
  log->ready = log->has_part ? log->ready : 0;
  thin_parts(log);
  memset(log->known, 0, LOG_KNOWN * sizeof *log->known);
  // Some may be the same now. Their records go when lines are left out the next time.
  for (uint32_t number = 0; number + log->has_part < log->part_count; ++number) {
    struct log_part *part = &log->parts[number];
    if (part->same != number) {
      part->same = log->parts[part->same].same;
      part->first = log->parts[part->same].first;
    } else {
      find_same(log, number);
    }
  }
}

static bool has_no_room(const struct memory_log *log) {
  return log->count == log->limit || (!log->has_part && log->part_count == log->limit);
}

bool log_prepare(struct memory_log *log, uint32_t line) {
  while (has_no_room(log) && log->level < MOST_LEVEL)
    log_thin(log, log->level + 1);
  if (has_no_room(log))
    fill(log);
  if (reuse_hash(line) >= log->below)
    return false;
  if (!log->has_part) {
    log->parts[log->part_count] =
        (struct log_part){.site = log->site, .first = log->count, .same = log->part_count};
    ++log->part_count;
  }
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

/** The part's references, as those of a site's or of none. */
static void copy_part(struct memory_log *log, const struct memory_log *from, uint32_t number,
                      bool is_its) {
  const struct log_part *part = &from->parts[number];
  const bool is_open = from->has_part && number == from->part_count - 1;
  const uint32_t end = is_open ? from->count : part->first + part->count;
  for (uint32_t i = part->first; i < end; ++i) {
    struct log_record record = from->records[i];
    if (!is_its)
      record.kind &= ~MEMORY_OWN;
    uint32_t logged = 0;
    log->task = is_its ? record.task : 0;
    log_reference(log, record.line, record.kind, LOG_COLD, &logged);
  }
}

void log_copy(struct memory_log *log, const struct memory_log *from, uint32_t site, uint32_t as) {
  log_thin(log, from->level);
  const size_t size = (from->part_count + 1) * sizeof(uint32_t);
  uint32_t *last = arena_reserve(size); // by part: the last one between the site's that repeats it
  for (uint32_t begin = 0, end; begin < from->part_count; begin = end) {
    const bool is_its = site != 0 && from->parts[begin].site == site;
    for (end = begin + 1; !is_its && end < from->part_count; ++end)
      if (site != 0 && from->parts[end].site == site)
        break;
    log_part(log, is_its ? as : 0);
    log->tasks = is_its ? from->parts[begin].tasks : 0;
    for (uint32_t number = begin; last && number < end; ++number)
      last[from->parts[number].same] = number;
    for (uint32_t number = begin; number < end; ++number)
      if (!last || last[from->parts[number].same] == number)
        copy_part(log, from, number, is_its);
    if (is_its)
      log_part(log, 0);
  }
  arena_release(last, size);
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

/** What a part's tasks refer to; false where there are more lines than are ever in the sample. */
static bool write_part(struct text *out, const struct memory_log *log, const struct log_part *part,
                       uint32_t first_site, struct numbering *numbering) {
  text_char(out, '[');
  if (part->site < first_site)
    text_raw(out, "-1");
  else
    text_u64(out, part->site - first_site);
  text_char(out, ',');
  text_u64(out, part->tasks);
  const struct log_record *last = NULL;
  bool has_room = true;
  for (uint32_t i = part->first; i < part->first + part->count; ++i) {
    const struct log_record *record = &log->records[i];
    const uint32_t number = number_of(numbering, record);
    has_room = number != MOST_NUMBERS;
    if (!has_room)
      break;
    if (!last || last->task != record->task) {
      text_raw(out, last ? "],[" : ",[");
      text_u64(out, record->task);
    }
    text_char(out, ',');
    text_u64(out, (uint64_t)number << 3 | record->kind % PROPHET_MEMORY_KINDS);
    last = record;
  }
  text_raw(out, last ? "]]" : "]");
  return has_room;
}

static void write_parts(struct text *out, const struct memory_log *log, uint32_t first_site,
                        struct numbering *numbering) {
  bool is_repeat = false;
  for (uint32_t number = 0; number < log->part_count; ++number) {
    const struct log_part *part = &log->parts[number];
    const bool was_repeat = is_repeat;
    is_repeat = part->same != number;
    text_raw(out, number == 0 ? "\n    " : was_repeat && is_repeat ? "," : ",\n    ");
    if (is_repeat)
      text_u64(out, part->same);
    else if (!write_part(out, log, part, first_site, numbering))
      return;
  }
}

void log_write(struct text *out, const struct memory_log *log, uint32_t first_site) {
  const uint32_t level = log->level;
  text_raw(out, "{\"" PROPHET_KEY_RATE "\": ");
  text_decimal(out, level == 0, level ? 1000000000u >> level : 0);
  text_raw(out, log->is_full ? ", \"complete\": false" : ", \"complete\": true");
  text_raw(out, ", \"parts\": [");
  static struct numbering numbering;
  memset(&numbering, 0, sizeof numbering);
  write_parts(out, log, first_site, &numbering);
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
