//===- memory_profile.c - How sections use memory ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_profile.h"

#include "arena.h"

#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

static void set_level(struct memory_profile *m, uint32_t level) {
  m->level = level;
  m->threshold = level == 0 ? UINT32_MAX : (uint32_t)(UINT64_C(1) << (32 - level));
  m->events = 0;
  m->most_events = m->fixed || level >= MEMORY_FLOOR ? UINT64_MAX : MEMORY_EVENTS;
}

/** Has the processor x86's instruction that counts bits? */
static bool has_popcnt(void) {
#ifdef __x86_64__
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && c & bit_POPCNT;
#else
  return false;
#endif
}

bool memory_init(struct memory_profile *m, int level) {
  memset(m, 0, sizeof *m);
  m->has_popcnt = has_popcnt();
  m->fixed = level >= 0;
  set_level(m, level > 0 ? (uint32_t)level : 0);
  m->site_count = MEMORY_FIRST;
  m->view_count = 1;
  m->most_views = MEMORY_VIEWS;
  m->frames = arena_reserve(MEMORY_DEPTH * sizeof *m->frames);
  m->named = arena_reserve(NAME_LIMIT * sizeof *m->named);
  if (!names_init(&m->names) || !blocks_init(&m->blocks) ||
      !view_init(&m->views[0], MEMORY_SITES, LOG_RECORDS) || !m->frames || !m->named)
    return false;
  log_thin(&m->views[0].log, m->level);
  return true;
}

void memory_destroy(struct memory_profile *m) {
  names_destroy(&m->names);
  blocks_destroy(&m->blocks);
  for (uint32_t i = 0; i < m->view_count; ++i)
    view_destroy(&m->views[i]);
  arena_release(m->frames, MEMORY_DEPTH * sizeof *m->frames);
  arena_release(m->named, NAME_LIMIT * sizeof *m->named);
}

static void halve(struct memory_profile *m) {
  set_level(m, m->level + 1);
  reuse_keep(&m->stack, m->threshold);
  for (uint32_t i = 0; i < m->view_count; ++i)
    log_thin(&m->views[i].log, m->level);
}

_Static_assert(PROPHET_MEMORY_THEN_WRITE >= PROPHET_MEMORY_KINDS &&
                   MEMORY_OWN >= 2 * PROPHET_MEMORY_THEN_WRITE &&
                   2 * MEMORY_OWN_OUTERMOST <= 1 << MEMORY_KIND_BITS,
               "bits of their own, which wait together with the kinds");

/**
 * A write makes a line dirty in caches of any size; one of C lines writes it back when C others
 * have been used since. `line->clean` is the bin of distances up to which that has happened.
 */
static bool is_written_back(const struct reuse_line *line, uint32_t bin) {
  return line->clean != REUSE_CLEAN && bin > line->clean;
}

/** A use makes the sample smaller, where that is too large or has been as large for long enough. */
static __attribute__((noinline)) void make_smaller(struct memory_profile *m) {
  while (m->stack.lines > REUSE_LINES && m->level < 31)
    halve(m);
  if (m->events >= m->most_events)
    halve(m);
}

/** \p access: a kind, or a read's that a write follows, which is two accesses; MEMORY_OWN.
 */
static inline __attribute__((always_inline)) void use_line(struct memory_profile *m,
                                                           uint64_t number, unsigned access) {
  const unsigned then_written = access / PROPHET_MEMORY_THEN_WRITE % 2;
  const unsigned kind = access % PROPHET_MEMORY_KINDS;
  uint32_t distance;
  struct reuse_line *line = reuse_touch(&m->stack, number, &distance);
  struct memory_use use = {.line = number,
                           .kind = kind,
                           .last = kind | then_written,
                           .distance = LOG_COLD,
                           .weight = UINT64_C(1) << m->level};
  use.read_first =
      use.last % 2 && line->clean == REUSE_CLEAN && (distance != REUSE_COLD || then_written);
  if (distance != REUSE_COLD) {
    use.distance = (uint64_t)distance << m->level;
    use.bin = bin_of(use.distance);
    if (is_written_back(line, use.bin)) {
      use.clean = line->clean;
      use.to_clean = use.bin;
      line->clean = (uint16_t)use.bin;
    }
  }
  view_use(&m->views[0], &line->note, &use, access & MEMORY_OWN_OUTERMOST ? MEMORY_OWN : 0);
  for (uint32_t i = 1; i < m->view_count; ++i) {
    struct memory_view *view = &m->views[i];
    const bool outside = view->site_then == MEMORY_OUTSIDE; // where it has no tasks
    view_use(view, &view->notes[line->id], &use, outside ? 0 : access & MEMORY_OWN);
  }
  if (use.last % 2)
    line->clean = 0;
  m->events += 1 + then_written;
  if (__builtin_expect(m->events >= m->most_events || m->stack.lines > REUSE_LINES, 0))
    make_smaller(m);
}

static bool is_mark(uint64_t wait) { return wait >= MEMORY_MARK_SITE; }
static uint64_t mark_of(uint64_t wait) { return wait & UINT64_C(7) << 61; }

static void do_mark(struct memory_profile *m, uint64_t wait) {
  const uint32_t number = (uint32_t)wait;
  uint32_t views = wait >> MEMORY_MARK_VIEWS & ((1u << MEMORY_VIEWS) - 1);
  for (; views; views &= views - 1) {
    struct memory_view *view = &m->views[__builtin_ctz(views)];
    if (mark_of(wait) == MEMORY_MARK_SITE)
      view->site_then = number;
    else if (mark_of(wait) == MEMORY_MARK_PART)
      log_part(&view->log, number);
    else
      log_tasks(&view->log, number);
  }
}

static inline __attribute__((always_inline)) void catch_up(struct memory_profile *m) {
  enum { AHEAD = 8 };
  uint32_t waiting = m->waiting;
  m->waiting = 0;
  for (uint32_t i = 0; i < waiting; ++i) {
    uint64_t wait = m->waits[i], line = wait >> MEMORY_KIND_BITS;
    if (i + AHEAD < waiting)
      reuse_prefetch(&m->stack, m->waits[i + AHEAD] >> MEMORY_KIND_BITS);
    if (is_mark(wait))
      do_mark(m, wait);
    else if (reuse_hash(line) < m->threshold) // which may have been lowered since
      use_line(m, line, wait % (1 << MEMORY_KIND_BITS));
  }
}

static void catch_up_anywhere(struct memory_profile *m) { catch_up(m); }

#ifdef __x86_64__
/** The same where one instruction counts bits, in what it inlines, too. */
static __attribute__((target("popcnt"))) void catch_up_by_popcnt(struct memory_profile *m) {
  catch_up(m);
}
#else
#define catch_up_by_popcnt catch_up_anywhere
#endif

void memory_catch_up(struct memory_profile *m) {
  if (m->has_popcnt)
    catch_up_by_popcnt(m);
  else
    catch_up_anywhere(m);
}

void memory_event(struct memory_profile *m, uint64_t line, unsigned kind) {
  memory_event_soon(m, line, kind);
  memory_catch_up(m);
}

_Static_assert(MEMORY_MARK_VIEWS + MEMORY_VIEWS <= 61, "views are beside marks");

static void put_off(struct memory_profile *m, uint32_t views, uint64_t mark, uint32_t number) {
  m->waits[m->waiting++] = mark | (uint64_t)views << MEMORY_MARK_VIEWS | number;
  if (m->waiting == MEMORY_WAITING)
    memory_catch_up(m);
}

/** What is counted in a view from now on is of its open section, or paused. */
static void set_site(struct memory_profile *m, uint32_t view) {
  const uint32_t site = m->pauses ? (uint32_t)MEMORY_PAUSED : m->views[view].open;
  if (m->views[view].site == site)
    return;
  m->views[view].site = site;
  put_off(m, 1u << view, MEMORY_MARK_SITE, site);
}

static void set_sites(struct memory_profile *m) {
  for (uint32_t i = 0; i < m->view_count; ++i)
    set_site(m, i);
}

void memory_count(struct memory_profile *m, unsigned kind, uint64_t number) {
  for (uint32_t i = 0; i < m->view_count; ++i)
    m->views[i].sites[m->views[i].site].counted[kind] += number;
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/** The site of a top-level section that opens. Where there are too many, it counts as outside. */
static uint32_t site_of(struct memory_profile *m, uint32_t name) {
  if (name != NAME_NONE && m->named[name].site)
    return m->named[name].site;
  if (name == NAME_NONE || m->site_count == MEMORY_SITES) {
    ++m->lost_sites;
    return MEMORY_OUTSIDE;
  }
  m->site_names[m->site_count] = name;
  m->named[name].site = (uint16_t)m->site_count;
  return m->site_count++;
}

/**
 * The view in which the site `name` alone is parallel, which there is from when it first opens in
 * another one's section; 0: none.
 */
static uint32_t view_of(struct memory_profile *m, uint32_t name) {
  if (name == NAME_NONE)
    return 0;
  struct memory_name *named = &m->named[name];
  if (named->view || m->depth == 0 || named->open || m->view_count == m->most_views)
    return named->view;
  memory_catch_up(m);
  struct memory_view *view = &m->views[m->view_count];
  if (!view_init(view, MEMORY_FIRST + 1, LOG_INNER_RECORDS) ||
      !view_split(view, &m->views[0], &m->stack, named->site)) {
    view_destroy(view); // the address space is full
    m->most_views = m->view_count;
    return 0;
  }
  m->view_names[m->view_count] = name;
  return named->view = (uint8_t)m->view_count++;
}

/** Looks at the views' open sections again. */
static void find_deepest(struct memory_profile *m) {
  m->deepest = 0;
  for (uint32_t i = 0; i < m->view_count; ++i) {
    const uint32_t depth = m->views[i].depth;
    if (depth > m->deepest)
      m->deepest_views = 0;
    if (depth >= m->deepest)
      m->deepest_views |= 1u << i;
    m->deepest = depth > m->deepest ? depth : m->deepest;
  }
}

static void open_in(struct memory_profile *m, uint32_t view, uint32_t site) {
  m->views[view].open = site;
  m->views[view].depth = m->depth;
  find_deepest(m);
  ++m->views[view].sites[site].executions;
  set_site(m, view);
  put_off(m, 1u << view, MEMORY_MARK_PART, site);
}

static void close_in(struct memory_profile *m, uint32_t view) {
  m->views[view].open = MEMORY_OUTSIDE;
  m->views[view].depth = 0;
  put_off(m, 1u << view, MEMORY_MARK_PART, MEMORY_OUTSIDE);
  set_site(m, view);
}

static void close_down_to(struct memory_profile *m, uint32_t depth) {
  for (; m->depth > depth; --m->depth) {
    if (m->blocks.live)
      memory_end_task(m);
    m->ranges = m->frames[m->depth - 1].ranges;
    if (m->frames[m->depth - 1].name != NAME_NONE)
      --m->named[m->frames[m->depth - 1].name].open;
  }
  if (!m->depth)
    m->highest = 0;
  if (m->deepest <= depth)
    return;
  for (uint32_t i = 0; i < m->view_count; ++i)
    if (m->views[i].depth > depth)
      close_in(m, i);
  find_deepest(m);
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
  const uint32_t name = names_id(&m->names, site);
  const uint32_t view = view_of(m, name);
  m->frames[m->depth] = (struct memory_frame){.stack = stack,
                                              .born = m->blocks.born,
                                              .opened = m->blocks.born,
                                              .around = memory_around(m),
                                              .owner = owner,
                                              .ranges = m->ranges,
                                              .name = name};
  ++m->depth;
  if (name != NAME_NONE)
    ++m->named[name].open;
  if (m->depth == 1)
    open_in(m, 0, site_of(m, name));
  if (view && !m->views[view].depth)
    open_in(m, view, MEMORY_FIRST);
  return m->depth;
}

void memory_put_off_task(struct memory_profile *m) {
  put_off(m, m->deepest_views, MEMORY_MARK_TASKS, 1);
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
  if (m->pauses++ == 0)
    set_sites(m);
}

void memory_resume(struct memory_profile *m) {
  if (m->pauses && --m->pauses == 0)
    set_sites(m);
}

void memory_finish(struct memory_profile *m) {
  memory_catch_up(m);
  const int64_t weight = INT64_C(1) << m->level;
  for (uint32_t v = 0; v < m->view_count; ++v) {
    struct memory_view *view = &m->views[v];
    log_part(&view->log, MEMORY_OUTSIDE); // ends the last one
    for (uint32_t i = 0; i < REUSE_TABLE; ++i) {
      const struct reuse_line *line = &m->stack.table[i];
      if (!line->key || line->clean == REUSE_CLEAN)
        continue;
      const struct reuse_note *note = v == 0 ? &line->note : &view->notes[line->id];
      view->sites[note->writer].never += (uint64_t)weight;
      uint32_t bin = bin_of((uint64_t)reuse_depth(&m->stack, line) << m->level);
      if (is_written_back(line, bin))
        view_write_back(view, note, line->clean, bin, weight);
    }
  }
}
