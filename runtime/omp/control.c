//===- control.c - OpenMP's functions in a serial run: threads and devices ===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is written with OpenMP and compiled without it is one thread. What
// it sets it gets back, but for the number of threads, by which programs size arrays
// and share out work: that is 1. No function is `inline` of another file's, as the
// plugin links only those that a module calls.
//
//===----------------------------------------------------------------------===//
#include "omp_serial.h"

#include <sched.h>
#include <time.h>

struct omp_serial_settings omp_serial_settings = {
    .schedule = 1, .default_allocator = 1, .max_active_levels = 1};

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

void omp_set_num_threads(int threads) { (void)threads; }
int omp_get_num_threads(void) { return 1; }
int omp_get_max_threads(void) { return 1; }
int omp_get_thread_num(void) { return 0; }
int omp_get_thread_limit(void) { return 1; }
int omp_in_parallel(void) { return 0; }
int omp_get_level(void) { return 0; }
int omp_get_active_level(void) { return 0; }
int omp_get_ancestor_thread_num(int level) { return level == 0 ? 0 : -1; }
int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }
int omp_get_supported_active_levels(void) { return 1; }
void omp_set_max_active_levels(int levels) { omp_serial_settings.max_active_levels = levels; }
int omp_get_max_active_levels(void) { return omp_serial_settings.max_active_levels; }
void omp_set_dynamic(int dynamic) { omp_serial_settings.dynamic = dynamic != 0; }
int omp_get_dynamic(void) { return omp_serial_settings.dynamic; }
void omp_set_nested(int nested) { omp_serial_settings.nested = nested != 0; }
int omp_get_nested(void) { return omp_serial_settings.nested; }

/** The processors that this process may run on. */
int omp_get_num_procs(void) {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count > 0 ? count : 1;
}

void omp_set_schedule(unsigned kind, int chunk) {
  omp_serial_settings.schedule = kind;
  omp_serial_settings.chunk = chunk;
}
void omp_get_schedule(unsigned *kind, int *chunk) {
  *kind = omp_serial_settings.schedule;
  *chunk = omp_serial_settings.chunk;
}

/** Tasks are recorded wherever they would be spawned: none is in a final one. */
int omp_in_final(void) { return 0; }
int omp_in_explicit_task(void) { return 0; }
int omp_get_max_task_priority(void) { return 0; }
void omp_fulfill_event(unsigned long event) { (void)event; }
int omp_get_cancellation(void) { return 0; }

int omp_get_num_teams(void) { return 1; }
int omp_get_team_num(void) { return 0; }
void omp_set_num_teams(int teams) { omp_serial_settings.teams = teams; }
int omp_get_max_teams(void) { return omp_serial_settings.teams; }
void omp_set_teams_thread_limit(int limit) { omp_serial_settings.teams_threads = limit; }
int omp_get_teams_thread_limit(void) { return omp_serial_settings.teams_threads; }

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

static double seconds(const struct timespec *time) {
  return (double)time->tv_sec + (double)time->tv_nsec * 1e-9;
}

double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return seconds(&now);
}

double omp_get_wtick(void) {
  struct timespec tick;
  clock_getres(CLOCK_MONOTONIC, &tick);
  return seconds(&tick);
}

//===----------------------------------------------------------------------===//
// Places: none
//===----------------------------------------------------------------------===//

int omp_get_proc_bind(void) { return 0; }
int omp_get_num_places(void) { return 0; }
int omp_get_place_num_procs(int place) {
  (void)place;
  return 0;
}
void omp_get_place_proc_ids(int place, int *ids) {
  (void)place;
  (void)ids;
}
int omp_get_place_num(void) { return -1; }
int omp_get_partition_num_places(void) { return 0; }
void omp_get_partition_place_nums(int *places) { (void)places; }

/* LLVM's header calls these ompc_ in C and C++. */
void omp_set_affinity_format(const char *format) { (void)format; }
size_t omp_get_affinity_format(char *buffer, size_t size) {
  if (size)
    *buffer = 0;
  return 0;
}
void omp_display_affinity(const char *format) { (void)format; }
size_t omp_capture_affinity(char *buffer, size_t size, const char *format) {
  (void)format;
  return omp_get_affinity_format(buffer, size);
}
void ompc_set_affinity_format(const char *format) { omp_set_affinity_format(format); }
size_t ompc_get_affinity_format(char *buffer, size_t size) {
  return omp_get_affinity_format(buffer, size);
}
void ompc_display_affinity(const char *format) { omp_display_affinity(format); }
size_t ompc_capture_affinity(char *buffer, size_t size, const char *format) {
  return omp_capture_affinity(buffer, size, format);
}

//===----------------------------------------------------------------------===//
// Devices: the host is the initial one, and number 0
//===----------------------------------------------------------------------===//

void omp_set_default_device(int device) { omp_serial_settings.default_device = device; }
int omp_get_default_device(void) { return omp_serial_settings.default_device; }
int omp_get_num_devices(void) { return 0; }
int omp_get_device_num(void) { return OMP_SERIAL_HOST; }
int omp_get_initial_device(void) { return OMP_SERIAL_HOST; }
int omp_is_initial_device(void) { return 1; }

/** There is nothing to give up, which is a success; 2 is what no device is told. */
int omp_pause_resource(int kind, int device) {
  (void)kind;
  return omp_serial_is_host(device) ? 0 : 2;
}
int omp_pause_resource_all(int kind) {
  (void)kind;
  return 0;
}
/** -2: there is no tool. */
int omp_control_tool(int command, int modifier, void *argument) {
  (void)command;
  (void)modifier;
  (void)argument;
  return -2;
}
void omp_display_env(int verbose) { (void)verbose; }
