//===- trace-runtime.c - A runtime that prints what it is told --*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
//
// A test double for libprophet: one line on standard output for each event,
// indented by nesting. An `end` that does not close the innermost open event is
// marked, as is what is still open at exit.
//
//===--------------------------------------------------------------------===//
#include "prophet/profile.h"

#include <stdio.h>

static unsigned depth;

static unsigned open_event(const char *kind, const char *what) {
  printf("%*s%s%s%s\n", (int)(2 * depth), "", kind, *what ? " " : "", what);
  return ++depth;
}

static void close_event(const char *kind, unsigned *handle) {
  if (*handle == 0) /* nothing was begun */
    return;
  if (*handle != depth)
    printf("MISMATCH: %s %u closed at depth %u\n", kind, *handle, depth);
  depth = *handle - 1;
  printf("%*send %s\n", (int)(2 * depth), "", kind);
}

unsigned __prophet_section_begin(const char *site) { return open_event("section", site); }
void __prophet_section_end(unsigned *handle) { close_event("section", handle); }
unsigned __prophet_task_begin(void) { return open_event("task", ""); }
void __prophet_task_end(unsigned *handle) { close_event("task", handle); }
unsigned __prophet_lock_begin(const char *lock) { return open_event("lock", lock); }
void __prophet_lock_end(unsigned *handle) { close_event("lock", handle); }

unsigned __prophet_spawn_begin(unsigned *tasks, const char *site) {
  if (*tasks == 0)
    *tasks = open_event("section", site);
  if (*tasks != depth)
    printf("MISMATCH: task of %u opened at depth %u\n", *tasks, depth);
  return open_event("task", "");
}
void __prophet_tasks_end(unsigned *tasks) {
  if (*tasks != 0)
    close_event("section", tasks);
  *tasks = 0;
}

void __prophet_pause(void) { printf("%*spause\n", (int)(2 * depth), ""); }
void __prophet_resume(void) { printf("%*sresume\n", (int)(2 * depth), ""); }

static const struct prophet_runtime_api api = {
    PROPHET_RUNTIME_API_VERSION, sizeof(struct prophet_runtime_api),
    __prophet_section_begin,     __prophet_section_end,
    __prophet_task_begin,        __prophet_task_end,
    __prophet_lock_begin,        __prophet_lock_end,
    __prophet_spawn_begin,       __prophet_tasks_end,
    __prophet_pause,             __prophet_resume,
};

const int prophet_runtime_linked = 1;

const struct prophet_runtime_api *prophet_runtime_get_api(unsigned version) {
  return version <= PROPHET_RUNTIME_API_VERSION ? &api : 0;
}

__attribute__((destructor)) static void at_exit(void) {
  if (depth)
    printf("OPEN AT EXIT: %u\n", depth);
}
