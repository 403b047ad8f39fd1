//===- output.c - The file that the profile goes to ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "process.h"
#include "system.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool write_all(int file, const char *bytes, size_t size) {
  while (size) {
    ssize_t done = system_write(file, bytes, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    bytes += done;
    size -= (size_t)done;
  }
  return true;
}

static bool write_to_file(void *context, const char *bytes, size_t size) {
  return write_all(*(int *)context, bytes, size);
}

/** Signals that writing itself may raise: a file size limit, a pipe that nobody reads. */
static void own_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGXFSZ);
  sigaddset(set, SIGPIPE);
}

struct held_signals {
  sigset_t before, pending;
};

/** Holds signals back while something is written, all but those that cannot wait. */
static struct held_signals hold_signals(void) {
  struct held_signals held;
  sigset_t all;
  sigfillset(&all);
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGFPE);
  sigdelset(&all, SIGILL);
  pthread_sigmask(SIG_BLOCK, &all, &held.before);
  sigpending(&held.pending);
  return held;
}

/** Lets the program's signals through again, but not those that writing raised. */
static void release_signals(const struct held_signals *held) {
  sigset_t own;
  own_signals(&own);
  for (int number = 1; number < 32; ++number)
    if (sigismember(&held->pending, number) == 1)
      sigdelset(&own, number);
  const struct timespec none = {0, 0};
  while (sigtimedwait(&own, NULL, &none) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

void process_say(const char *piece, ...) {
  char line[1024] = "prophet: ";
  size_t used = strlen(line);
  va_list pieces;
  va_start(pieces, piece);
  for (; piece; piece = va_arg(pieces, const char *)) {
    size_t size = strlen(piece), room = sizeof line - 1 - used;
    size = size < room ? size : room;
    memcpy(line + used, piece, size);
    used += size;
  }
  va_end(pieces);
  line[used++] = '\n';
  struct held_signals held = hold_signals();
  write_all(STDERR_FILENO, line, used);
  release_signals(&held);
}

/** A short word for an error number; strerror is not async-signal-safe. */
static const char *reason(int error) {
  switch (error) {
  case EACCES:
  case EPERM:
    return "permission denied";
  case ENOENT:
  case ENOTDIR:
    return "no such directory";
  case EISDIR:
    return "it is a directory";
  case ENOSPC:
  case EDQUOT:
    return "no space left";
  case EROFS:
    return "the file system is read-only";
  case EFBIG:
    return "the file size limit is too low";
  case ENAMETOOLONG:
    return "the name is too long";
  case EMFILE:
  case ENFILE:
    return "too many open files";
  default:
    return "input/output error";
  }
}

/** The temporary name beside `path`: PATH.PID.tmp */
static bool temporary_name(const struct process *p, char *name, size_t size) {
  size_t used = strlen(p->out);
  if (used + 24 > size) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(name, p->out, used);
  name[used++] = '.';
  char digits[16];
  size_t count = 0;
  for (unsigned long pid = (unsigned long)p->pid; pid; pid /= 10)
    digits[count++] = (char)('0' + pid % 10);
  while (count)
    name[used++] = digits[--count];
  memcpy(name + used, ".tmp", 5);
  return true;
}

static bool write_text(int file, process_writer *write, void *context) {
  static struct text out;
  text_init(&out, write_to_file, &file);
  write(&out, context);
  bool written = text_finish(&out);
  return (system_close(file) == 0) & written;
}

static bool starts_with(const char *path, const char *start) {
  return strncmp(path, start, strlen(start)) == 0;
}

/** Where a device or pipe is named there is nothing to rename: written in place. */
static bool is_special(const char *path) {
  return starts_with(path, "/dev/") && !starts_with(path, "/dev/shm/");
}

/** A standard stream goes on where the program's own output is, also in a file. */
static int open_special(const char *path) {
  if (strcmp(path, "/dev/stdout") == 0)
    return system_duplicate(STDOUT_FILENO);
  if (strcmp(path, "/dev/stderr") == 0)
    return system_duplicate(STDERR_FILENO);
  return system_open(path, O_WRONLY | O_CLOEXEC, 0);
}

static bool replace_file(const struct process *p, process_writer *write, void *context) {
  char temporary[sizeof p->out + 32];
  if (is_special(p->out)) {
    int file = open_special(p->out);
    return file >= 0 && write_text(file, write, context);
  }
  if (!temporary_name(p, temporary, sizeof temporary))
    return false;
  system_unlink(temporary); // a link that lies there must not be followed
  int file = system_open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return false;
  if (write_text(file, write, context) && system_rename(temporary, p->out) == 0)
    return true;
  int error = errno;
  system_unlink(temporary);
  errno = error;
  return false;
}

bool process_write(const struct process *p, process_writer *write, void *context, bool complete) {
  struct held_signals held = hold_signals();
  bool written = replace_file(p, write, context);
  int error = errno;
  release_signals(&held);
  if (written) {
    if (p->verbose)
      process_say("wrote ", p->out, complete ? NULL : " (incomplete: sections were open)", NULL);
    return true;
  }
  process_say("cannot write ", p->out, ": ", reason(error), "; name another file with ",
              p->file->variable, NULL);
  return false;
}
