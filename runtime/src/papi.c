//===- papi.c - Counters from PAPI ---------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "counters.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/** What the runtime calls of PAPI 5.4 to 7. */
struct papi {
  int (*get_opt)(int option, void *result);
  int (*library_init)(int version);
  int (*num_cmp_hwctrs)(int component);
  const char *(*get_component_info)(int component);
  int (*event_name_to_code)(const char *name, int *code);
  int (*create_eventset)(int *set);
  int (*add_event)(int set, int code);
  int (*start)(int set);
  int (*read)(int set, long long *values);
  char *(*strerror)(int error);
};

// A static program may be without them.
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

enum { PAPI_OK = 0, PAPI_NULL = -1, PAPI_LIB_VERSION = 21 };
/** Where PAPI_component_info_t, which begins with strings of fixed sizes, has `disabled_reason`. */
enum { PAPI_DISABLED_REASON = 128 + 64 + 128 + 64 + 64 + 64 };

/** Puts the pieces, up to a null, into c->reason. */
static bool refuse(struct counters *c, const char *piece, ...) {
  size_t used = 0;
  __builtin_va_list rest;
  __builtin_va_start(rest, piece);
  for (; piece; piece = __builtin_va_arg(rest, const char *))
    for (; *piece && used + 1 < sizeof c->reason; ++piece)
      c->reason[used++] = *piece;
  __builtin_va_end(rest);
  c->reason[used] = 0;
  c->miss_event = NULL;
  return false;
}

/** The loaded libpapi. A program that has one of its own has the counters for itself. */
static void *load(struct counters *c) {
  static const char *const names[] = {"libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0",
                                      "libpapi.so.6.0", "libpapi.so.5.7", "libpapi.so"};
  const char *wanted = secure_getenv("PROPHET_PAPI");
  bool has_wish = wanted && *wanted;
  const char *const *name = has_wish ? &wanted : names;
  size_t count = has_wish ? 1 : sizeof names / sizeof *names;
  for (size_t i = 0; i < sizeof names / sizeof *names + has_wish; ++i)
    if (dlopen(i < sizeof names / sizeof *names ? names[i] : wanted, RTLD_LAZY | RTLD_NOLOAD)) {
      refuse(c, "the program uses PAPI itself, which counts for one user at a time", NULL);
      return NULL;
    }
  for (size_t i = 0; i < count; ++i) {
    void *library = dlopen(name[i], RTLD_LAZY | RTLD_LOCAL);
    if (library)
      return library;
  }
  if (has_wish)
    refuse(c, "PROPHET_PAPI: ", dlerror(), NULL);
  else
    refuse(c, "libpapi is not installed", NULL);
  return NULL;
}

/** Looks the functions up, and has PAPI look for counters. */
static bool init(struct counters *c, struct papi *papi, void *library) {
  const struct {
    const char *name;
    void *function;
  } all[] = {
      {"PAPI_get_opt", &papi->get_opt},
      {"PAPI_library_init", &papi->library_init},
      {"PAPI_num_cmp_hwctrs", &papi->num_cmp_hwctrs},
      {"PAPI_get_component_info", &papi->get_component_info},
      {"PAPI_event_name_to_code", &papi->event_name_to_code},
      {"PAPI_create_eventset", &papi->create_eventset},
      {"PAPI_add_event", &papi->add_event},
      {"PAPI_start", &papi->start},
      {"PAPI_read", &papi->read},
      {"PAPI_strerror", &papi->strerror},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    void *found = dlsym(library, all[i].name);
    if (!found)
      return refuse(c, "libpapi has no ", all[i].name, NULL);
    memcpy(all[i].function, &found, sizeof found);
  }
  const int version = papi->get_opt(PAPI_LIB_VERSION, NULL) & (int)0xffff0000;
  const int result = papi->library_init(version);
  if (result != version)
    return refuse(c, "PAPI_library_init: ",
                  result > 0 ? "another version than it says" : papi->strerror(result), NULL);
  if (papi->num_cmp_hwctrs(0) > 0)
    return true;
  const char *component = papi->get_component_info(0);
  const char *why = component ? component + PAPI_DISABLED_REASON : "";
  return refuse(c, "PAPI has no hardware counters here", *why ? ": " : "", why, NULL);
}

/** Adds the first of the events, up to a null, that there is; null where there is none. */
static const char *add(const struct papi *papi, int set, const char *const *names, int *error) {
  for (; *names; ++names) {
    int code = 0;
    *error = papi->event_name_to_code(*names, &code);
    if (*error == PAPI_OK)
      *error = papi->add_event(set, code);
    if (*error == PAPI_OK)
      return *names;
  }
  return NULL;
}

static bool open_set(struct counters *c, const struct papi *papi) {
  static const char *const events[COUNTED_KINDS][4] = {
      [COUNTED_INSTRUCTIONS] = {"PAPI_TOT_INS"},
      [COUNTED_CYCLES] = {"PAPI_TOT_CYC"},
      [COUNTED_LLC_MISSES] = {"PAPI_L3_TCM", "perf::CACHE-MISSES", "perf::LLC-LOAD-MISSES"},
  };
  c->set = PAPI_NULL;
  int error = papi->create_eventset(&c->set);
  for (int kind = 0; error == PAPI_OK && kind < COUNTED_KINDS; ++kind) {
    const char *added = add(papi, c->set, events[kind], &error);
    if (!added)
      return refuse(c, "PAPI does not count ", events[kind][0], " here: ", papi->strerror(error),
                    NULL);
    if (kind == COUNTED_LLC_MISSES)
      c->miss_event = added;
  }
  if (error == PAPI_OK)
    error = papi->start(c->set);
  if (error != PAPI_OK)
    return refuse(c, "PAPI does not start counting: ", papi->strerror(error), NULL);
  c->read = papi->read;
  return true;
}

void papi_start(struct counters *c) {
  const char *asked = secure_getenv("PROPHET_COUNTERS");
  if (asked && strcmp(asked, "0") == 0) {
    refuse(c, "switched off by PROPHET_COUNTERS=0", NULL);
    return;
  }
  if (!dlopen || !dlsym || !dlerror) {
    refuse(c, "a static program cannot load libpapi", NULL);
    return;
  }
  struct papi papi;
  void *library = load(c);
  c->counting = library && init(c, &papi, library) && open_set(c, &papi);
}
