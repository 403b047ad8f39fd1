//===- memory_profile.c - How sections use memory ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_profile.h"

#include "arena.h"

#include <string.h>

static void set_level(struct memory_profile *m, uint32_t level) {
  m->level = level;
  m->threshold = level == 0 ? UINT32_MAX : (uint32_t)(UINT64_C(1) << (32 - level));
  m->events = 0;
}

bool memory_init(struct memory_profile *m, int level) {
  memset(m, 0, sizeof *m);
  m->fixed = level >= 0;
  set_level(m, level > 0 ? (uint32_t)level : 0);
  m->sites = arena_reserve(MEMORY_SITES * sizeof *m->sites);
  m->frames = arena_reserve(MEMORY_DEPTH * sizeof *m->frames);
  return names_init(&m->names) && log_init(&m->log, LOG_RECORDS) && m->sites && m->frames;
}

void memory_destroy(struct memory_profile *m) {
  names_destroy(&m->names);
  log_destroy(&m->log);
  arena_release(m->sites, MEMORY_SITES * sizeof *m->sites);
  arena_release(m->frames, MEMORY_DEPTH * sizeof *m->frames);
}

static void halve(struct memory_profile *m) {
  set_level(m, m->level + 1);
  reuse_keep(&m->stack, m->threshold);
  log_thin(&m->log, m->level);
}

/**
 * A write makes a line dirty in caches of any size; one of C lines writes it back when C others
 * have been used since. `line->clean` is the bin of distances up to which that has happened.
 */
static void follow_dirt(struct memory_profile *m, struct reuse_line *line, uint32_t bin) {
  if (line->clean == REUSE_CLEAN || bin <= line->clean)
    return;
  struct memory_site *writer = &m->sites[line->writer];
  int64_t weight = INT64_C(1) << m->level;
  writer->writebacks[bin] += weight;
  if (line->clean)
    writer->writebacks[line->clean] -= weight;
  line->clean = (uint16_t)bin;
}

_Static_assert(PROPHET_MEMORY_THEN_WRITE >= PROPHET_MEMORY_KINDS &&
                   2 * PROPHET_MEMORY_THEN_WRITE <= 1 << MEMORY_KIND_BITS,
               "a bit of its own, which waits together with the kinds");

/** \p access: a kind, or a read's that a write follows, which is two accesses. */
static void use_line(struct memory_profile *m, uint64_t number, unsigned access) {
  const bool then_written = access & PROPHET_MEMORY_THEN_WRITE;
  const unsigned kind = access % PROPHET_MEMORY_KINDS, last = kind | then_written;
  struct memory_site *site = &m->sites[m->site_then];
  uint32_t distance;
  struct reuse_line *line = reuse_touch(&m->stack, number, &distance);
  uint64_t weight = UINT64_C(1) << m->level;
  if (distance == REUSE_COLD) {
    site->cold[kind] += weight;
  } else {
    uint32_t bin = bin_of((uint64_t)distance << m->level);
    site->reuse[kind][bin] += weight;
    follow_dirt(m, line, bin);
  }
  if (m->site_then != MEMORY_PAUSED)
    log_reference(&m->log, number, last,
                  distance == REUSE_COLD ? LOG_COLD : (uint64_t)distance << m->level,
                  &line->logged);
  if (then_written)
    site->reuse[last][0] += weight;
  if (last % 2) {
    line->clean = 0;
    line->writer = (uint16_t)m->site_then;
  }
  m->events += 1 + then_written;
  while (m->stack.lines > REUSE_LINES && m->level < 31)
    halve(m);
  if (!m->fixed && m->events >= MEMORY_EVENTS && m->level < MEMORY_FLOOR)
    halve(m);
}

static bool is_mark(uint64_t wait) { return wait >= MEMORY_MARK_SITE; }
static uint64_t mark_of(uint64_t wait) { return wait & UINT64_C(7) << 61; }

static void do_mark(struct memory_profile *m, uint64_t mark, uint32_t number) {
  if (mark == MEMORY_MARK_SITE)
    m->site_then = number;
  else if (mark == MEMORY_MARK_PART)
    log_part(&m->log, number);
  else
    log_tasks(&m->log, number);
}

void memory_catch_up(struct memory_profile *m) {
  enum { AHEAD = 8 };
  uint32_t waiting = m->waiting;
  m->waiting = 0;
  for (uint32_t i = 0; i < waiting; ++i) {
    uint64_t wait = m->waits[i], line = wait >> MEMORY_KIND_BITS;
    if (i + AHEAD < waiting)
      reuse_prefetch(&m->stack, m->waits[i + AHEAD] >> MEMORY_KIND_BITS);
    if (is_mark(wait))
      do_mark(m, mark_of(wait), (uint32_t)wait);
    else if (reuse_hash(line) < m->threshold) // which may have been lowered since
      use_line(m, line, wait % (1 << MEMORY_KIND_BITS));
  }
}

void memory_event(struct memory_profile *m, uint64_t line, unsigned kind) {
  memory_catch_up(m);
  use_line(m, line, kind);
}

static void put_off(struct memory_profile *m, uint64_t mark, uint32_t number) {
  m->waits[m->waiting++] = mark | number;
  if (m->waiting == MEMORY_WAITING)
    memory_catch_up(m);
}

static void set_site(struct memory_profile *m, uint32_t site) {
  m->site = site;
  put_off(m, MEMORY_MARK_SITE, site);
}

void memory_count(struct memory_profile *m, unsigned kind, uint64_t number) {
  m->sites[m->site].counted[kind] += number;
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/** The site of a top-level section that opens. Where there are too many, it counts as outside. */
static uint32_t site_of(struct memory_profile *m, const char *text) {
  uint32_t id = names_id(&m->names, text);
  if (id >= MEMORY_SITES - MEMORY_FIRST) {
    ++m->lost_sites;
    return MEMORY_OUTSIDE;
  }
  return MEMORY_FIRST + id;
}

static void close_down_to(struct memory_profile *m, uint32_t depth) {
  m->depth = depth;
  if (depth > 0)
    return;
  put_off(m, MEMORY_MARK_PART, MEMORY_OUTSIDE);
  if (!m->pauses)
    set_site(m, MEMORY_OUTSIDE);
}

/** Those that were opened further down the stack than where one opens now: a longjmp left them. */
static void close_abandoned(struct memory_profile *m, uintptr_t stack) {
  while (stack && m->depth && m->frames[m->depth - 1].stack &&
         m->frames[m->depth - 1].stack < stack)
    close_down_to(m, m->depth - 1);
}

unsigned memory_open(struct memory_profile *m, const char *site, uintptr_t stack,
                     const unsigned *owner) {
  close_abandoned(m, stack);
  if (m->depth == MEMORY_DEPTH || m->pauses)
    return 0;
  m->frames[m->depth++] = (struct memory_frame){stack, owner};
  if (m->depth == 1) {
    set_site(m, site_of(m, site));
    ++m->sites[m->site].executions;
    put_off(m, MEMORY_MARK_PART, m->site);
  }
  return m->depth;
}

void memory_task(struct memory_profile *m) {
  if (m->depth != 1 || m->pauses)
    return;
  uint64_t *last = m->waiting ? &m->waits[m->waiting - 1] : NULL;
  if (last && mark_of(*last) == MEMORY_MARK_TASKS && (uint32_t)*last < UINT32_MAX)
    ++*last;
  else
    put_off(m, MEMORY_MARK_TASKS, 1);
}

void memory_close(struct memory_profile *m, unsigned handle) {
  if (handle && handle <= m->depth)
    close_down_to(m, handle - 1);
}

unsigned memory_by_hand(const struct memory_profile *m) {
  uint32_t depth = m->depth;
  while (depth && m->frames[depth - 1].stack)
    --depth;
  return depth;
}

void memory_pause(struct memory_profile *m) {
  if (m->pauses++ == 0) {
    m->before_pause = m->site;
    set_site(m, MEMORY_PAUSED);
  }
}

void memory_resume(struct memory_profile *m) {
  if (m->pauses && --m->pauses == 0)
    set_site(m, m->depth ? m->before_pause : (uint32_t)MEMORY_OUTSIDE);
}

void memory_finish(struct memory_profile *m) {
  memory_catch_up(m);
  log_part(&m->log, MEMORY_OUTSIDE); // ends the last one
  for (uint32_t i = 0; i < REUSE_TABLE; ++i) {
    struct reuse_line *line = &m->stack.table[i];
    if (!line->key || line->clean == REUSE_CLEAN)
      continue;
    m->sites[line->writer].never += UINT64_C(1) << m->level;
    follow_dirt(m, line, bin_of((uint64_t)reuse_depth(&m->stack, line) << m->level));
  }
}

uint64_t memory_sampled(const struct memory_site *site, unsigned kind) {
  uint64_t sum = site->cold[kind];
  for (uint32_t bin = 0; bin < BINS; ++bin)
    sum += site->reuse[kind][bin];
  return sum;
}
