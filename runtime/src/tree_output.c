//===- tree_output.c - The recorder's file --------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clock.h"
#include "process.h"
#include "tree_writer.h"

struct tree {
  struct recorder *recorder;
  struct tree_header header;
};

static void write_tree(struct text *out, void *context) {
  struct tree *tree = context;
  tree_write(out, tree->recorder, &tree->header);
}

static uint64_t ticks_of(uint64_t ns) {
  return (uint64_t)((unsigned __int128)ns * clock_hz() / 1000000000u);
}

bool process_write_tree(const struct process *p, struct recorder *r, uint64_t waited_ns,
                        const struct counters *counters, bool complete,
                        uint64_t other_thread_events) {
  struct tree tree = {r,
                      {.timebase_hz = clock_hz(),
                       .complete = complete,
                       .command = p->command,
                       .command_size = p->command_size,
                       .started = p->started,
                       .cpu = p->cpu,
                       .logical_cpus = p->logical_cpus,
                       .waited_ticks = ticks_of(waited_ns),
                       .other_thread_events = other_thread_events,
                       .counters = counters}};
  return process_write(p, write_tree, &tree, complete);
}
