//===- tree_writer.c - The program-tree file -----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tree_writer.h"

#include "program.h"
#include "site.h"

#include <prophet/tree_format.h>

#define NO_NODE UINT64_MAX

/** A length of the file: whole + billionths / 1e9 ticks. */
struct length {
  uint64_t whole;
  uint32_t billionths;
};

/** Equal leaves are one node; remembers the latest, by hash. */
enum { LEAF_CACHE = 1024 };
struct leaf {
  struct length length;
  uint32_t token;
  uint64_t node; ///< plus 1; 0 = free
  uint64_t task; ///< the task that is this leaf alone, plus 1; 0 = none yet
};

struct node_writer {
  struct text *out;
  struct recorder *r;
  uint64_t count;      ///< nodes written
  uint64_t subtracted; ///< ticks of the profiler's own that the lengths do not contain
  struct leaf cache[LEAF_CACHE];
};
static struct node_writer the_writer;

/** Where a child's node number is kept once it is written: the reference has served its turn. */
static uint64_t *node_of_cell(struct recorder *r, uint64_t cell) {
  return &r->cells[cell].reference;
}
static uint64_t *node_of_item(struct recorder *r, uint32_t item) { return &r->items[item].total; }

static uint64_t open_node(struct node_writer *w, const char *kind) {
  text_raw(w->out, w->count ? ",\n    {\"kind\": \"" : "\n    {\"kind\": \"");
  text_raw(w->out, kind);
  text_char(w->out, '"');
  return w->count++;
}

/** A `children` array that is being written; equal neighbours become one pair. */
struct children {
  uint64_t node, repeat;
  bool any;
};

static void end_pair(struct node_writer *w, struct children *list) {
  if (list->repeat == 0)
    return;
  text_raw(w->out, list->any ? ",[" : "[");
  text_u64(w->out, list->node);
  text_char(w->out, ',');
  text_u64(w->out, list->repeat);
  text_char(w->out, ']');
  list->any = true;
}

static void add_child(struct node_writer *w, struct children *list, uint64_t node,
                      uint64_t repeat) {
  if (node == NO_NODE)
    return;
  if (list->repeat && list->node == node) {
    list->repeat += repeat;
    return;
  }
  end_pair(w, list);
  list->node = node;
  list->repeat = repeat;
}

static void begin_children(struct node_writer *w) { text_raw(w->out, ", \"children\": ["); }
static void end_children(struct node_writer *w, struct children *list) {
  end_pair(w, list);
  text_raw(w->out, "]}");
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

/** What opened the U at `i` of `tokens`. */
static enum leaf_from from_of(const uint32_t *tokens, uint64_t i) {
  if (i == 0)
    return FROM_TASK;
  switch (token_kind(tokens[i - 1])) {
  case TOKEN_LOCK_OPEN:
    return FROM_LOCK_BEGIN;
  case TOKEN_SECTION:
    return FROM_SECTION_END;
  default:
    return FROM_LOCK_END;
  }
}

/** What closed the U at `i` of `size` tokens. */
static enum leaf_to to_of(const uint32_t *tokens, uint64_t i, uint64_t size) {
  if (i + 1 == size)
    return TO_TASK_END;
  switch (token_kind(tokens[i + 1])) {
  case TOKEN_LOCK_CLOSE:
    return TO_LOCK_END;
  case TOKEN_SECTION:
    return TO_SECTION_BEGIN;
  default:
    return TO_LOCK_BEGIN;
  }
}

static uint64_t overhead_of(const struct recorder *r, const struct item *item, uint64_t i) {
  const uint32_t *tokens = r->shapes + item->first;
  if (token_kind(tokens[i]) == TOKEN_L)
    return r->overhead.ticks[FROM_LOCK_BEGIN][TO_LOCK_END];
  if (item->kind == ITEM_ENTRY && item->size == 1)
    return r->overhead.ticks[FROM_SECTION_END][TO_SECTION_BEGIN];
  return r->overhead.ticks[from_of(tokens, i)][to_of(tokens, i, item->size)];
}

/** The mean of cell `i` of `item`, less the profiler's own share (§VI-A). */
static struct length net_length(struct node_writer *w, const struct item *item, uint64_t i) {
  uint64_t sum = w->r->cells[item->first + i].sum;
  uint64_t own = overhead_of(w->r, item, i);
  struct length mean = {0, 0};
  if (item->count == 0)
    return mean;
  if (sum / item->count < own) {
    w->subtracted += sum;
    return mean;
  }
  w->subtracted += own * item->count;
  mean.whole = sum / item->count - own;
  mean.billionths = (uint32_t)((unsigned __int128)(sum % item->count) * 1000000000u / item->count);
  return mean;
}

/** The leaf of this kind and length, which is written unless it has been. */
static struct leaf *leaf_of(struct node_writer *w, uint32_t token, struct length length) {
  uint64_t key =
      (length.whole ^ token ^ (uint64_t)length.billionths << 32) * UINT64_C(0x9E3779B97F4A7C15) >>
      54;
  struct leaf *seen = &w->cache[key % LEAF_CACHE];
  if (seen->node && seen->token == token && seen->length.whole == length.whole &&
      seen->length.billionths == length.billionths)
    return seen;
  bool lock = token_kind(token) == TOKEN_L;
  uint64_t node = open_node(w, lock ? PROPHET_NODE_L : PROPHET_NODE_U);
  if (lock) {
    text_raw(w->out, ", \"lock\": ");
    text_u64(w->out, token_ref(token));
  }
  text_raw(w->out, ", \"length\": ");
  text_decimal(w->out, length.whole, length.billionths);
  text_char(w->out, '}');
  *seen = (struct leaf){length, token, node + 1, 0};
  return seen;
}

//===----------------------------------------------------------------------===//
// Parents
//===----------------------------------------------------------------------===//

/** Lists the children in cells [from, to); a closed lock's cells are one child. */
static void list_cells(struct node_writer *w, struct children *list, uint64_t from, uint64_t to) {
  for (uint64_t i = from; i < to; ++i) {
    add_child(w, list, *node_of_cell(w->r, i), 1);
    if (token_kind(w->r->shapes[i]) == TOKEN_LOCK_OPEN)
      i = w->r->cells[i].sum; // its TOKEN_LOCK_CLOSE
  }
}

/** The node of the lock whose TOKEN_LOCK_OPEN is cell `from` and whose close is cell `to`. */
static void lock_node(struct node_writer *w, uint64_t from, uint64_t to) {
  uint64_t node = open_node(w, PROPHET_NODE_L);
  text_raw(w->out, ", \"lock\": ");
  text_u64(w->out, token_ref(w->r->shapes[from]));
  begin_children(w);
  struct children list = {0};
  list_cells(w, &list, from + 1, to);
  end_children(w, &list);
  *node_of_cell(w->r, from) = node;
  w->r->cells[from].sum = to;
}

/** Writes the leaves of a task or entry. A U of no net length is left out: the calls' own time. */
static void cell_nodes(struct node_writer *w, const struct item *item) {
  struct recorder *r = w->r;
  uint64_t open = NO_NODE; // innermost open lock's cell; its `sum` leads to the one around it
  for (uint64_t i = 0; i < item->size; ++i) {
    uint64_t cell = item->first + i;
    uint32_t token = r->shapes[cell];
    uint64_t node = NO_NODE;
    switch (token_kind(token)) {
    case TOKEN_U:
    case TOKEN_L: {
      struct length length = net_length(w, item, i);
      bool empty = length.whole == 0 && length.billionths == 0;
      if (token_kind(token) == TOKEN_L || !empty || (item->kind == ITEM_TASK && item->size == 1))
        node = leaf_of(w, token, length)->node - 1;
      break;
    }
    case TOKEN_LOCK_OPEN:
      r->cells[cell].sum = open;
      open = cell;
      break;
    case TOKEN_LOCK_CLOSE: {
      uint64_t outer = r->cells[open].sum;
      lock_node(w, open, cell);
      open = outer;
      break;
    }
    case TOKEN_SECTION:
      node = *node_of_item(r, token_ref(token));
      break;
    }
    *node_of_cell(r, cell) = node;
  }
}

/** A task that is one U: equal ones (all that are too short to measure, above all) are one node. */
static uint64_t bare_task_node(struct node_writer *w, const struct item *item) {
  struct leaf *leaf = leaf_of(w, w->r->shapes[item->first], net_length(w, item, 0));
  if (leaf->task == 0) {
    leaf->task = open_node(w, PROPHET_NODE_TASK) + 1;
    begin_children(w);
    struct children list = {.node = leaf->node - 1, .repeat = 1};
    end_children(w, &list);
  }
  return leaf->task - 1;
}

static void list_runs(struct node_writer *w, const struct run *runs, uint64_t count) {
  begin_children(w);
  struct children list = {0};
  for (uint64_t i = 0; i < count; ++i)
    add_child(w, &list, *node_of_item(w->r, runs[i].item), runs[i].count);
  end_children(w, &list);
}

static void item_node(struct node_writer *w, struct item *item) {
  if (item->kind == ITEM_SECTION) {
    item->total = open_node(w, PROPHET_NODE_SECTION);
    text_raw(w->out, ", \"site\": ");
    text_u64(w->out, item->site);
    list_runs(w, w->r->kept_runs + item->first, item->size);
    return;
  }
  if (item->kind == ITEM_TASK && item->size == 1) {
    item->total = bare_task_node(w, item);
    return;
  }
  cell_nodes(w, item);
  if (item->kind == ITEM_ENTRY) { // its first token is the whole of it
    item->total = *node_of_cell(w->r, item->first);
    return;
  }
  item->total = open_node(w, PROPHET_NODE_TASK);
  begin_children(w);
  struct children list = {0};
  list_cells(w, &list, item->first, item->first + item->size);
  end_children(w, &list);
}

static uint64_t write_nodes(struct node_writer *w) {
  text_raw(w->out, ",\n  \"nodes\": [");
  for (uint64_t i = 0; i < w->r->item_count; ++i)
    item_node(w, &w->r->items[i]);
  uint64_t root = open_node(w, PROPHET_NODE_ROOT);
  list_runs(w, w->r->runs, w->r->run_count);
  text_raw(w->out, "\n  ],\n  \"root\": ");
  text_u64(w->out, root);
  return root;
}

//===----------------------------------------------------------------------===//
// The rest of the file
//===----------------------------------------------------------------------===//

static void number(struct text *out, const char *key, uint64_t value) {
  text_raw(out, ", ");
  text_key(out, key);
  text_u64(out, value);
}

static void write_program(struct text *out, const struct recorder *r, const struct tree_header *h) {
  text_raw(out, "{\n  \"format\": \"" PROPHET_TREE_FORMAT "\",\n  \"version\": ");
  text_u64(out, PROPHET_TREE_VERSION);
  text_raw(out, ",\n  \"timebase_hz\": ");
  text_u64(out, h->timebase_hz);
  text_raw(out, h->complete ? ",\n  \"complete\": true" : ",\n  \"complete\": false");
  text_raw(out, ",\n  \"tolerance\": ");
  text_decimal(out, 0, r->merging.tolerance_ppm * 1000);
  text_raw(out, ",\n  ");
  program_write(out, h->command, h->command_size, h->started);
  text_raw(out, ",\n  \"host\": {\"cpu\": ");
  text_json(out, h->cpu);
  number(out, PROPHET_KEY_LOGICAL_CPUS, h->logical_cpus);
  text_char(out, '}');
}

static void write_names(struct text *out, const struct recorder *r, const struct counters *c) {
  text_raw(out, ",\n  \"sites\": [");
  for (uint32_t i = 0; i < r->sites.count; ++i) {
    text_raw(out, i ? ",\n    " : "\n    ");
    site_write(out, r->sites.texts[i], r->nowait[i / 8] >> i % 8 & 1, c ? &c->by_site[i] : NULL,
               c ? c->miss_event : NULL);
  }
  text_raw(out, "\n  ],\n  \"locks\": [");
  for (uint32_t i = 0; i < r->locks.count; ++i) {
    text_raw(out, i ? ", " : "");
    text_json(out, r->locks.texts[i]);
  }
  text_char(out, ']');
}

static void write_profiler(struct node_writer *w, const struct tree_header *h) {
  struct text *out = w->out;
  const struct recorder *r = w->r;
  const struct recorder_counters *c = &r->counters;
  uint64_t events = 2 * (c->tasks + c->sections + c->locks);
  text_raw(out, ",\n  \"profiler\": {");
  text_key(out, "events");
  text_u64(out, events);
  text_raw(out, ", \"overhead_ticks_per_event\": ");
  uint64_t each = events ? events : 1;
  text_decimal(out, w->subtracted / each,
               (uint32_t)((unsigned __int128)(w->subtracted % each) * 1000000000u / each));
  number(out, "subtracted_ticks", w->subtracted);
  number(out, "noise_ticks", r->merging.noise);
  number(out, "paused_ticks", c->paused_ticks);
  number(out, "waited_ticks", h->waited_ticks);
  number(out, "dropped_events", c->dropped);
  number(out, "other_thread_events", h->other_thread_events);
  number(out, "mismatched_ends", c->mismatched_ends);
  number(out, "misplaced_tasks", c->misplaced_tasks);
  number(out, "unfinished_tasks", c->unfinished_tasks);
  number(out, "abandoned_sections", c->abandoned);
  number(out, "sections_in_locks", c->sections_in_locks);
  number(out, "recursive_locks", c->recursive_locks);
  text_raw(out, r->full ? ", \"out_of_memory\": true" : ", \"out_of_memory\": false");
  if (h->counters && h->counters->miss_event) {
    text_raw(out, ", \"" PROPHET_KEY_COUNTERS "\": \"" PROPHET_COUNTERS_PAPI "\"");
  } else if (h->counters) {
    text_raw(out, ", \"" PROPHET_KEY_NO_COUNTERS "\": ");
    text_json(out, h->counters->reason);
  }
  text_char(out, '}');
}

void tree_write(struct text *out, struct recorder *r, const struct tree_header *header) {
  struct node_writer *w = &the_writer;
  *w = (struct node_writer){.out = out, .r = r, .subtracted = r->counters.own_ticks};
  write_program(out, r, header);
  write_names(out, r, header->counters);
  write_nodes(w);
  write_profiler(w, header);
  text_raw(out, "\n}\n");
}
