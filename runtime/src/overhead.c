//===- overhead.c - Measuring what a leaf contains of the profiler -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "overhead.h"

#include "recorder.h"

#include <prophet/profile.h>

#include <string.h>

enum {
  LONGEST = 1024,
  ROUNDS = 128,
  TIGHT_ROUNDS = 1024,
  BATCHES = 64,
  BATCH = 32,
  SPAWNED_ROUNDS = 8
};

/** How often a leaf of so many ticks was seen. Longer ones are interrupts; they count as LONGEST.
 */
struct histogram {
  uint16_t seen[LONGEST];
};

struct measurement {
  const struct recorder *r;
  const struct prophet_runtime_api *api;
  uint64_t last;  ///< recorder.last at the event before
  uint64_t clock; ///< recorder_clock then: without what look-ups took
  struct histogram leaves[LEAF_FROMS][LEAF_TOS];
  struct histogram spawned; ///< times from a spawned task to the next
  struct histogram batches; ///< means of empty tasks that no measuring lies between
};

static void count(struct histogram *h, uint64_t ticks) {
  ++h->seen[ticks < LONGEST ? ticks : LONGEST - 1];
}

/** The event before this one closed a leaf that is of no interest here. */
static void skip(struct measurement *m) {
  m->last = m->r->last;
  m->clock = recorder_clock(m->r);
}

/** The call before this one closed a leaf of this kind. */
static void sample(struct measurement *m, enum leaf_from from, enum leaf_to to) {
  count(&m->leaves[from][to], recorder_clock(m->r) - m->clock);
  skip(m);
}

static void empty_task(struct measurement *m) {
  unsigned task = m->api->task_begin();
  m->api->task_end(&task);
}

static void empty_section(struct measurement *m, enum leaf_from from) {
  unsigned section = m->api->section_begin("parallel_for|||calibration|");
  sample(m, from, TO_SECTION_BEGIN);
  empty_task(m);
  skip(m);
  m->api->section_end(&section);
}

/** A task with locks: apart, adjacent and one in the other. */
static void task_of_locks(struct measurement *m) {
  unsigned task = m->api->task_begin();
  unsigned outer = m->api->lock_begin("a");
  sample(m, FROM_TASK, TO_LOCK_BEGIN);
  m->api->lock_end(&outer);
  sample(m, FROM_LOCK_BEGIN, TO_LOCK_END);
  outer = m->api->lock_begin("a");
  sample(m, FROM_LOCK_END, TO_LOCK_BEGIN);
  unsigned inner = m->api->lock_begin("b");
  sample(m, FROM_LOCK_BEGIN, TO_LOCK_BEGIN);
  m->api->lock_end(&inner);
  sample(m, FROM_LOCK_BEGIN, TO_LOCK_END);
  m->api->lock_end(&outer);
  sample(m, FROM_LOCK_END, TO_LOCK_END);
  m->api->task_end(&task);
  sample(m, FROM_LOCK_END, TO_TASK_END);
}

/** A task with inner sections: at its start, after each other and beside a lock. */
static void task_of_sections(struct measurement *m) {
  unsigned task = m->api->task_begin();
  empty_section(m, FROM_TASK);
  empty_section(m, FROM_SECTION_END);
  unsigned lock = m->api->lock_begin("a");
  sample(m, FROM_SECTION_END, TO_LOCK_BEGIN);
  m->api->lock_end(&lock);
  skip(m);
  empty_section(m, FROM_LOCK_END);
  m->api->task_end(&task);
  sample(m, FROM_SECTION_END, TO_TASK_END);
}

/** Tasks whose spawner does nothing itself. */
static void spawned_tasks(struct measurement *m) {
  unsigned section = m->api->section_begin("tasks|||calibration|");
  for (int i = 0; i < BATCH; ++i) {
    skip(m);
    unsigned task = m->api->task_begin();
    if (i > 0)
      count(&m->spawned, m->r->last - m->last);
    m->api->task_end(&task);
  }
  m->api->section_end(&section);
  skip(m);
}

static void empty_batch(struct measurement *m) {
  skip(m);
  for (int i = 0; i < BATCH; ++i)
    empty_task(m);
  count(&m->batches, (m->r->last - m->last) / BATCH);
  skip(m);
}

/** The length below which `permille` of the leaves are. */
static uint64_t quantile(const struct histogram *h, unsigned permille) {
  uint64_t count = 0;
  for (unsigned i = 0; i < LONGEST; ++i)
    count += h->seen[i];
  uint64_t below = 0;
  for (unsigned i = 0; i < LONGEST; ++i) {
    below += h->seen[i];
    if (count && below * 1000 >= count * permille)
      return i;
  }
  return 0;
}

struct overhead_table overhead_measure(const struct recorder *r,
                                       const struct prophet_runtime_api *api, uint64_t *noise) {
  static struct measurement m;
  memset(&m, 0, sizeof m);
  m.r = r;
  m.api = api;
  unsigned section = api->section_begin("parallel_for|||calibration|");
  for (int i = 0; i < ROUNDS; ++i) {
    empty_task(&m);
    skip(&m);
    task_of_locks(&m);
    task_of_sections(&m);
  }
  for (int i = 0; i < TIGHT_ROUNDS; ++i) {
    empty_task(&m);
    sample(&m, FROM_TASK, TO_TASK_END);
  }
  for (int i = 0; i < BATCHES; ++i)
    empty_batch(&m);
  api->section_end(&section);
  for (int i = 0; i < SPAWNED_ROUNDS; ++i)
    spawned_tasks(&m);

  const struct histogram *bare = &m.leaves[FROM_TASK][TO_TASK_END];
  uint64_t task = quantile(&m.batches, 500), single = quantile(bare, 500);
  uint64_t measuring = single > task ? single - task : 0; // lies in every single leaf
  struct overhead_table table;
  for (int from = 0; from < LEAF_FROMS; ++from)
    for (int to = 0; to < LEAF_TOS; ++to) {
      uint64_t ticks = quantile(&m.leaves[from][to], 500);
      table.ticks[from][to] = ticks > measuring ? ticks - measuring : 0;
    }
  table.between_spawned = quantile(&m.spawned, 500); // the measuring lies in the tasks
  uint64_t spread = quantile(bare, 990) - quantile(bare, 10);
  *noise = spread < LEAST_NOISE ? LEAST_NOISE : spread > MOST_NOISE ? MOST_NOISE : spread;
  return table;
}
