//===- stub.c - Finds the runtime while the program starts ------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
//
// The plugin links this file, compiled to LLVM IR, into every module that calls
// the runtime, and makes each symbol defined here hidden, and one per program or
// shared library. So an annotated program links without a library; it runs
// with a profile where a runtime is found and without one elsewhere.
//
// It must stay free of anything that depends on the target's size_t or long:
// the plugin adapts it to the module's 64-bit target.
//
// memory_stub.c includes it for another runtime, whose names it defines.
//
//===--------------------------------------------------------------------===//
#define prophet_runtime_linked declared_const /* which a common symbol cannot be */
#include "prophet/profile.h"
#undef prophet_runtime_linked

#define RTLD_NOW 2
#define RTLD_DEFAULT ((void *)0)

extern void *dlopen(const char *file, int mode) __attribute__((weak));
extern void *dlsym(void *library, const char *name) __attribute__((weak));
extern char *dlerror(void) __attribute__((weak));
extern char *secure_getenv(const char *name) __attribute__((weak));
extern char *getenv(const char *name);
extern int dprintf(int fd, const char *format, ...);

#ifndef STUB_TABLE
typedef struct prophet_runtime_api stub_api;
#define STUB_TABLE __prophet_stub_table
#define STUB_CALLS __prophet_stub_table
#define STUB_START __prophet_stub_start
#define STUB_BESIDE __prophet_stub_beside
#define STUB_LINKED prophet_runtime_linked
#define STUB_GET_API prophet_runtime_get_api
#define STUB_GET_API_NAME "prophet_runtime_get_api"
#define STUB_VERSION PROPHET_RUNTIME_API_VERSION
#define STUB_VARIABLE "PROPHET_RUNTIME"
#define STUB_LIBRARY "prophet"
#endif

extern const stub_api *STUB_GET_API(unsigned version) __attribute__((weak));

/* Makes a linker take the runtime's archive in, where one is given. */
int STUB_LINKED __attribute__((common));

/* Set by the plugin: the library beside it, or "". */
extern const char STUB_BESIDE[];

static unsigned ignore_site(const char *site) {
  (void)site;
  return 0;
}
static unsigned ignore_task(void) { return 0; }
static void ignore_end(unsigned *handle) { (void)handle; }
static unsigned ignore_spawn(unsigned *tasks, const char *site) {
  (void)tasks;
  (void)site;
  return 0;
}
static void ignore(void) {}
static void ignore_open(const char *site) { (void)site; }
static void ignore_nowait(int nowait) { (void)nowait; }
static void ignore_lock(const char *text, unsigned long value) {
  (void)text;
  (void)value;
}

#define IGNORING                                                                                   \
  {PROPHET_RUNTIME_API_VERSION,                                                                    \
   sizeof(struct prophet_runtime_api),                                                             \
   ignore_site,                                                                                    \
   ignore_end,                                                                                     \
   ignore_task,                                                                                    \
   ignore_end,                                                                                     \
   ignore_site,                                                                                    \
   ignore_end,                                                                                     \
   ignore_spawn,                                                                                   \
   ignore_end,                                                                                     \
   ignore,                                                                                         \
   ignore,                                                                                         \
   ignore_open,                                                                                    \
   ignore_nowait,                                                                                  \
   ignore,                                                                                         \
   ignore,                                                                                         \
   ignore,                                                                                         \
   ignore_lock,                                                                                    \
   ignore_lock}

/* Calls before the constructor has run come here and do nothing. */
#ifndef STUB_IGNORING
#define STUB_IGNORING IGNORING
#endif
stub_api STUB_TABLE = STUB_IGNORING;

unsigned __prophet_section_begin(const char *site) { return STUB_CALLS.section_begin(site); }
void __prophet_section_end(unsigned *handle) { STUB_CALLS.section_end(handle); }
unsigned __prophet_task_begin(void) { return STUB_CALLS.task_begin(); }
void __prophet_task_end(unsigned *handle) { STUB_CALLS.task_end(handle); }
unsigned __prophet_lock_begin(const char *lock) { return STUB_CALLS.lock_begin(lock); }
void __prophet_lock_end(unsigned *handle) { STUB_CALLS.lock_end(handle); }
unsigned __prophet_spawn_begin(unsigned *tasks, const char *site) {
  return STUB_CALLS.spawn_begin(tasks, site);
}
void __prophet_tasks_end(unsigned *tasks) { STUB_CALLS.tasks_end(tasks); }
void __prophet_pause(void) { STUB_CALLS.pause(); }
void __prophet_resume(void) { STUB_CALLS.resume(); }
void __prophet_open_section(const char *site) { STUB_CALLS.open_section(site); }
void __prophet_close_section(int nowait) { STUB_CALLS.close_section(nowait); }
void __prophet_open_task(void) { STUB_CALLS.open_task(); }
void __prophet_close_task(void) { STUB_CALLS.close_task(); }
void __prophet_next_task(void) { STUB_CALLS.next_task(); }
void __prophet_open_lock(const char *text, unsigned long value) {
  STUB_CALLS.open_lock(text, value);
}
void __prophet_close_lock(const char *text, unsigned long value) {
  STUB_CALLS.close_lock(text, value);
}

typedef const stub_api *get_api(unsigned version);

/* Takes the table of the runtime in `file`. Returns whether there is one. */
static int use_library(const char *file) {
  void *library = dlopen(file, RTLD_NOW);
  get_api *get = library ? (get_api *)dlsym(library, STUB_GET_API_NAME) : 0;
  const stub_api *api = get ? get(STUB_VERSION) : 0;
  if (!api)
    return 0;
  STUB_TABLE = *api;
  return 1;
}

/* Runs before the program's own constructors, as the plugin registers it with an early priority. */
void STUB_START(void) {
  const char *named;
  if (STUB_GET_API) {
    const stub_api *api = STUB_GET_API(STUB_VERSION);
    if (api) {
      STUB_TABLE = *api;
      return;
    }
  }
  /* A static program sees no libc from outside, and must not load a second one. */
  if (!dlopen || !dlsym || !dlsym(RTLD_DEFAULT, "dlsym")) {
    dprintf(2, "prophet: no runtime in this static program, nothing is recorded; link with "
               "-l" STUB_LIBRARY "\n");
    return;
  }
  /* A program with more rights than its user does not load what the user names. */
  named = secure_getenv ? secure_getenv(STUB_VARIABLE) : getenv(STUB_VARIABLE);
  if (named && *named) {
    if (!use_library(named))
      dprintf(2,
              "prophet: " STUB_VARIABLE "=%s is no runtime of this version (%s); nothing is "
              "recorded\n",
              named, dlerror && dlopen(named, RTLD_NOW) == 0 ? dlerror() : "no such interface");
    return;
  }
  if ((*STUB_BESIDE && use_library(STUB_BESIDE)) || use_library("lib" STUB_LIBRARY ".so.1"))
    return;
  dprintf(2, "prophet: no runtime found, nothing is recorded; set " STUB_VARIABLE " to "
             "lib" STUB_LIBRARY ".so.1, or link with -l" STUB_LIBRARY "\n");
}
