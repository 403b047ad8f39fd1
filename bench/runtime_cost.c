//===- runtime_cost.c - What an event costs ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nanoseconds per begin/end pair in a tight loop, beside the clock reads that the
// pair makes. Rounds of all loops are interleaved and each ratio is the median over
// rounds of (loop / clock loop of the same round), so that a noisy machine moves both. A
// round is shorter than a time slice: most are not interrupted.
// The compiler must not see through the calls: they go through the table, as in a
// program that the plugin compiled.
//
//===----------------------------------------------------------------------===//
#include "runtime/src/clock.h"

#include <prophet/profile.h>

#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 5000, ROUNDS = 1001 };

static const struct prophet_runtime_api *volatile the_api;
static volatile uint64_t sink;
static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

/** Each loop leaves the runtime inside one section, directly. */
static void one_read(const struct prophet_runtime_api *api) {
  (void)api;
  for (int i = 0; i < ITERATIONS; ++i)
    sink = clock_ticks();
}

static void two_reads(const struct prophet_runtime_api *api) {
  (void)api;
  for (int i = 0; i < ITERATIONS; ++i) {
    sink = clock_ticks();
    sink = clock_ticks();
  }
}

static void tasks(const struct prophet_runtime_api *api) {
  for (int i = 0; i < ITERATIONS; ++i) {
    unsigned task = api->task_begin();
    api->task_end(&task);
  }
}

/** As macros have them, without handles. */
static void tasks_by_hand(const struct prophet_runtime_api *api) {
  api->open_section("parallel_for|runtime_cost.c|3|by hand|");
  for (int i = 0; i < ITERATIONS; ++i) {
    api->open_task();
    api->close_task();
  }
  api->close_section(0);
}

/** Spawned: the spawner's time counts and the begin's own does not, for which it reads twice. */
static void spawned_tasks(const struct prophet_runtime_api *api) {
  unsigned tasks = 0;
  for (int i = 0; i < ITERATIONS; ++i) {
    unsigned task = api->spawn_begin(&tasks, "tasks|runtime_cost.c|4|spawned|");
    api->task_end(&task);
  }
  api->tasks_end(&tasks);
}

/** All in one task: two reads a pair. */
static void locks(const struct prophet_runtime_api *api) {
  for (int i = 0; i < ITERATIONS; ++i) {
    unsigned task = api->task_begin();
    unsigned lock = api->lock_begin("bench");
    api->lock_end(&lock);
    api->task_end(&task);
  }
}

/** Inner loops of one iteration. */
static void sections(const struct prophet_runtime_api *api) {
  for (int i = 0; i < ITERATIONS; ++i) {
    unsigned task = api->task_begin();
    unsigned section = api->section_begin("parallel_for|runtime_cost.c|1|inner|");
    unsigned inner = api->task_begin();
    api->task_end(&inner);
    api->section_end(&section);
    api->task_end(&task);
  }
}

static uint64_t waste(uint64_t steps) {
  uint64_t x = steps;
  for (; steps; --steps)
    x = x * 3 + 1;
  return x;
}

static void random_work(const struct prophet_runtime_api *api) {
  (void)api;
  for (int i = 0; i < ITERATIONS; ++i)
    sink = waste(next_random() % 256);
}

static void random_tasks(const struct prophet_runtime_api *api) {
  for (int i = 0; i < ITERATIONS; ++i) {
    unsigned task = api->task_begin();
    sink = waste(next_random() % 256);
    api->task_end(&task);
  }
}

static void random_lock_tasks(const struct prophet_runtime_api *api) {
  for (int i = 0; i < ITERATIONS; ++i) {
    unsigned task = api->task_begin();
    sink = waste(next_random() % 128);
    unsigned lock = api->lock_begin("bench");
    sink = waste(next_random() % 128);
    api->lock_end(&lock);
    api->task_end(&task);
  }
}

struct loop {
  const char *name;
  void (*run)(const struct prophet_runtime_api *);
  int reads; ///< clock reads an iteration
  double ns[ROUNDS];
};

static struct loop loops[] = {
    {"1 clock read", one_read, 1, {0}},
    {"2 clock reads", two_reads, 2, {0}},
    {"task pair", tasks, 1, {0}},
    {"task with a lock pair", locks, 3, {0}},
    {"task with a section of one task", sections, 3, {0}},
    {"work of random length", random_work, 0, {0}},
    {"tasks of random length", random_tasks, 1, {0}},
    {"tasks of random length with a lock", random_lock_tasks, 3, {0}},
    {"task pair by macros", tasks_by_hand, 1, {0}},
    {"spawned task pair", spawned_tasks, 3, {0}},
};
enum { LOOPS = sizeof loops / sizeof *loops };

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const double *values, const double *base, const double *less, double scale) {
  double sorted[ROUNDS];
  for (int i = 0; i < ROUNDS; ++i)
    sorted[i] = (values[i] - (less ? less[i] : 0)) / (base ? base[i] * scale : 1);
  qsort(sorted, ROUNDS, sizeof *sorted, by_value);
  return sorted[ROUNDS / 2];
}

int main(void) {
  the_api = prophet_runtime_get_api(PROPHET_RUNTIME_API_VERSION);
  const struct prophet_runtime_api *api = the_api;
  clock_start();
  unsigned section = api->section_begin("parallel_for|runtime_cost.c|2|bench|");
  for (int round = 0; round < ROUNDS; ++round)
    for (int i = 0; i < LOOPS; ++i) {
      uint64_t before = monotonic_ns();
      loops[i].run(api);
      loops[i].ns[round] = (double)(monotonic_ns() - before) / ITERATIONS;
    }
  api->section_end(&section);
  printf("%-36s %8s %14s\n", "", "ns", "x its reads");
  for (int i = 0; i < LOOPS; ++i) {
    const double *less =
        loops[i].run == random_tasks || loops[i].run == random_lock_tasks ? loops[5].ns : NULL;
    printf("%-36s %8.2f", loops[i].name, median(loops[i].ns, NULL, less, 1));
    if (loops[i].reads)
      printf(" %14.3f", median(loops[i].ns, loops[0].ns, less, loops[i].reads));
    printf("\n");
  }
  printf("task pair / 2 clock reads: %.3f\n", median(loops[2].ns, loops[1].ns, NULL, 1));
  return 0;
}
