//===- memory_units.c - The programs that have filters -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory_units.h"

#include "memory_life.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

enum { UNITS = 4096 };

/** A unit and what its counters said when they were last settled. */
struct unit {
  const struct prophet_memory_unit *unit; ///< null: unloaded
  const unsigned long long *counts;       ///< of the followed thread; null: it follows none
  struct prophet_memory_range variables;  ///< thread-local ones, behind life_self; or none
  unsigned long long settled[PROPHET_MEMORY_COUNTS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct unit units[UNITS];
static unsigned unit_count;
static bool lost; ///< whether there were more
static const char *followed;
static bool variables_changed; ///< `followed`, or the units
/** As in prophet/memory.h, of the threshold that units have. */
static unsigned short ahead[PROPHET_MEMORY_AHEAD];
/** What units that have been unloaded have counted since the last settling. */
static unsigned long long left[PROPHET_MEMORY_COUNTS];

static void lock_from_anywhere(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, before);
  pthread_mutex_lock(&lock);
}

static void unlock_from_anywhere(const sigset_t *before) {
  pthread_mutex_unlock(&lock);
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

/** Where a module has its thread-local variables, if `address` is among those of this thread. */
struct block_search {
  uint64_t address;
  struct prophet_memory_range found;
};

static int find_block(struct dl_phdr_info *module, size_t size, void *search) {
  struct block_search *s = search;
  if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof module->dlpi_tls_data)
    return 1; // a C library that does not tell
  const uint64_t begin = (uintptr_t)module->dlpi_tls_data;
  for (unsigned i = 0; begin && i < module->dlpi_phnum; ++i)
    if (module->dlpi_phdr[i].p_type == PT_TLS &&
        s->address - begin < module->dlpi_phdr[i].p_memsz) {
      s->found = (struct prophet_memory_range){begin, module->dlpi_phdr[i].p_memsz};
      return 1;
    }
  return 0;
}

/** A unit's counters are of a TLS model by which all thread-local variables of its module are as
 * far from life_self in every thread. */
static struct prophet_memory_range variables_of(const struct prophet_memory_unit *unit) {
  struct block_search search = {(uintptr_t)unit->counts(), {0, 0}};
  dl_iterate_phdr(find_block, &search);
  search.found.address -= (uintptr_t)&life_self;
  return search.found;
}

/** What lies between those of all units is thread-local, too. */
static struct prophet_memory_range variables_in(const char *thread) {
  uint64_t begin = UINT64_MAX, end = 0;
  for (unsigned i = 0; thread && i < unit_count; ++i) {
    if (!units[i].unit || !units[i].variables.size)
      continue;
    const uint64_t first = (uintptr_t)thread + units[i].variables.address;
    begin = first < begin ? first : begin;
    end = first + units[i].variables.size > end ? first + units[i].variables.size : end;
  }
  return begin < end ? (struct prophet_memory_range){begin, end - begin}
                     : (struct prophet_memory_range){0, 0};
}

static const unsigned long long *counts_in(const char *thread,
                                           const struct prophet_memory_unit *unit) {
  uintptr_t apart = (uintptr_t)unit->counts() - (uintptr_t)&life_self;
  return thread ? (const unsigned long long *)((uintptr_t)thread + apart) : NULL;
}

/** What has been counted since `unit` was asked last. Its thread may be counting on. */
static void take_counts(struct unit *unit, unsigned long long counts[PROPHET_MEMORY_COUNTS]) {
  for (unsigned kind = 0; unit->counts && kind < PROPHET_MEMORY_COUNTS; ++kind) {
    unsigned long long now = __atomic_load_n(&unit->counts[kind], __ATOMIC_RELAXED);
    counts[kind] += now - unit->settled[kind];
    unit->settled[kind] = now;
  }
}

/** Other threads may be reading the table, and ask too rarely, but what they ask is for nothing. */
static void set_threshold(const struct unit *unit, uint32_t threshold) {
  if (!unit->unit)
    return;
  __atomic_store_n(unit->unit->threshold, threshold, __ATOMIC_RELAXED);
  memcpy(unit->unit->ahead, ahead, sizeof ahead);
}

void units_follow(const char *thread) {
  pthread_mutex_lock(&lock);
  followed = thread;
  variables_changed = true;
  for (unsigned i = 0; i < unit_count; ++i) {
    if (!units[i].unit)
      continue;
    unsigned long long before[PROPHET_MEMORY_COUNTS] = {0};
    units[i].counts = counts_in(thread, units[i].unit);
    take_counts(&units[i], before);
  }
  pthread_mutex_unlock(&lock);
}

void units_unfollow(const char *thread) {
  pthread_mutex_lock(&lock);
  const bool follows = followed == thread;
  pthread_mutex_unlock(&lock);
  if (follows)
    units_follow(NULL);
}

void units_publish(uint32_t threshold) {
  pthread_mutex_lock(&lock);
  atomic_store_explicit(&life_gate.published, threshold, memory_order_relaxed);
  if (threshold > 0)
    reuse_find_ahead(ahead, threshold);
  for (unsigned i = 0; i < unit_count; ++i)
    set_threshold(&units[i], threshold);
  pthread_mutex_unlock(&lock);
}

/** Which variables each thread has. */
static void tell_private(struct memory_profile *m) {
  memory_set_private(m, variables_in(followed));
  for (unsigned i = 0; i < unit_count; ++i)
    for (const struct prophet_memory_range *own = units[i].unit ? units[i].unit->own : NULL;
         own && own < units[i].unit->own_end; ++own)
      memory_add_private(m, *own);
}

void units_settle(struct memory_profile *m) {
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < unit_count; ++i)
    if (units[i].unit)
      take_counts(&units[i], left);
  for (unsigned kind = 0; kind < PROPHET_MEMORY_COUNTS; ++kind) {
    memory_count(m, kind, left[kind]);
    left[kind] = 0;
  }
  if (variables_changed)
    tell_private(m);
  variables_changed = false;
  pthread_mutex_unlock(&lock);
}

bool units_were_lost(void) {
  pthread_mutex_lock(&lock);
  const bool were = lost;
  pthread_mutex_unlock(&lock);
  return were;
}

void units_after_fork(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; // a thread that is not here may have had it
  units_publish(0);
}

void units_add(const struct prophet_memory_unit *unit) {
  sigset_t before;
  const struct prophet_memory_range variables = variables_of(unit);
  lock_from_anywhere(&before);
  unsigned at = 0;
  while (at < unit_count && units[at].unit)
    ++at;
  if (at < UNITS) {
    units[at] =
        (struct unit){.unit = unit, .counts = counts_in(followed, unit), .variables = variables};
    variables_changed = true;
    unit_count += at == unit_count;
    set_threshold(&units[at], atomic_load_explicit(&life_gate.published, memory_order_relaxed));
  }
  lost |= at == UNITS;
  unlock_from_anywhere(&before);
}

/** No code of the unit runs any more, unless the program is ending. */
void units_remove(const struct prophet_memory_unit *unit) {
  sigset_t before;
  lock_from_anywhere(&before);
  for (unsigned i = 0; i < unit_count; ++i)
    if (units[i].unit == unit) {
      take_counts(&units[i], left);
      units[i].unit = NULL;
      variables_changed = true;
    }
  unlock_from_anywhere(&before);
}
