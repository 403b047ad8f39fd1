//===- noop.c - The runtime's no-op twin ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same symbols, doing nothing: annotated programs link and run with no profiler.
//
//===----------------------------------------------------------------------===//
#pragma GCC visibility push(default)
#include <prophet/profile.h>
#pragma GCC visibility pop

#include <stddef.h>

unsigned __prophet_section_begin(const char *site) {
  (void)site;
  return 0;
}
void __prophet_section_end(unsigned *handle) { (void)handle; }
unsigned __prophet_task_begin(void) { return 0; }
void __prophet_task_end(unsigned *handle) { (void)handle; }
unsigned __prophet_lock_begin(const char *lock) {
  (void)lock;
  return 0;
}
void __prophet_lock_end(unsigned *handle) { (void)handle; }
unsigned __prophet_spawn_begin(unsigned *tasks, const char *site) {
  (void)tasks;
  (void)site;
  return 0;
}
void __prophet_tasks_end(unsigned *tasks) { (void)tasks; }
void __prophet_pause(void) {}
void __prophet_resume(void) {}
void __prophet_open_section(const char *site) { (void)site; }
void __prophet_close_section(int nowait) { (void)nowait; }
void __prophet_open_task(void) {}
void __prophet_close_task(void) {}
void __prophet_next_task(void) {}
void __prophet_open_lock(const char *text, unsigned long value) {
  (void)text;
  (void)value;
}
void __prophet_close_lock(const char *text, unsigned long value) {
  (void)text;
  (void)value;
}

const int prophet_runtime_linked = 1;

const struct prophet_runtime_api *prophet_runtime_get_api(unsigned version) {
  static const struct prophet_runtime_api api = {
      PROPHET_RUNTIME_API_VERSION,
      sizeof(struct prophet_runtime_api),
      __prophet_section_begin,
      __prophet_section_end,
      __prophet_task_begin,
      __prophet_task_end,
      __prophet_lock_begin,
      __prophet_lock_end,
      __prophet_spawn_begin,
      __prophet_tasks_end,
      __prophet_pause,
      __prophet_resume,
      __prophet_open_section,
      __prophet_close_section,
      __prophet_open_task,
      __prophet_close_task,
      __prophet_next_task,
      __prophet_open_lock,
      __prophet_close_lock,
  };
  return version >= 1 && version <= PROPHET_RUNTIME_API_VERSION ? &api : NULL;
}
