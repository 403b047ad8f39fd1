//===- process.h - The profiled process --------------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One recorder serves one thread of one process: who that is, what the environment
// asked for, and the file that the profile goes to.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "counters.h"
#include "recorder.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** How the profiled program ends. */
enum ending {
  ENDING_EXIT,  ///< exit, return from main, quick_exit
  ENDING_FATAL, ///< a signal; what is open was not left by the program's own doing
};

/** How far a profile is. */
enum life {
  LIFE_IDLE,     ///< no section has been reached
  LIFE_STARTING, ///< a thread is becoming the profiled one
  LIFE_RECORDING,
  LIFE_OVER, ///< of one that is none
};

/** The file that a profile goes to. */
struct process_file {
  const char *variable; ///< of the environment, that may name it
  const char *suffix;   ///< of the program's name, where the variable does not
};

/** What is known of the process from its start on. */
struct process {
  const struct process_file *file;
  char command[1 << 16]; ///< the arguments, each ended by a 0
  size_t command_size;
  char cpu[256];
  char started[24];
  uint64_t logical_cpus;
  char out[4096]; ///< path of the profile
  uint32_t tolerance_ppm;
  bool disabled, verbose;
  pid_t pid;
};

/** Reads the environment and the machine. Call once, before main. */
void process_describe(struct process *p, const struct process_file *file);
/** Reads PROPHET_TOLERANCE. */
void process_find_tolerance(struct process *p);

/** One line on standard error: "prophet: " and the pieces, up to a null. Async-signal-safe. */
void process_say(const char *piece, ...) __attribute__((sentinel));

/** How many ns `thread` of this process has been ready without a core, since it began; 0 where the
 * system does not say. Async-signal-safe. */
uint64_t process_waited_ns(pid_t thread);

/** Writes a profile's text. */
typedef void process_writer(struct text *out, void *context);
/** Writes a file to p->out, atomically. False when that failed, which it reports. */
bool process_write(const struct process *p, process_writer *write, void *context, bool complete);

/** Writes the tree of `r`, whose thread was without a core for `waited_ns`, to p->out, atomically.
 * False when that failed, which it reports. */
bool process_write_tree(const struct process *p, struct recorder *r, uint64_t waited_ns,
                        const struct counters *counters, bool complete,
                        uint64_t other_thread_events);

/** Ends the profile and writes it, once, whichever thread calls. Async-signal-safe. */
void profile_finish(enum ending ending);
/** Does that with `finish`, which one call does; those of other threads wait for it. */
void process_end(const struct process *p, enum life life, void (*finish)(enum ending),
                 enum ending ending);

/** Is the calling thread the profiled one? */
bool profile_on_owner(void);
/** The profiled thread's kernel id; 0 = nothing is profiled. */
pid_t profile_owner_tid(void);
/** True while the recorder's structures are being changed by the profiled thread. */
bool profile_is_busy(void);
/** Delivers what arrived while profile_is_busy. */
void signals_deliver(void);
extern volatile int signals_pending;

/** Installs handlers for fatal signals that have none, for the calling (profiled) thread. */
void signals_install(void);
/** Stops the profiled thread where its recorder is consistent; false when that cannot be done. */
bool signals_park_owner(void);
/** Lets it go on. */
void signals_unpark_owner(void);
