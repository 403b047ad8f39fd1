//===- interop.c - OpenMP's interoperability objects: there are none ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "omp_serial.h"

/** omp_irc_empty: the object is omp_interop_none, the only one there is. */
enum { NO_OBJECT = -1 };

static void say_empty(int *code) {
  if (code)
    *code = NO_OBJECT;
}

int omp_get_num_interop_properties(const void *object) {
  (void)object;
  return 0;
}
intptr_t omp_get_interop_int(const void *object, int property, int *code) {
  (void)object;
  (void)property;
  say_empty(code);
  return 0;
}
void *omp_get_interop_ptr(const void *object, int property, int *code) {
  (void)object;
  (void)property;
  say_empty(code);
  return NULL;
}
const char *omp_get_interop_str(const void *object, int property, int *code) {
  (void)object;
  (void)property;
  say_empty(code);
  return NULL;
}
const char *omp_get_interop_name(const void *object, int property) {
  (void)object;
  (void)property;
  return NULL;
}
const char *omp_get_interop_type_desc(const void *object, int property) {
  (void)object;
  (void)property;
  return NULL;
}
const char *omp_get_interop_rc_desc(const void *object, int code) {
  (void)object;
  return code == NO_OBJECT ? "there are no interoperability objects in a serial run" : NULL;
}
