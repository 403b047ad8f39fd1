//===- signals.c - Writing the profile when a signal ends the program ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers are installed only where the program has none. A signal that finds the
// recorder in the middle of an event waits for the event's end. One that another
// thread receives first parks the profiled thread.
//
//===----------------------------------------------------------------------===//
#include "process.h"
#include "system.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/** Signals whose default action ends the program. The first ones serve to park a thread too. */
static const int FATAL[] = {SIGXCPU, SIGVTALRM, SIGPROF, SIGXFSZ, SIGUSR2, SIGUSR1, SIGALRM,
                            SIGSEGV, SIGBUS,    SIGFPE,  SIGILL,  SIGABRT, SIGTRAP, SIGSYS,
                            SIGTERM, SIGINT,    SIGHUP,  SIGQUIT, SIGPIPE};
enum { FATAL_COUNT = sizeof FATAL / sizeof *FATAL, ALTERNATE_STACK = 1 << 16, PARK_MS = 1000 };

volatile int signals_pending; ///< arrived while the recorder was busy
static int park_signal;       ///< one of ours, or 0
static atomic_bool park_wanted, parked;

/** Is the thread's own instruction the cause? Then it cannot simply go on. */
static bool is_fault(const siginfo_t *info) {
  switch (info->si_signo) {
  case SIGSEGV:
  case SIGBUS:
  case SIGFPE:
  case SIGILL:
  case SIGTRAP:
  case SIGSYS:
    return info->si_code > 0;
  default:
    return false;
  }
}

/** Ends the program by `number` as if we had not been here. */
static void die_of(int number) {
  signal(number, SIG_DFL);
  raise(number);
}

static void pause_ms(void) {
  const struct timespec pause = {0, 1000000};
  nanosleep(&pause, NULL);
}

/** The profiled thread waits here while another one writes the tree. */
static void park(void) {
  atomic_store(&parked, true);
  while (atomic_load(&park_wanted))
    pause_ms();
  atomic_store(&parked, false);
}

void signals_deliver(void) {
  int number = signals_pending;
  signals_pending = 0;
  if (atomic_load(&park_wanted)) {
    park();
    return;
  }
  profile_finish(ENDING_FATAL);
  die_of(number);
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  if (profile_on_owner() && profile_is_busy() && !is_fault(info)) {
    signals_pending = number;
  } else if (profile_on_owner() && atomic_load(&park_wanted)) {
    park();
  } else {
    profile_finish(ENDING_FATAL);
    die_of(number);
  }
  errno = saved;
}

/** A stack overflow must leave a stack for the handler. */
static void provide_stack(void) {
  static char memory[ALTERNATE_STACK];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory}, old;
  if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE))
    sigaltstack(&stack, NULL);
}

void signals_install(void) {
  provide_stack();
  struct sigaction action = {.sa_sigaction = handle,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int i = 0; i < FATAL_COUNT; ++i) {
    struct sigaction old;
    if (sigaction(FATAL[i], NULL, &old) != 0 || (old.sa_flags & SA_SIGINFO) ||
        old.sa_handler != SIG_DFL || sigaction(FATAL[i], &action, NULL) != 0)
      continue;
    if (!park_signal)
      park_signal = FATAL[i];
  }
}

static bool owner_gone(void) {
  pid_t owner = profile_owner_tid();
  return owner == 0 || (syscall(SYS_tgkill, system_process(), owner, 0) != 0 && errno == ESRCH);
}

bool signals_park_owner(void) {
  if (owner_gone())
    return true;
  if (!park_signal)
    return false;
  atomic_store(&park_wanted, true);
  syscall(SYS_tgkill, system_process(), profile_owner_tid(), park_signal);
  for (int i = 0; i < PARK_MS; ++i) {
    if (atomic_load(&parked) || owner_gone())
      return true;
    pause_ms();
  }
  atomic_store(&park_wanted, false);
  return false;
}

void signals_unpark_owner(void) { atomic_store(&park_wanted, false); }
