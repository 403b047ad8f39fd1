//===- memory_life.c - Whose memory is measured, and until when ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_life.h"

#include "arena.h"
#include "memory_units.h"
#include "memory_writer.h"
#include "process.h"
#include "system.h"

#include <prophet/memory_format.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HANDOVER_MS = 10000 };

struct life_gate life_gate;
__thread char life_self __attribute__((tls_model("initial-exec")));

static struct process the_process;
static atomic_int the_life = LIFE_OVER; ///< until at_start
static atomic_int owner_tid;
static pthread_key_t end_of_thread;

static pid_t this_tid(void) { return (pid_t)syscall(SYS_gettid); }

bool profile_on_owner(void) { return life_is_owner(); }
pid_t profile_owner_tid(void) { return atomic_load(&owner_tid); }
bool profile_is_busy(void) { return LIFE_READ(busy); }

//===----------------------------------------------------------------------===//
// Whose it is
//===----------------------------------------------------------------------===//

struct memory_profile *life_enter_early(void) {
  if (LIFE_READ(early) != &life_self || LIFE_READ(published) == 0)
    return NULL;
  if (LIFE_READ(early_busy)) {
    ++life_gate.dropped;
    return NULL;
  }
  atomic_store(&life_gate.early_busy, true);
  if (atomic_load(&life_gate.early) == &life_self)
    return &life_gate.profile;
  atomic_store(&life_gate.early_busy, false);
  return NULL;
}

void life_leave_slowly(void) {
  struct memory_profile *m = life_enter();
  if (m) {
    if (m->threshold != LIFE_READ(published))
      units_publish(m->threshold);
    atomic_store_explicit(&life_gate.busy, false, memory_order_relaxed);
    atomic_store_explicit(&life_gate.early_busy, false, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
  }
  if (signals_pending && life_is_owner())
    signals_deliver();
}

/** The measured thread ends, and its counters with it. Signals that are to park it come too late.
 */
static void at_thread_end(void *unused) {
  (void)unused;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  struct memory_profile *m = life_enter();
  if (!m) { // the profile is finished, or was never begun
    units_unfollow(&life_self);
    return;
  }
  units_settle(m);
  units_follow(NULL);
  if (life_is_owner())
    units_publish(0);
  life_leave();
  atomic_store(&life_gate.early, NULL);
  if (life_is_owner()) {
    atomic_store(&life_gate.owner, NULL);
    atomic_store(&owner_tid, 0);
  }
}

/** The thread that has the profile is within it for moments only. */
static bool await_early(void) {
  const struct timespec pause = {0, 1000000};
  for (int i = 0; i < HANDOVER_MS && atomic_load(&life_gate.early_busy); ++i)
    nanosleep(&pause, NULL);
  return !atomic_load(&life_gate.early_busy);
}

/** Makes the calling thread the measured one. */
static bool take_over(void) {
  if (atomic_exchange(&life_gate.early, NULL) == &life_self) {
    // Within it already where a signal's handler has interrupted the profiler.
    atomic_store(&life_gate.busy, atomic_load(&life_gate.early_busy));
    atomic_store(&life_gate.owner, &life_self);
    return true;
  }
  if (!await_early())
    return false;
  atomic_store(&life_gate.busy, true);
  atomic_store(&life_gate.owner, &life_self);
  pthread_setspecific(end_of_thread, &life_gate.profile);
  units_settle(&life_gate.profile); // what the thread before has counted
  units_follow(&life_self);
  atomic_store(&life_gate.busy, false);
  return true;
}

static void at_quick_end(void) { profile_finish(ENDING_EXIT); }

static void start(void) {
  int saved = errno;
  bool taken = take_over();
  if (taken) {
    atomic_store(&owner_tid, this_tid());
    at_quick_exit(at_quick_end);
    signals_install();
  } else {
    process_say("not measuring memory: the thread that the program began with does not get out of "
                "the profiler",
                NULL);
  }
  atomic_store(&the_life, taken ? LIFE_RECORDING : LIFE_OVER);
  errno = saved;
}

struct memory_profile *life_enter_section(void) {
  int idle = LIFE_IDLE;
  if (atomic_load_explicit(&the_life, memory_order_relaxed) == LIFE_IDLE &&
      atomic_compare_exchange_strong(&the_life, &idle, LIFE_STARTING))
    start();
  return life_enter();
}

/** A fork's child measures nothing and leaves its parent's file alone. */
static void in_child(void) {
  atomic_store(&the_life, LIFE_OVER);
  units_after_fork();
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

/** Whether the program gets as much as the profile has reserved, about: where 'ulimit -v' is low.
 */
static bool has_room_left(void) {
  const size_t room = (size_t)128 << 20;
  void *probe = arena_reserve(room);
  arena_release(probe, room);
  return probe != NULL;
}

__attribute__((constructor)) static void at_start(void) {
  static const struct process_file file = {"PROPHET_MEMORY_OUT", PROPHET_MEMORY_SUFFIX};
  process_describe(&the_process, &file);
  if (the_process.disabled)
    return;
  if (!memory_init(&life_gate.profile, wanted_level()) || !has_room_left()) {
    memory_destroy(&life_gate.profile); // what it got is the program's
    process_say("not measuring memory: the address space is too small; raise 'ulimit -v'", NULL);
    return;
  }
  atomic_store(&life_gate.early, &life_self);
  pthread_key_create(&end_of_thread, at_thread_end);
  pthread_setspecific(end_of_thread, &life_gate.profile);
  pthread_atfork(NULL, NULL, in_child);
  units_follow(&life_self);
  units_publish(life_gate.profile.threshold);
  atomic_store(&the_life, LIFE_IDLE);
}

__attribute__((destructor)) static void at_end(void) { profile_finish(ENDING_EXIT); }

static void write_profile(struct text *out, void *header) {
  memory_write(out, &life_gate.profile, header);
}

/** What a thread counts is in registers, too, until it leaves functions. */
static bool has_counted_all(bool parked, enum ending ending) {
  if (!parked || !atomic_load(&life_gate.owner)) // which may have ended meanwhile
    return true;
  if (ending == ENDING_EXIT)
    process_say("the memory profile is incomplete: the program ended in another thread while the "
                "measured one ran",
                NULL);
  return false;
}

static void finish(enum ending ending) {
  bool parked = !profile_on_owner() && atomic_load(&life_gate.owner);
  if (parked && !signals_park_owner()) {
    process_say("no memory profile written: the program ended in another thread while the "
                "measured one ran",
                NULL);
    return;
  }
  if (profile_is_busy()) {
    process_say("no memory profile written: the program ended within the profiler", NULL);
    return;
  }
  struct memory_profile *m = &life_gate.profile;
  atomic_store(&life_gate.busy, true);
  units_settle(m);
  units_publish(0);
  memory_finish(m);
  bool complete = has_counted_all(parked, ending) && ending == ENDING_EXIT && m->depth == 0;
  struct memory_header header = {.complete = complete,
                                 .command = the_process.command,
                                 .command_size = the_process.command_size,
                                 .started = the_process.started,
                                 .dropped = life_gate.dropped};
  if (units_were_lost())
    process_say(
        "the memory profile lacks what some files do: there are more than 4096; compile fewer with "
        "-fplugin-arg-prophet-memory",
        NULL);
  process_write(&the_process, write_profile, &header, header.complete);
  if (parked)
    signals_unpark_owner();
}

void profile_finish(enum ending ending) {
  process_end(&the_process, (enum life)atomic_load(&the_life), finish, ending);
}
