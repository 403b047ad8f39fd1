//===- memory_stub.c - Finds the memory profile's runtime -------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
//
// What the plugin links into modules that are built to measure memory: stub.c for
// libprophet-memory, and what the filters of prophet/memory.h need in the program.
//
//===--------------------------------------------------------------------===//
#define prophet_runtime_linked declared_const
#include "prophet/memory.h"
#undef prophet_runtime_linked

typedef struct prophet_memory_api stub_api;
#define STUB_TABLE __prophet_memory_table_v6
#define STUB_CALLS __prophet_memory_table_v6.calls
#define STUB_START __prophet_memory_find
#define STUB_BESIDE __prophet_memory_beside
#define STUB_LINKED prophet_memory_linked
#define STUB_GET_API prophet_memory_get_api
#define STUB_GET_API_NAME "prophet_memory_get_api"
#define STUB_VERSION PROPHET_MEMORY_API_VERSION
#define STUB_VARIABLE "PROPHET_MEMORY_RUNTIME"
#define STUB_LIBRARY "prophet-memory"
#define STUB_IGNORING                                                                              \
  {IGNORING,     ignore_unit, ignore_unit,   ignore_touch, ignore_line,        ignore_lanes,       \
   ignore_range, ignore_own,  ignore_region, ignore_own,   ignore_reallocated, ignore_freed}

static void ignore_unit(const struct prophet_memory_unit *unit) { (void)unit; }
static void ignore_touch(unsigned long long address, const unsigned *group) {
  (void)address;
  (void)group;
}
static void ignore_line(unsigned long long address, unsigned kind) {
  (void)address;
  (void)kind;
}
static void ignore_lanes(const unsigned long long *addresses, unsigned long long mask,
                         const unsigned *group) {
  (void)addresses;
  (void)mask;
  (void)group;
}
static void ignore_range(unsigned long long address, unsigned long long size, unsigned kind) {
  (void)address;
  (void)size;
  (void)kind;
}

static void ignore_own(unsigned long long address, unsigned long long size) {
  (void)address;
  (void)size;
}
static void ignore_region(unsigned change) { (void)change; }
static void ignore_reallocated(unsigned long long old, unsigned long long address,
                               unsigned long long size) {
  (void)old;
  (void)address;
  (void)size;
}
static void ignore_freed(unsigned long long address) { (void)address; }

#include "stub.c"

/* The stub of modules that are built to be timed, if there are any in the program. */
extern struct prophet_runtime_api __prophet_stub_table __attribute__((weak));

unsigned __prophet_memory_threshold = 0;
unsigned short __prophet_memory_ahead[PROPHET_MEMORY_AHEAD] = {0};
_Thread_local unsigned long long __prophet_memory_counts_v6[PROPHET_MEMORY_COUNTS]
    __attribute__((tls_model("initial-exec"))) = {0};

/* In a library that was loaded by dlopen the loader is asked for such a variable's address, on
 * x86-64's usual way at least, whereupon it knows where this thread has the others, too. */
_Thread_local volatile char __prophet_memory_found __attribute__((tls_model("global-dynamic"))) = 0;

/* The linker has where such ranges of all files of the program or library begin and end; none does
 * where there are none. */
extern const struct prophet_memory_range __start_prophet_own[]
    __attribute__((weak, visibility("hidden")));
extern const struct prophet_memory_range __stop_prophet_own[]
    __attribute__((weak, visibility("hidden")));

static unsigned long long *counts(void) { return __prophet_memory_counts_v6; }

const struct prophet_memory_unit __prophet_memory_unit = {&__prophet_memory_threshold,
                                                          __prophet_memory_ahead, counts,
                                                          __start_prophet_own, __stop_prophet_own};

/* The filters' calls keep registers, so that code around them need not. */
__attribute__((preserve_most)) void __prophet_memory_touch(unsigned long long address,
                                                           const unsigned *group) {
  __prophet_memory_table_v6.touch(address, group);
}

__attribute__((preserve_most)) void __prophet_memory_line(unsigned long long address,
                                                          unsigned kind) {
  __prophet_memory_table_v6.touch_line(address, kind);
}

__attribute__((preserve_most)) void __prophet_memory_lanes(const unsigned long long *addresses,
                                                           unsigned long long mask,
                                                           const unsigned *group) {
  __prophet_memory_table_v6.touch_lanes(addresses, mask, group);
}

void __prophet_memory_range(unsigned long long address, unsigned long long size, unsigned kind) {
  __prophet_memory_table_v6.touch_range(address, size, kind);
}

__attribute__((preserve_most)) void __prophet_memory_own(unsigned long long address,
                                                         unsigned long long size) {
  __prophet_memory_table_v6.own(address, size);
}

__attribute__((preserve_most)) void __prophet_memory_region(unsigned change) {
  __prophet_memory_table_v6.region(change);
}

__attribute__((preserve_most)) void __prophet_memory_allocated(unsigned long long address,
                                                               unsigned long long size) {
  __prophet_memory_table_v6.allocated(address, size);
}

__attribute__((preserve_most)) void __prophet_memory_reallocated(unsigned long long old,
                                                                 unsigned long long address,
                                                                 unsigned long long size) {
  __prophet_memory_table_v6.reallocated(old, address, size);
}

__attribute__((preserve_most)) void __prophet_memory_freed(unsigned long long address) {
  __prophet_memory_table_v6.freed(address);
}

/* Runs after the other stub, before the program's own constructors. */
void __prophet_memory_start(void) {
  struct prophet_runtime_api ignoring = IGNORING;
  if (&__prophet_stub_table) {
    __prophet_stub_table = ignoring;
    dprintf(2,
            "prophet: some of this program's files were compiled to measure memory and some to be "
            "timed, nothing is recorded; compile all with -fplugin-arg-prophet-memory, or none\n");
    return;
  }
  __prophet_memory_find();
  __prophet_memory_found = 1;
  __prophet_memory_table_v6.add_unit(&__prophet_memory_unit);
}

void __prophet_memory_stop(void) { __prophet_memory_table_v6.remove_unit(&__prophet_memory_unit); }
