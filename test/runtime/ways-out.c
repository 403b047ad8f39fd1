// Whichever way the program ends, the tree is there, and the program ends as it would without us.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// DEFINE: %{run} = env PROPHET_OUT=%t.json python3 %S/Inputs/status.py
// DEFINE: %{show} = python3 %S/Inputs/show_tree.py %t.json
//
// RUN: rm -f %t.json
// RUN: %{run} 3 %t return && %{show} | FileCheck %s --check-prefix=COMPLETE
// RUN: rm %t.json
// RUN: %{run} 4 %t exit && %{show} | FileCheck %s --check-prefix=COMPLETE
// RUN: rm %t.json
// RUN: %{run} 5 %t quick_exit && %{show} | FileCheck %s --check-prefix=COMPLETE
// RUN: rm %t.json
// RUN: %{run} 6 %t exit_inside && %{show} | FileCheck %s --check-prefix=CUT
// RUN: rm %t.json
// RUN: %{run} SIGABRT %t abort && %{show} | FileCheck %s --check-prefix=CUT
// RUN: rm %t.json
// RUN: %{run} SIGSEGV %t null && %{show} | FileCheck %s --check-prefix=CUT
// RUN: rm %t.json
// RUN: %{run} SIGSEGV %t overflow && %{show} | FileCheck %s --check-prefix=CUT
// RUN: rm %t.json
// RUN: %{run} SIGTERM %t term && %{show} | FileCheck %s --check-prefix=CUT
// RUN: rm %t.json
// RUN: %{run} SIGTERM %t term_outside && %{show} | FileCheck %s --check-prefix=OUTSIDE
// RUN: rm %t.json
// RUN: %{run} 7 %t _exit && not ls %t.json
//
// COMPLETE: complete: true
// COMPLETE: tree: root[U loop[10*task[U]] U]
// CUT: complete: false
// CUT: tree: root[U loop[10*task[U]] U loop[task[U L(m)]]]
// OUTSIDE: complete: false
// OUTSIDE: tree: root[U loop[10*task[U]] U]
#include "annotate.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int deeper(volatile char *above) {
  volatile char here[4096];
  here[0] = above[0];
  return deeper(here) + here[1];
}

static void die(const char *how) {
  SECTION("loop");
  TASK;
  work(1000);
  LOCK("m");
  work(1000);
  if (!strcmp(how, "exit_inside"))
    exit(6);
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "null"))
    *(volatile int *)0 = 1;
  if (!strcmp(how, "overflow"))
    deeper("");
  raise(SIGTERM);
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  {
    SECTION("loop");
    for (int i = 0; i < 10; ++i) {
      TASK;
      work(1000);
    }
  }
  if (!strcmp(how, "return"))
    return 3;
  if (!strcmp(how, "exit"))
    exit(4);
  if (!strcmp(how, "quick_exit"))
    quick_exit(5);
  if (!strcmp(how, "_exit"))
    _exit(7);
  if (!strcmp(how, "term_outside"))
    raise(SIGTERM);
  die(how);
}
