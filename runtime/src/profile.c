//===- profile.c - The exported calls and the profile's life -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only symbols that leave this library are those of prophet/profile.h.
//
//===----------------------------------------------------------------------===//
#include "calls.h"
#include "system.h"

#include <prophet/tree_format.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct recorder the_recorder = {.state = STATE_OFF};
struct recorder nobody = {.state = STATE_NOBODY};
struct counters the_counters;
__thread struct recorder *mine __attribute__((tls_model("initial-exec"))) = &nobody;

static struct process the_process;
static atomic_int the_life;
static atomic_ulong other_thread_events;
static pid_t owner_tid;
/** How many ns of waiting for a core do not count: the first thread's before the clock started, and
 * what passed while the profiler started. */
static uint64_t waited_before;

/** What the calling thread has paused before anything was profiled. */
static __thread struct {
  unsigned depth;
  uint64_t since, total;
} early __attribute__((tls_model("initial-exec")));

static pid_t this_tid(void) { return (pid_t)syscall(SYS_gettid); }

bool profile_on_owner(void) { return mine == &the_recorder; }
pid_t profile_owner_tid(void) { return owner_tid; }
bool profile_is_busy(void) { return the_recorder.state == STATE_SLOW; }

//===----------------------------------------------------------------------===//
// The profile's life
//===----------------------------------------------------------------------===//

/** A fork's child records nothing and leaves its parent's file alone. */
static void in_child(void) {
  atomic_store(&the_life, LIFE_OVER);
  the_recorder.state = STATE_OFF;
}

static void at_quick_end(void) { profile_finish(ENDING_EXIT); }

__attribute__((constructor)) static void at_start(void) {
  static const struct process_file file = {"PROPHET_OUT", PROPHET_TREE_SUFFIX};
  process_describe(&the_process, &file); // before the clock starts: its time is not the program's
  if (!the_process.disabled) {
    process_find_tolerance(&the_process);
    waited_before = process_waited_ns(the_process.pid);
  }
  clock_start();
}

__attribute__((destructor)) static void at_end(void) { profile_finish(ENDING_EXIT); }

/** Measures the profiler's own cost, then starts recording afresh. */
static bool start_recorder(uint64_t first_event) {
  struct recorder *r = &the_recorder;
  if (!recorder_init(r, the_process.tolerance_ppm, clock_ticks()))
    return false;
  r->no_short_way = !clock_is_counter;
  r->merging = merging_make(the_process.tolerance_ppm, MOST_NOISE); // as regular as it will be
  r->overhead.between_spawned = UNMEASURED;
  mine = r;
  uint64_t noise = 0;
  struct overhead_table overhead =
      overhead_measure(r, prophet_runtime_get_api(PROPHET_RUNTIME_API_VERSION), &noise);
  papi_start(&the_counters);
  // What has passed since the first event is ours: time stands still for the program.
  uint64_t before = first_event - clock_started_at() - early.total;
  recorder_restart(r, overhead, noise, clock_ticks() - before);
  r->counters.paused_ticks = early.total;
  return true;
}

/** Makes the calling thread the profiled one if there is none yet. */
static bool become_owner(uint64_t first_event) {
  int idle = LIFE_IDLE;
  if (the_process.disabled || !atomic_compare_exchange_strong(&the_life, &idle, LIFE_STARTING))
    return false;
  int saved = errno;
  owner_tid = this_tid();
  if (owner_tid != the_process.pid)
    waited_before = 0;
  uint64_t waited = process_waited_ns(owner_tid);
  bool started = start_recorder(first_event);
  waited_before += process_waited_ns(owner_tid) - waited;
  if (started) {
    pthread_atfork(NULL, NULL, in_child);
    at_quick_exit(at_quick_end);
    signals_install();
  } else {
    mine = &nobody;
    process_say("not profiling: the address space is too small; raise 'ulimit -v'", NULL);
  }
  atomic_store(&the_life, started ? LIFE_RECORDING : LIFE_OVER);
  errno = saved;
  return started;
}

/** How many ns the profiled thread has been ready without a core since the clock started. */
static uint64_t waited(void) {
  uint64_t now = process_waited_ns(owner_tid);
  return now > waited_before ? now - waited_before : 0;
}

static void finish(enum ending ending) {
  bool parked = !profile_on_owner();
  if (parked && !signals_park_owner()) {
    process_say("no tree written: the program ended in another thread while the profiled one ran",
                NULL);
    return;
  }
  if (profile_is_busy()) {
    process_say("no tree written: the program ended within the profiler", NULL);
    return;
  }
  unsigned open = recorder_close(&the_recorder, clock_ticks());
  if (!parked && ending == ENDING_EXIT && the_counters.counting)
    counters_follow(&the_counters, &the_recorder);
  if (the_recorder.full)
    process_say("the profile ended early: its memory ran out; raise 'ulimit -v' or "
                "PROPHET_TOLERANCE",
                NULL);
  bool complete = ending == ENDING_EXIT && open == 0 && !the_recorder.full;
  process_write_tree(&the_process, &the_recorder, waited(), &the_counters, complete,
                     atomic_load(&other_thread_events));
  if (parked)
    signals_unpark_owner();
}

void profile_finish(enum ending ending) {
  process_end(&the_process, (enum life)atomic_load(&the_life), finish, ending);
}

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

NOINLINE unsigned foreign_event(void) {
  if (atomic_load_explicit(&the_life, memory_order_relaxed) != LIFE_IDLE)
    atomic_fetch_add_explicit(&other_thread_events, 1, memory_order_relaxed);
  return NO_HANDLE;
}

static NOINLINE void foreign_end(unsigned handle) {
  if (handle)
    foreign_event();
}

NOINLINE bool first_section(uint64_t *ticks) {
  if (early.depth)
    return false;
  if (!become_owner(*ticks)) {
    foreign_event();
    return false;
  }
  *ticks = clock_ticks();
  return true;
}

unsigned __prophet_section_begin(const char *site) {
  uint64_t ticks = clock_ticks();
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (!is_owner(&ticks))
    return NO_HANDLE;
  unsigned handle = recorder_section_begin(mine, site, stack, ticks);
  count(mine);
  deliver_signals();
  return handle;
}

void __prophet_section_end(unsigned *handle) {
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody)) {
    foreign_end(*handle);
    return;
  }
  uint64_t last = r->last, now = clock_at_section_end(r);
  recorder_section_end(r, *handle, state_is_section(r->state) ? last : now);
  if (now != last)
    settle(r, now);
  count(r);
  deliver_signals();
}

static __attribute__((noinline)) unsigned task_begin_slowly(struct recorder *r) {
  if (r == &nobody)
    return foreign_event();
  unsigned handle = recorder_task_begin(r, clock_ticks());
  deliver_signals();
  return handle;
}

// Aligned: where the clock's instruction lies in a cache line changes what the whole pair costs.
__attribute__((aligned(64))) unsigned __prophet_task_begin(void) {
  struct recorder *r = mine;
  unsigned handle;
  if (recorder_begin_bare_task(r, &handle))
    return handle;
  return task_begin_slowly(r);
}

static __attribute__((noinline)) void task_end_slowly(struct recorder *r, unsigned handle) {
  if (r == &nobody) {
    foreign_end(handle);
    return;
  }
  uint64_t ticks = clock_ticks();
  recorder_task_end(r, handle, ticks);
  settle(r, ticks);
  deliver_signals();
}

static __attribute__((noinline)) void other_task(struct recorder *r, uint64_t ticks) {
  recorder_end_other_task(r, ticks);
  recorder_skip(r, ticks, clock_ticks()); // what a look-up takes varies, and tasks may be short
  deliver_signals();
}

__attribute__((aligned(64))) void __prophet_task_end(unsigned *end) {
  struct recorder *r = mine;
  unsigned handle = *end;
  if (!recorder_claim_task(r, handle)) {
    task_end_slowly(r, handle);
    return;
  }
  uint64_t ticks = counter_ticks();
  if (!recorder_end_bare_task(r, handle, ticks))
    other_task(r, ticks);
}

unsigned __prophet_lock_begin(const char *lock) {
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody))
    return foreign_event();
  unsigned handle = recorder_lock_begin(r, lock, clock_ticks());
  deliver_signals();
  return handle;
}

void __prophet_lock_end(unsigned *handle) {
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody)) {
    foreign_end(*handle);
    return;
  }
  recorder_lock_end(r, *handle, clock_ticks());
  deliver_signals();
}

unsigned __prophet_spawn_begin(unsigned *tasks, const char *site) {
  uint64_t ticks = clock_ticks();
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (!is_owner(&ticks))
    return NO_HANDLE;
  unsigned handle = recorder_spawn_begin(mine, tasks, site, stack, ticks);
  if (handle != NO_HANDLE) // what opening a section takes varies, and the task may be short
    recorder_skip(mine, ticks, clock_ticks());
  count(mine);
  deliver_signals();
  return handle;
}

void __prophet_tasks_end(unsigned *tasks) {
  if (*tasks == 0) // as in most executions of most functions
    return;
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody)) {
    foreign_event();
    *tasks = 0;
    return;
  }
  uint64_t ticks = clock_ticks();
  recorder_tasks_end(r, tasks, ticks);
  settle(r, ticks);
  count(r);
  deliver_signals();
}

static NOINLINE void early_pause(void) {
  if (atomic_load(&the_life) != LIFE_IDLE)
    foreign_event();
  else if (early.depth++ == 0)
    early.since = clock_ticks();
}

static NOINLINE void early_resume(void) {
  if (atomic_load(&the_life) != LIFE_IDLE)
    foreign_event();
  else if (early.depth && --early.depth == 0)
    early.total += clock_ticks() - early.since;
}

void __prophet_pause(void) {
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody)) {
    early_pause();
    return;
  }
  recorder_pause(r, clock_ticks());
  deliver_signals();
}

void __prophet_resume(void) {
  struct recorder *r = mine;
  if (UNLIKELY(r == &nobody)) {
    early_resume();
    return;
  }
  recorder_resume(r, clock_ticks());
  deliver_signals();
}

const int prophet_runtime_linked = 1;

const struct prophet_runtime_api *prophet_runtime_get_api(unsigned version) {
  static const struct prophet_runtime_api api = {
      PROPHET_RUNTIME_API_VERSION,
      sizeof(struct prophet_runtime_api),
      __prophet_section_begin,
      __prophet_section_end,
      __prophet_task_begin,
      __prophet_task_end,
      __prophet_lock_begin,
      __prophet_lock_end,
      __prophet_spawn_begin,
      __prophet_tasks_end,
      __prophet_pause,
      __prophet_resume,
      __prophet_open_section,
      __prophet_close_section,
      __prophet_open_task,
      __prophet_close_task,
      __prophet_next_task,
      __prophet_open_lock,
      __prophet_close_lock,
  };
  return version >= 1 && version <= PROPHET_RUNTIME_API_VERSION ? &api : NULL;
}
