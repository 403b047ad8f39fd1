//===- omp_serial.h - OpenMP's functions in a serial run --------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of OpenMP 5.2's C interface, for programs whose OpenMP pragmas are
// candidates. GCC's omp.h and LLVM's differ in types that are alike to a caller, so
// neither is included: enumerations are the integers that they are passed as.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stddef.h>
#include <stdint.h>

/** The number of the only device, which is the host; omp_initial_device (-1) names it too. */
enum { OMP_SERIAL_HOST = 0 };
static inline int omp_serial_is_host(int device) {
  return device == OMP_SERIAL_HOST || device == -1;
}

/** What the program has set. */
struct omp_serial_settings {
  unsigned schedule; ///< omp_sched_t; 1 = static
  int chunk, dynamic, nested, max_active_levels, teams, teams_threads, default_device;
  uintptr_t default_allocator;
  unsigned locks; ///< initialised so far
};
extern struct omp_serial_settings omp_serial_settings __attribute__((visibility("hidden")));

/** At the smallest: GCC's omp_lock_t has 4 bytes. */
struct omp_serial_lock {
  unsigned held : 1;
  unsigned number : 31; ///< in the order of initialisation; 0 = not initialised
};
/** 8 bytes in LLVM's omp_nest_lock_t. */
struct omp_serial_nest_lock {
  unsigned number;
  int count;
};
