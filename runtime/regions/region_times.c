//===- region_times.c - How long a program's parallel regions take --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool by OpenMP's own tool interface (OMPT, OpenMP 5.0 chapter 4), which
// `prophet validate` has the runtime load into an OpenMP program: from fork to join
// of every outermost region, by the place in the code that opens it. When the
// program ends, PROPHET_REGIONS_OUT gets, for each place in an object file,
//
//   prophet-regions 1
//   1139 200 153000000 /home/me/app     address (hexadecimal, as the file has it),
//   end                                 regions, nanoseconds, file
//
// Time is the elapsed one of the thread that forks, less what reading the clock adds.
//
//===----------------------------------------------------------------------===//
#include <dlfcn.h>
#include <link.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MostPlaces = 4096 }; // a power of two

typedef struct {
  const void *code; // the return address of the call that forks; NULL: free
  uint64_t regions, ns;
} place_time;

static place_time places[MostPlaces];
static uint64_t lost; // regions for which there was no room
static pthread_mutex_t places_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t clock_cost; // ns that one reading adds to a region

// Of a thread that the program made: what it has open. Threads that the runtime made open inner
// regions only.
static _Thread_local bool is_worker;
static _Thread_local unsigned depth;
static _Thread_local uint64_t forked_at;
static _Thread_local const void *forking_code;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void add(const void *code, uint64_t ns) {
  pthread_mutex_lock(&places_lock);
  size_t at = ((uintptr_t)code >> 2) % MostPlaces;
  for (unsigned tried = 0; tried < MostPlaces; ++tried, at = (at + 1) % MostPlaces) {
    place_time *place = &places[at];
    if (place->code && place->code != code)
      continue;
    place->code = code;
    ++place->regions;
    place->ns += ns > clock_cost ? ns - clock_cost : 0;
    pthread_mutex_unlock(&places_lock);
    return;
  }
  ++lost;
  pthread_mutex_unlock(&places_lock);
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread) {
  (void)thread;
  is_worker = type == ompt_thread_worker;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned threads, int flags, const void *code) {
  (void)task, (void)frame, (void)parallel, (void)threads, (void)flags;
  if (is_worker || depth++ > 0)
    return;
  forking_code = code;
  forked_at = now();
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
  const uint64_t joined_at = now();
  (void)parallel, (void)task, (void)flags, (void)code;
  if (!is_worker && --depth == 0)
    add(forking_code, joined_at - forked_at);
}

// The least that lies between two readings: what `now` adds between the two of a region.
static uint64_t measure_clock(void) {
  uint64_t least = UINT64_MAX;
  for (int tried = 0; tried < 1000; ++tried) {
    const uint64_t first = now(), second = now();
    least = second - first < least ? second - first : least;
  }
  return least;
}

static void write_places(void) {
  static bool is_written;
  const char *path = getenv("PROPHET_REGIONS_OUT");
  FILE *file = is_written || !path ? NULL : fopen(path, "we");
  if (!file)
    return;
  is_written = true;
  fputs("prophet-regions 1\n", file);
  for (unsigned i = 0; i < MostPlaces; ++i) {
    Dl_info object;
    struct link_map *map = NULL;
    if (!places[i].code || !dladdr1(places[i].code, &object, (void **)&map, RTLD_DL_LINKMAP) ||
        !map)
      continue;
    // The program itself has no name in its link map; what it was called by may be relative.
    char *name = map->l_name[0] ? NULL : realpath("/proc/self/exe", NULL);
    fprintf(file, "%llx %llu %llu %s\n",
            (unsigned long long)((uintptr_t)places[i].code - map->l_addr),
            (unsigned long long)places[i].regions, (unsigned long long)places[i].ns,
            name ? name : map->l_name);
    free(name);
  }
  if (lost)
    fprintf(file, "lost %llu\n", (unsigned long long)lost);
  fputs("end\n", file);
  fclose(file);
}

static int on_start(ompt_function_lookup_t lookup, int device, ompt_data_t *tool) {
  (void)device, (void)tool;
  const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  clock_cost = measure_clock();
  return set &&
         set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin) >= ompt_set_always &&
         set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin) >= ompt_set_always &&
         set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end) >= ompt_set_always;
}

static void on_end(ompt_data_t *tool) {
  (void)tool;
  write_places();
}

/// The door that OpenMP runtimes look for.
__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t tool = {on_start, on_end, {0}};
  return getenv("PROPHET_REGIONS_OUT") ? &tool : NULL;
}
