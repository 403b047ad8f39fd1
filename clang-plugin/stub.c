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
extern const struct prophet_runtime_api *prophet_runtime_get_api(unsigned version)
    __attribute__((weak));

/* Makes a linker take the runtime's archive in, where one is given. */
int prophet_runtime_linked __attribute__((common));

/* Set by the plugin: the library beside it, or "". */
extern const char __prophet_stub_beside[];

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

/* Calls before the constructor has run come here and do nothing. */
struct prophet_runtime_api __prophet_stub_table = {
    PROPHET_RUNTIME_API_VERSION,
    sizeof(struct prophet_runtime_api),
    ignore_site,
    ignore_end,
    ignore_task,
    ignore_end,
    ignore_site,
    ignore_end,
    ignore_spawn,
    ignore_end,
    ignore,
    ignore,
    ignore_open,
    ignore_nowait,
    ignore,
    ignore,
    ignore,
    ignore_lock,
    ignore_lock,
};

unsigned __prophet_section_begin(const char *site) {
  return __prophet_stub_table.section_begin(site);
}
void __prophet_section_end(unsigned *handle) { __prophet_stub_table.section_end(handle); }
unsigned __prophet_task_begin(void) { return __prophet_stub_table.task_begin(); }
void __prophet_task_end(unsigned *handle) { __prophet_stub_table.task_end(handle); }
unsigned __prophet_lock_begin(const char *lock) { return __prophet_stub_table.lock_begin(lock); }
void __prophet_lock_end(unsigned *handle) { __prophet_stub_table.lock_end(handle); }
unsigned __prophet_spawn_begin(unsigned *tasks, const char *site) {
  return __prophet_stub_table.spawn_begin(tasks, site);
}
void __prophet_tasks_end(unsigned *tasks) { __prophet_stub_table.tasks_end(tasks); }
void __prophet_pause(void) { __prophet_stub_table.pause(); }
void __prophet_resume(void) { __prophet_stub_table.resume(); }
void __prophet_open_section(const char *site) { __prophet_stub_table.open_section(site); }
void __prophet_close_section(int nowait) { __prophet_stub_table.close_section(nowait); }
void __prophet_open_task(void) { __prophet_stub_table.open_task(); }
void __prophet_close_task(void) { __prophet_stub_table.close_task(); }
void __prophet_next_task(void) { __prophet_stub_table.next_task(); }
void __prophet_open_lock(const char *text, unsigned long value) {
  __prophet_stub_table.open_lock(text, value);
}
void __prophet_close_lock(const char *text, unsigned long value) {
  __prophet_stub_table.close_lock(text, value);
}

typedef const struct prophet_runtime_api *get_api(unsigned version);

/* Takes the table of the runtime in `file`. Returns whether there is one. */
static int use_library(const char *file) {
  void *library = dlopen(file, RTLD_NOW);
  get_api *get = library ? (get_api *)dlsym(library, "prophet_runtime_get_api") : 0;
  const struct prophet_runtime_api *api = get ? get(PROPHET_RUNTIME_API_VERSION) : 0;
  if (!api)
    return 0;
  __prophet_stub_table = *api;
  return 1;
}

/* Runs before the program's own constructors, as the plugin registers it with an early priority. */
void __prophet_stub_start(void) {
  const char *named;
  if (prophet_runtime_get_api) {
    const struct prophet_runtime_api *api = prophet_runtime_get_api(PROPHET_RUNTIME_API_VERSION);
    if (api) {
      __prophet_stub_table = *api;
      return;
    }
  }
  /* A static program sees no libc from outside, and must not load a second one. */
  if (!dlopen || !dlsym || !dlsym(RTLD_DEFAULT, "dlsym")) {
    dprintf(2, "prophet: no runtime in this static program, nothing is recorded; link with "
               "-lprophet\n");
    return;
  }
  /* A program with more rights than its user does not load what the user names. */
  named = secure_getenv ? secure_getenv("PROPHET_RUNTIME") : getenv("PROPHET_RUNTIME");
  if (named && *named) {
    if (!use_library(named))
      dprintf(2,
              "prophet: PROPHET_RUNTIME=%s is no runtime of this version (%s); nothing is "
              "recorded\n",
              named, dlerror && dlopen(named, RTLD_NOW) == 0 ? dlerror() : "no such interface");
    return;
  }
  if ((*__prophet_stub_beside && use_library(__prophet_stub_beside)) ||
      use_library("libprophet.so.1"))
    return;
  dprintf(2, "prophet: no runtime found, nothing is recorded; set PROPHET_RUNTIME to "
             "libprophet.so.1, or link with -lprophet\n");
}
