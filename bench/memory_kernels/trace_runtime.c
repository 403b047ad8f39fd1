//===- trace_runtime.c - Every access of every thread ------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A runtime in place of libprophet-memory for programs that run in parallel: leaves no line out and
// writes to $TRACE_OUT which thread (numbered as they come) used which line, in the order in which
// they did: 8 bytes each, the line times 256, plus the thread times 16, plus the kind. As a tool of
// the OpenMP runtime ($OMP_TOOL_LIBRARIES) it also writes where parallel regions begin and end.
//
//===----------------------------------------------------------------------===//
#include "left_out.h"

#include <prophet/memory.h>

#include <fcntl.h>
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RECORDS = 1 << 27, REGION_BEGINS = 14, REGION_ENDS = 15 }; ///< the latter are kinds

static int file = -1;
static uint64_t *records;
static _Atomic uint64_t count;
static _Atomic unsigned thread_count;
static __thread unsigned self; ///< plus 1

static void fail(const char *what) {
  perror(what);
  _exit(1);
}

static void append(uint64_t record) {
  uint64_t at = atomic_fetch_add(&count, 1);
  if (at >= RECORDS) {
    fprintf(stderr, "trace_runtime: more than %d records\n", RECORDS);
    _exit(1);
  }
  records[at] = record;
}

static void use(uint64_t line, unsigned kind) {
  if (!self)
    self = atomic_fetch_add(&thread_count, 1) + 1;
  append(line << 8 | (self - 1) << 4 | kind);
}

static void touch_lines(uint64_t address, uint64_t size, unsigned kind) {
  for (uint64_t line = address >> 6; size && line <= (address + size - 1) >> 6; ++line)
    use(line, kind);
}

static void touch(unsigned long long address, const unsigned *group) {
  for (unsigned i = 0; i < group[0]; ++i)
    touch_lines(address + (uint64_t)(int64_t)(int32_t)group[2 * i + 1], group[2 * i + 2] >> 8,
                group[2 * i + 2] % PROPHET_MEMORY_KINDS);
}

static void touch_line(unsigned long long address, unsigned kind) {
  use(address >> 6, kind % PROPHET_MEMORY_KINDS);
  if (kind & PROPHET_MEMORY_THEN_WRITE)
    use(address >> 6, kind % PROPHET_MEMORY_KINDS + 1);
}

static void touch_lanes(const unsigned long long *addresses, unsigned long long mask,
                        const unsigned *group) {
  for (unsigned lane = 0; mask; ++lane, mask >>= 1)
    if (mask & 1)
      touch_lines(addresses[lane], group[2] >> 8, group[2] % PROPHET_MEMORY_KINDS);
}

static void touch_range(unsigned long long address, unsigned long long size, unsigned kind) {
  uint64_t head = prophet_memory_range_head(address, size);
  touch_lines(address, head, kind);
  touch_lines(address + head, size - head, 2 * PROPHET_MEMORY_STREAM + kind % 2);
}

static void add_unit(const struct prophet_memory_unit *unit) { *unit->threshold = UINT32_MAX; }
static void remove_unit(const struct prophet_memory_unit *unit) { *unit->threshold = 0; }

__attribute__((constructor)) static void at_start(void) {
  const char *name = getenv("TRACE_OUT");
  file = open(name ? name : "trace.bin", O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ftruncate(file, (off_t)RECORDS * (off_t)sizeof *records))
    fail("TRACE_OUT");
  records = mmap(NULL, RECORDS * sizeof *records, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (records == MAP_FAILED)
    fail("TRACE_OUT");
}

__attribute__((destructor)) static void at_end(void) {
  if (ftruncate(file, (off_t)(count * sizeof *records)))
    fail("TRACE_OUT");
}

static unsigned begin(const char *name) {
  (void)name;
  return 0;
}
static unsigned inside(void) { return 0; }
static void end(unsigned *handle) { (void)handle; }

//===- As a tool of OpenMP ------------------------------------------------===//

static void region_begins(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                          unsigned threads, int flags, const void *address) {
  (void)task, (void)frame, (void)parallel, (void)threads, (void)flags, (void)address;
  append(REGION_BEGINS);
}

static void region_ends(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *address) {
  (void)parallel, (void)task, (void)flags, (void)address;
  append(REGION_ENDS);
}

static int begin_tool(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  return set &&
         set(ompt_callback_parallel_begin, (ompt_callback_t)region_begins) == ompt_set_always &&
         set(ompt_callback_parallel_end, (ompt_callback_t)region_ends) == ompt_set_always;
}

static void end_tool(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t tool = {begin_tool, end_tool, {0}};
  return &tool;
}

//===- As the profiler's runtime ------------------------------------------===//

const struct prophet_memory_api *prophet_memory_get_api(unsigned version) {
  static const struct prophet_memory_api api = {
      {PROPHET_RUNTIME_API_VERSION, sizeof(struct prophet_runtime_api), begin, end, inside, end,
       begin, end, NULL, end, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
      add_unit,
      remove_unit,
      touch,
      touch_line,
      touch_lanes,
      touch_range,
      range,
      region,
      range,
      reallocated,
      freed};
  return version == PROPHET_MEMORY_API_VERSION ? &api : NULL;
}
