//===- ending.c - A profile is written once ------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "process.h"
#include "system.h"

#include <errno.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int finisher_tid; ///< who writes the profile; 0 = nobody yet
static atomic_bool finished;

/** Waits for the thread that is writing, some seconds at most. */
static void await_finisher(void) {
  const struct timespec pause = {0, 1000000};
  for (int i = 0; i < 10000 && !atomic_load(&finished); ++i)
    nanosleep(&pause, NULL);
}

void process_end(const struct process *p, enum life life, void (*finish)(enum ending),
                 enum ending ending) {
  int saved = errno;
  if (p->verbose && !p->disabled && life == LIFE_IDLE)
    process_say("nothing to write: no annotated section was reached", NULL);
  if (life != LIFE_RECORDING || system_process() != p->pid)
    return;
  int nobody_yet = 0, this_tid = (int)syscall(SYS_gettid);
  if (atomic_compare_exchange_strong(&finisher_tid, &nobody_yet, this_tid)) {
    finish(ending);
    atomic_store(&finished, true);
  } else if (nobody_yet != this_tid) {
    await_finisher();
  }
  errno = saved;
}
