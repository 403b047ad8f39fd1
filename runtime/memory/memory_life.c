//===- memory_life.c - Whose memory is measured, and until when ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_life.h"

#include "memory_writer.h"
#include "process.h"
#include "system.h"

#include <prophet/memory_format.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UNITS = 256 };
/** IDLE: measuring, but no section has been reached. */
enum life { LIFE_UNBORN, LIFE_IDLE, LIFE_STARTING, LIFE_RECORDING, LIFE_OVER };

/** A unit and what its counters said when they were last settled. */
struct unit {
  const struct prophet_memory_unit *unit;
  unsigned long long *counts; ///< of the measured thread; null: not asked for yet
  unsigned long long settled[PROPHET_MEMORY_KINDS];
};

struct life_gate life_gate;
__thread char life_self __attribute__((tls_model("initial-exec")));

static struct process the_process;
static struct unit units[UNITS];
static unsigned unit_count;
static pthread_mutex_t units_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int the_life;
static pid_t owner_tid;
static pthread_key_t end_of_thread;
static atomic_int finisher_tid; ///< who writes the file; 0 = nobody yet
static atomic_bool finished;

static pid_t this_tid(void) { return (pid_t)syscall(SYS_gettid); }

bool profile_on_owner(void) { return life_is_owner(); }
pid_t profile_owner_tid(void) { return owner_tid; }
bool profile_is_busy(void) { return life_gate.busy; }

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

static void publish(uint32_t threshold) {
  life_gate.published = threshold;
  for (unsigned i = 0; i < unit_count; ++i)
    if (units[i].unit)
      *units[i].unit->threshold = threshold;
}

void life_add_unit(const struct prophet_memory_unit *unit) {
  pthread_mutex_lock(&units_lock);
  unsigned at = 0;
  while (at < unit_count && units[at].unit)
    ++at;
  if (at < UNITS) {
    units[at] = (struct unit){.unit = unit};
    unit_count += at == unit_count;
    *unit->threshold = life_gate.published;
  }
  pthread_mutex_unlock(&units_lock);
}

void life_remove_unit(const struct prophet_memory_unit *unit) {
  pthread_mutex_lock(&units_lock);
  for (unsigned i = 0; i < unit_count; ++i)
    if (units[i].unit == unit) {
      if (profile_on_owner() && life_enter()) {
        life_settle();
        life_leave();
      }
      units[i].unit = NULL;
    }
  pthread_mutex_unlock(&units_lock);
}

/** The counters of a library that was loaded by another thread are asked for by this one. */
static void settle_unit(struct unit *unit) {
  if (!unit->counts && profile_on_owner())
    unit->counts = unit->unit->counts();
  if (!unit->counts)
    return;
  for (unsigned kind = 0; kind < PROPHET_MEMORY_KINDS; ++kind) {
    unsigned long long now = unit->counts[kind];
    memory_count(&life_gate.profile, kind, now - unit->settled[kind]);
    unit->settled[kind] = now;
  }
}

void life_settle(void) {
  for (unsigned i = 0; i < unit_count; ++i)
    if (units[i].unit)
      settle_unit(&units[i]);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void life_leave_slowly(void) {
  if (life_gate.profile.threshold != life_gate.published && life_gate.published)
    publish(life_gate.profile.threshold);
  if (signals_pending)
    signals_deliver();
}

/** The measured thread ends: its counters go with it. */
static void at_thread_end(void *unused) {
  (void)unused;
  if (!life_enter())
    return;
  life_settle();
  life_leave();
  publish(0);
  for (unsigned i = 0; i < unit_count; ++i)
    units[i].counts = NULL;
  life_gate.owner = NULL;
}

static void at_quick_end(void) { profile_finish(ENDING_EXIT); }

/** A fork's child measures nothing and leaves its parent's file alone. */
static void in_child(void) {
  atomic_store(&the_life, LIFE_OVER);
  publish(0);
}

/** From now on the calling thread's accesses count. */
static void follow_this_thread(void) {
  life_gate.owner = &life_self;
  for (unsigned i = 0; i < unit_count; ++i) {
    if (!units[i].unit)
      continue;
    units[i].counts = units[i].unit->counts();
    memcpy(units[i].settled, units[i].counts, sizeof units[i].settled);
  }
}

static void take_over(void) {
  int saved = errno;
  if (!profile_on_owner())
    follow_this_thread();
  owner_tid = this_tid();
  pthread_key_create(&end_of_thread, at_thread_end);
  pthread_setspecific(end_of_thread, &life_gate.profile);
  at_quick_exit(at_quick_end);
  signals_install();
  atomic_store(&the_life, LIFE_RECORDING);
  errno = saved;
}

struct memory_profile *life_enter_section(void) {
  int idle = LIFE_IDLE;
  if (atomic_load_explicit(&the_life, memory_order_relaxed) == LIFE_IDLE &&
      atomic_compare_exchange_strong(&the_life, &idle, LIFE_STARTING)) {
    take_over();
  }
  return life_enter();
}

//===----------------------------------------------------------------------===//
// From start to end
//===----------------------------------------------------------------------===//

/** PROPHET_MEMORY_RATE as the k of 1/2^k; -1: not set. */
static int wanted_level(void) {
  const char *text = secure_getenv("PROPHET_MEMORY_RATE");
  if (!text || !*text)
    return -1;
  for (int level = 0; level <= 20; ++level) {
    char rate[16] = "1/";
    unsigned value = 1u << level, used = 16;
    char digits[16];
    for (; value; value /= 10)
      digits[--used] = (char)('0' + value % 10);
    memcpy(rate + 2, digits + used, 16 - used);
    rate[2 + 16 - used] = 0;
    if (strcmp(text, rate) == 0 || (level == 0 && strcmp(text, "1") == 0))
      return level;
  }
  process_say("PROPHET_MEMORY_RATE='", text,
              "' is not 1 or 1/2, 1/4, ... 1/1048576; choosing the rate", NULL);
  return -1;
}

__attribute__((constructor)) static void at_start(void) {
  static const struct process_file file = {"PROPHET_MEMORY_OUT", PROPHET_MEMORY_SUFFIX};
  process_describe(&the_process, &file);
  if (the_process.disabled)
    return;
  if (!memory_init(&life_gate.profile, wanted_level())) {
    process_say("not measuring memory: the address space is too small; raise 'ulimit -v'", NULL);
    return;
  }
  life_gate.owner = &life_self;
  owner_tid = this_tid();
  pthread_atfork(NULL, NULL, in_child);
  atomic_store(&the_life, LIFE_IDLE);
  publish(life_gate.profile.threshold);
}

__attribute__((destructor)) static void at_end(void) { profile_finish(ENDING_EXIT); }

static void write_profile(struct text *out, void *header) {
  memory_write(out, &life_gate.profile, header);
}

static void finish(enum ending ending) {
  bool parked = !profile_on_owner() && life_gate.owner;
  if (parked && !signals_park_owner()) {
    process_say("no memory profile written: the program ended in another thread while the "
                "measured one ran",
                NULL);
    return;
  }
  if (life_gate.busy) {
    process_say("no memory profile written: the program ended within the profiler", NULL);
    return;
  }
  life_gate.busy = true;
  life_settle();
  publish(0);
  memory_finish(&life_gate.profile);
  struct memory_header header = {.complete = ending == ENDING_EXIT && life_gate.profile.depth == 0,
                                 .command = the_process.command,
                                 .command_size = the_process.command_size,
                                 .started = the_process.started,
                                 .dropped = life_gate.dropped};
  process_write(&the_process, write_profile, &header, header.complete);
  if (parked)
    signals_unpark_owner();
}

/** Waits for the thread that is writing, some seconds at most. */
static void await_finisher(void) {
  const struct timespec pause = {0, 1000000};
  for (int i = 0; i < 10000 && !atomic_load(&finished); ++i)
    nanosleep(&pause, NULL);
}

void profile_finish(enum ending ending) {
  int saved = errno;
  if (the_process.verbose && !the_process.disabled && atomic_load(&the_life) == LIFE_IDLE)
    process_say("nothing to write: no annotated section was reached", NULL);
  if (atomic_load(&the_life) != LIFE_RECORDING || system_process() != the_process.pid)
    return;
  int nobody_yet = 0;
  if (atomic_compare_exchange_strong(&finisher_tid, &nobody_yet, this_tid())) {
    finish(ending);
    atomic_store(&finished, true);
  } else if (nobody_yet != this_tid()) {
    await_finisher();
  }
  errno = saved;
}
