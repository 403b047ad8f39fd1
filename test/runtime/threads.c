// Only the thread that opened the first section is profiled; every thread may end the program.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t -pthread
// DEFINE: %{run} = env PROPHET_OUT=%t.json python3 %S/Inputs/status.py
// DEFINE: %{show} = python3 %S/Inputs/show_tree.py %t.json
//
// RUN: rm -f %t.json
// RUN: %{run} 0 %t return && %{show} | FileCheck %s --check-prefix=RETURN
// RUN: rm %t.json
// RUN: %{run} 2 %t exit && %{show} | FileCheck %s --check-prefix=OTHER
// RUN: rm %t.json
// RUN: %{run} SIGSEGV %t null && %{show} | FileCheck %s --check-prefix=OTHER
// RUN: rm %t.json
// RUN: %{run} 0 %t gone && %{show} | FileCheck %s --check-prefix=GONE
//
// RETURN: complete: true
// RETURN: other_thread_events: 8
// RETURN: tree: root[U loop[100*task[U]] U]
// OTHER: complete: false
// Where the other thread strikes between two tasks, what follows the last one is in none.
// OTHER: tree: root[U loop[{{[0-9]+}}*task[U]]{{( U)?}}]
// GONE: complete: true
// GONE: tree: root[U loop[100*task[U]] U]
#include "annotate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how;

static void loop(int n) {
  SECTION("loop");
  for (int i = 0; i < n; ++i) {
    TASK;
    work(1000);
  }
}

static void *profiled(void *unused) {
  loop(100);
  return unused;
}

static void *other(void *unused) {
  if (!strcmp(how, "return")) {
    SECTION("ignored");
    for (int i = 0; i < 2; ++i) {
      TASK;
    }
    LOCK("ignored");
    return unused;
  }
  usleep(20000);
  if (!strcmp(how, "exit"))
    exit(2);
  *(volatile int *)0 = 1;
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  how = argv[argc - 1];
  if (!strcmp(how, "gone")) {
    pthread_create(&thread, NULL, profiled, NULL);
    pthread_join(thread, NULL);
    return 0;
  }
  if (!strcmp(how, "return"))
    loop(100);
  pthread_create(&thread, NULL, other, NULL);
  if (strcmp(how, "return"))
    loop(1 << 30); // until the other thread ends the program
  pthread_join(thread, NULL);
  return 0;
}
