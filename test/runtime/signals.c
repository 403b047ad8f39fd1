// The program's own handlers stay; events in handlers corrupt nothing; a signal in the middle of an
// event waits for its end.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: env PROPHET_OUT=%t.json python3 %S/Inputs/status.py 9 %t own && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s --check-prefix=OWN
// RUN: env PROPHET_OUT=%t.json python3 %S/Inputs/status.py 0 %t events && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s --check-prefix=EVENTS
// RUN: env PROPHET_OUT=%t.json python3 %S/Inputs/status.py SIGALRM %t fatal && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s --check-prefix=FATAL
// OWN: complete: true
// EVENTS: complete: true
// EVENTS-NOT: mismatched_ends
// EVENTS-NOT: unfinished_tasks
// EVENTS: tree: root[U loop U loop[
// FATAL: complete: false
// FATAL: tree: root[U loop U loop[
#include "annotate.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static volatile int alarms;

static void on_int(int number) {
  (void)number;
  exit(9);
}

static void on_alarm(int number) {
  (void)number;
  SECTION("handler");
  TASK;
  LOCK("handler");
  ++alarms;
}

int main(int argc, char **argv) {
  const char *what = argv[argc - 1];
  signal(SIGINT, on_int);
  if (!strcmp(what, "events"))
    signal(SIGALRM, on_alarm);
  {
    SECTION("loop");
  }
  if (!strcmp(what, "own"))
    raise(SIGINT);
  struct itimerval often = {{0, 200}, {0, 200}}, once = {{0, 0}, {0, 50000}};
  setitimer(ITIMER_REAL, strcmp(what, "events") ? &once : &often, NULL);
  SECTION("loop");
  for (unsigned i = 0; !strcmp(what, "fatal") || alarms < 300; ++i) {
    TASK;
    if (i % 3 == 0) {
      LOCK("m");
    }
  }
  return 0;
}
