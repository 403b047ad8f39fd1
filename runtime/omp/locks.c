//===- locks.c - OpenMP's locks in a serial run -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody else could hold a lock: setting one is recorded, and lets through. The tree's
// name for it is `omp_lock N`, N in the order of initialisation.
//
//===----------------------------------------------------------------------===//
#include "omp_serial.h"

#include <prophet/profile.h>

/** Shared libraries have a counter each; its address tells their locks apart. */
static unsigned long value_of(unsigned number) {
  return ((unsigned long)number << 32) ^ ((unsigned long)&omp_serial_settings & 0xffffffffu);
}

/** Writes "PREFIX NUMBER" to `text`, which has room for it. */
static const char *name_of(char *text, const char *prefix, unsigned number) {
  char digits[12];
  unsigned count = 0;
  char *end = text;
  while (*prefix)
    *end++ = *prefix++;
  do
    digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count)
    *end++ = digits[--count];
  *end = 0;
  return text;
}

static void begin(const char *prefix, unsigned number) {
  char text[32];
  __prophet_open_lock(name_of(text, prefix, number), value_of(number));
}

static void end(const char *prefix, unsigned number) {
  char text[32];
  __prophet_close_lock(name_of(text, prefix, number), value_of(number));
}

//===----------------------------------------------------------------------===//
// Locks
//===----------------------------------------------------------------------===//

void omp_init_lock(struct omp_serial_lock *lock) {
  lock->held = 0;
  lock->number = ++omp_serial_settings.locks;
}
void omp_init_lock_with_hint(struct omp_serial_lock *lock, unsigned hint) {
  (void)hint;
  omp_init_lock(lock);
}
void omp_destroy_lock(struct omp_serial_lock *lock) { lock->number = 0; }

void omp_set_lock(struct omp_serial_lock *lock) {
  if (lock->number == 0) // zeroed instead of initialised, which works elsewhere
    omp_init_lock(lock);
  lock->held = 1;
  begin("omp_lock ", lock->number);
}

void omp_unset_lock(struct omp_serial_lock *lock) {
  lock->held = 0;
  end("omp_lock ", lock->number);
}

int omp_test_lock(struct omp_serial_lock *lock) {
  if (lock->held)
    return 0;
  omp_set_lock(lock);
  return 1;
}

//===----------------------------------------------------------------------===//
// Nestable locks
//===----------------------------------------------------------------------===//

void omp_init_nest_lock(struct omp_serial_nest_lock *lock) {
  lock->count = 0;
  lock->number = ++omp_serial_settings.locks;
}
void omp_init_nest_lock_with_hint(struct omp_serial_nest_lock *lock, unsigned hint) {
  (void)hint;
  omp_init_nest_lock(lock);
}
void omp_destroy_nest_lock(struct omp_serial_nest_lock *lock) { lock->number = 0; }

int omp_test_nest_lock(struct omp_serial_nest_lock *lock) {
  if (lock->number == 0)
    omp_init_nest_lock(lock);
  if (lock->count++ == 0)
    begin("omp_nest_lock ", lock->number);
  return lock->count;
}

void omp_set_nest_lock(struct omp_serial_nest_lock *lock) { (void)omp_test_nest_lock(lock); }

void omp_unset_nest_lock(struct omp_serial_nest_lock *lock) {
  if (lock->count > 0 && --lock->count == 0)
    end("omp_nest_lock ", lock->number);
}
