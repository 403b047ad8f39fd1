//===- describe.c - What is known of the process from its start ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "process.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_TOLERANCE_PPM = 50000, MOST_TOLERANCE_PPM = 500000 };

/** Reads a file into `buffer`, at most `size` bytes. */
static size_t slurp(const char *path, char *buffer, size_t size) {
  int file = system_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0)
    return 0;
  size_t used = 0;
  ssize_t got = 0;
  while (used < size && (got = system_read(file, buffer + used, size - used)) > 0)
    used += (size_t)got;
  system_close(file);
  return used;
}

/** The processor's name as Linux gives it. */
static void find_cpu(struct process *p) {
  static char text[4096];
  size_t size = slurp("/proc/cpuinfo", text, sizeof text - 1);
  text[size] = 0;
  const char *line = strstr(text, "model name");
  const char *name = line ? strchr(line, ':') : NULL;
  if (!name)
    return;
  name += 1 + (name[1] == ' ');
  size_t length = strcspn(name, "\n");
  if (length >= sizeof p->cpu)
    length = sizeof p->cpu - 1;
  memcpy(p->cpu, name, length);
}

static void find_command(struct process *p) {
  p->command_size = slurp("/proc/self/cmdline", p->command, sizeof p->command);
  if (p->command_size && p->command[p->command_size - 1] != 0) {
    // Cut off: say so in the last argument.
    static const char ellipsis[] = "...";
    size_t at = p->command_size < sizeof p->command - sizeof ellipsis
                    ? p->command_size
                    : sizeof p->command - sizeof ellipsis;
    memcpy(p->command + at, ellipsis, sizeof ellipsis);
    p->command_size = at + sizeof ellipsis;
  }
}

static void find_start(struct process *p) {
  struct timespec now;
  struct tm utc;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0 || !gmtime_r(&now.tv_sec, &utc) ||
      strftime(p->started, sizeof p->started, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
    p->started[0] = 0;
}

/** Appends to p->out what fits. */
static void append_out(struct process *p, const char *text, size_t size) {
  size_t used = strlen(p->out);
  size_t room = sizeof p->out - 1 - used;
  memcpy(p->out + used, text, size < room ? size : room);
}

/** The last characters of `digits`; returns the first one's place. */
static size_t write_pid(char digits[16], pid_t pid) {
  size_t at = 16;
  for (unsigned long left = (unsigned long)pid; left; left /= 10)
    digits[--at] = (char)('0' + left % 10);
  return at;
}

static void append_pid(struct process *p) {
  char digits[16];
  size_t at = write_pid(digits, p->pid);
  append_out(p, digits + at, sizeof digits - at);
}

uint64_t process_waited_ns(pid_t thread) {
  int saved = errno;
  static const char folder[] = "/proc/self/task/", file[] = "/schedstat";
  char path[sizeof folder + 16 + sizeof file], text[96], digits[16];
  size_t at = write_pid(digits, thread), length = sizeof digits - at;
  memcpy(path, folder, sizeof folder);
  memcpy(path + sizeof folder - 1, digits + at, length);
  memcpy(path + sizeof folder - 1 + length, file, sizeof file);
  text[slurp(path, text, sizeof text - 1)] = 0;
  const char *second = strchr(text, ' '); // behind the time on a core
  uint64_t ns = 0;
  for (const char *digit = second ? second + 1 : ""; *digit >= '0' && *digit <= '9'; ++digit)
    ns = ns * 10 + (uint64_t)(*digit - '0');
  errno = saved;
  return ns;
}

/** The profile's path: `pattern` with %p and %%, or the program's name with the suffix. Relative to
 * where we start. */
static void find_out(struct process *p, const char *pattern) {
  const char *name = p->command_size ? p->command : "program";
  const char *slash = strrchr(name, '/');
  const char *first = pattern ? pattern : name;
  if (*first != '/' || !pattern) {
    if (getcwd(p->out, sizeof p->out / 2))
      append_out(p, "/", 1);
    else
      p->out[0] = 0;
  }
  if (!pattern) {
    name = slash ? slash + 1 : name;
    append_out(p, name, strlen(name));
    append_out(p, p->file->suffix, strlen(p->file->suffix));
    return;
  }
  for (; *pattern; ++pattern) {
    if (pattern[0] == '%' && pattern[1] == 'p')
      append_pid(p), ++pattern;
    else if (pattern[0] == '%' && pattern[1] == '%')
      append_out(p, pattern++, 1);
    else
      append_out(p, pattern, 1);
  }
}

/** A number from 0 to 0.5 in millionths, or -1. */
static long parse_tolerance(const char *text) {
  long ppm = 0, unit = 1000000;
  bool digits = false, point = false;
  for (; *text; ++text) {
    if (*text == '.' && !point) {
      point = true;
      continue;
    }
    if (*text < '0' || *text > '9' || (point && unit == 1))
      return -1;
    digits = true;
    if (point)
      unit /= 10;
    ppm = point ? ppm + (*text - '0') * unit : ppm * 10 + (*text - '0') * 1000000L;
    if (ppm > MOST_TOLERANCE_PPM)
      return -1;
  }
  return digits ? ppm : -1;
}

void process_find_tolerance(struct process *p) {
  const char *text = secure_getenv("PROPHET_TOLERANCE");
  p->tolerance_ppm = DEFAULT_TOLERANCE_PPM;
  if (!text || !*text)
    return;
  long ppm = parse_tolerance(text);
  if (ppm >= 0)
    p->tolerance_ppm = (uint32_t)ppm;
  else
    process_say("PROPHET_TOLERANCE='", text,
                "' is not a number from 0 to 0.5 (at most 6 decimals); using 0.05", NULL);
}

static bool is_on(const char *text) { return text && *text && strcmp(text, "0") != 0; }

static const char *nonempty(const char *text) { return text && *text ? text : NULL; }

void process_describe(struct process *p, const struct process_file *file) {
  int saved = errno;
  p->file = file;
  p->pid = system_process();
  p->disabled = is_on(secure_getenv("PROPHET_DISABLE"));
  p->verbose = is_on(secure_getenv("PROPHET_VERBOSE"));
  if (!p->disabled) {
    find_start(p);
    find_command(p);
    find_cpu(p);
    p->logical_cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    find_out(p, nonempty(secure_getenv(file->variable)));
  }
  errno = saved;
}
