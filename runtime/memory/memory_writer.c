//===- memory_writer.c - The memory profile's file -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_writer.h"

#include "program.h"
#include "site.h"

#include <prophet/memory_format.h>
#include <prophet/tree_format.h>

static const char *const class_names[] = PROPHET_MEMORY_CLASS_NAMES;

static void number(struct text *out, const char *before, const char *key, uint64_t value) {
  text_raw(out, before);
  text_key(out, key);
  text_u64(out, value);
}

/**
 * What was counted exactly and the sample does not know of, or knows too much of. Nearly all of it
 * is of lines in constant use, of which the sample has a few or none, and of streams within a line,
 * which pass no filter: so distance 0 takes it (Waldspurger et al. 2015, §4.1). A program that died
 * has not counted all.
 */
static int64_t adjustment(const struct memory_site *site, unsigned kind, bool complete) {
  int64_t missing = (int64_t)(site->counted[kind] - memory_sampled(site, kind));
  int64_t least = complete ? -(int64_t)site->reuse[kind][0] : 0;
  return missing < least ? least : missing;
}

static uint64_t accesses(const struct memory_site *site, unsigned first, bool complete) {
  uint64_t sum = 0;
  for (unsigned kind = first; kind < PROPHET_MEMORY_KINDS; kind += 2)
    sum += memory_sampled(site, kind) + (uint64_t)adjustment(site, kind, complete);
  return sum;
}

/** Pairs of a bin's end and its count. */
static void write_pair(struct text *out, uint32_t bin, uint64_t count, bool *any) {
  if (!count)
    return;
  text_raw(out, *any ? ",[" : "[");
  text_u64(out, bin_end(bin));
  text_char(out, ',');
  text_u64(out, count);
  text_char(out, ']');
  *any = true;
}

/** The kinds `first` up to `last` together. */
static void write_reuse(struct text *out, const struct memory_site *site, unsigned first,
                        unsigned last, bool complete) {
  uint64_t cold = 0;
  for (unsigned kind = first; kind <= last; ++kind)
    cold += site->cold[kind];
  number(out, "{", PROPHET_KEY_COLD, cold);
  text_raw(out, ", \"" PROPHET_KEY_REUSE "\": [");
  bool any = false;
  for (uint32_t bin = 0; bin < BINS; ++bin) {
    uint64_t count = 0;
    for (unsigned kind = first; kind <= last; ++kind)
      count += site->reuse[kind][bin] + (bin == 0 ? (uint64_t)adjustment(site, kind, complete) : 0);
    write_pair(out, bin, count, &any);
  }
  text_char(out, ']');
}

static void write_classes(struct text *out, const struct memory_site *site, bool complete) {
  text_raw(out, ",\n     \"" PROPHET_KEY_CLASSES "\": {");
  for (unsigned c = 0; c < PROPHET_MEMORY_CLASSES; ++c) {
    text_raw(out, c ? ",\n       \"" : "\n       \"");
    text_raw(out, class_names[c]);
    text_raw(out, "\": ");
    write_reuse(out, site, 2 * c, 2 * c + 1, complete);
    text_raw(out, ", \"" PROPHET_KEY_WRITES "\": ");
    write_reuse(out, site, 2 * c + 1, 2 * c + 1, complete);
    text_raw(out, "}}");
  }
  text_char(out, '}');
}

static void write_writebacks(struct text *out, const struct memory_site *site) {
  text_raw(out, ",\n     \"" PROPHET_KEY_WRITEBACKS "\": ");
  number(out, "{", PROPHET_KEY_NEVER, site->never);
  text_raw(out, ", \"" PROPHET_KEY_REUSE "\": [");
  bool any = false;
  for (uint32_t bin = 0; bin < BINS; ++bin) // fewer than none: an estimate's, at a rate's change
    write_pair(out, bin, site->writebacks[bin] > 0 ? (uint64_t)site->writebacks[bin] : 0, &any);
  text_raw(out, "]}");
}

/** The rest of a site's object, but for its end. */
static void write_site(struct text *out, const struct memory_site *site, bool complete) {
  number(out, "\"" PROPHET_KEY_ACCESSES "\": {", PROPHET_KEY_READS, accesses(site, 0, complete));
  number(out, ", ", PROPHET_KEY_WRITES, accesses(site, 1, complete));
  number(out, "}, ", PROPHET_KEY_FLOPS, site->counted[PROPHET_MEMORY_FLOPS]);
  number(out, ", ", PROPHET_KEY_INSTRUCTIONS, site->counted[PROPHET_MEMORY_INSTRUCTIONS]);
  number(out, ", ", PROPHET_KEY_CHAINED, site->counted[PROPHET_MEMORY_CHAINED]);
  number(out, ", ", PROPHET_KEY_READ_FIRST, site->read_first);
  write_classes(out, site, complete);
  write_writebacks(out, site);
}

static void write_head(struct text *out, const struct memory_profile *m,
                       const struct memory_header *h) {
  text_raw(out, "{\n  \"format\": \"" PROPHET_MEMORY_FORMAT "\",\n  \"version\": ");
  text_u64(out, PROPHET_MEMORY_VERSION);
  text_raw(out, h->complete ? ",\n  \"complete\": true" : ",\n  \"complete\": false");
  number(out, ",\n  ", PROPHET_KEY_LINE_BYTES, PROPHET_MEMORY_LINE);
  text_raw(out, ",\n  \"" PROPHET_KEY_RATE "\": ");
  text_decimal(out, m->level == 0, m->level ? 1000000000u >> m->level : 0);
  number(out, ",\n  ", PROPHET_KEY_SAMPLED_LINES, m->stack.lines);
  text_raw(out, ",\n  \"" PROPHET_KEY_BINS "\": ");
  number(out, "{", PROPHET_KEY_EXACT, BINS_EXACT);
  number(out, ", ", PROPHET_KEY_PER_OCTAVE, BINS_PER_OCTAVE);
  text_raw(out, "},\n  ");
  program_write(out, h->command, h->command_size, h->started);
}

/** A site with a name. */
static void write_named(struct text *out, const char *name, const struct memory_site *site,
                        bool complete) {
  text_char(out, '{');
  site_write_place(out, name);
  number(out, ", ", PROPHET_KEY_EXECUTIONS, site->executions);
  text_raw(out, ",\n     ");
  write_site(out, site, complete);
}

/** What sites do that run inside others, where each of them alone is parallel. */
static void write_inner(struct text *out, const struct memory_profile *m, bool complete) {
  text_raw(out, ",\n  \"" PROPHET_KEY_INNER "\": [");
  for (uint32_t i = 1; i < m->view_count; ++i) {
    const struct memory_view *view = &m->views[i];
    text_raw(out, i > 1 ? ",\n    " : "\n    ");
    write_named(out, m->names.texts[m->view_names[i]], &view->sites[MEMORY_FIRST], complete);
    text_raw(out, ",\n     \"" PROPHET_KEY_LOG "\": ");
    log_write(out, &view->log, MEMORY_FIRST);
    text_char(out, '}');
  }
  text_char(out, ']');
}

void memory_write(struct text *out, const struct memory_profile *m, const struct memory_header *h) {
  write_head(out, m, h);
  text_raw(out, ",\n  \"sites\": [");
  const struct memory_view *outermost = &m->views[0];
  for (uint32_t site = MEMORY_FIRST; site < m->site_count; ++site) {
    text_raw(out, site > MEMORY_FIRST ? ",\n    " : "\n    ");
    write_named(out, m->names.texts[m->site_names[site]], &outermost->sites[site], h->complete);
    text_char(out, '}');
  }
  text_raw(out, "\n  ],\n  \"" PROPHET_KEY_OUTSIDE "\":\n    {");
  write_site(out, &outermost->sites[MEMORY_OUTSIDE], h->complete);
  text_raw(out, "},\n  \"" PROPHET_KEY_LOG "\": ");
  log_write(out, &outermost->log, MEMORY_FIRST);
  if (m->view_count > 1)
    write_inner(out, m, h->complete);
  number(out, ",\n  \"profiler\": {", "dropped_events", h->dropped);
  number(out, ", ", "lost_sites", m->lost_sites);
  text_raw(out, "}\n}\n");
}
