//===- system.h - System calls past the program's own names ------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profiled program may have functions, or variables, of its own called `write`, `read`, `open` or
// `time`, which would take the place of the library's for the runtime as well. These calls go to
// the kernel. Results and errno are as of the functions of the same names.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static inline int system_open(const char *path, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static inline ssize_t system_read(int file, void *buffer, size_t size) {
  return syscall(SYS_read, file, buffer, size);
}

static inline ssize_t system_write(int file, const void *bytes, size_t size) {
  return syscall(SYS_write, file, bytes, size);
}

static inline int system_close(int file) { return (int)syscall(SYS_close, file); }

/** A new descriptor for what `file` is, closed on exec. */
static inline int system_duplicate(int file) {
  return (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 0);
}

static inline int system_unlink(const char *path) {
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static inline int system_rename(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static inline pid_t system_process(void) { return (pid_t)syscall(SYS_getpid); }
