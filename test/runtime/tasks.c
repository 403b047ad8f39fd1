// Spawned tasks and pauses, by the calls that the front ends insert.
// DEFINE: %{cc} = %clang
// DEFINE: %{flags} = -O0
// DEFINE: %{check} = %{cc} %{flags} -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -pthread -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json --without-u | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}
// REDEFINE: %{cc} = %gcc
// RUN: %{check}
//
// CHECK: complete: true
// CHECK-NEXT: events: 22
// CHECK-NEXT: paused_ticks: {{[1-9]}}
// CHECK-NEXT: other_thread_events: 3
// CHECK-NEXT: tree: root[fib[task[fib[2*task]] task] array[4*task]]{{$}}
// CHECK-NEXT: seconds: 0.0
#include "annotate.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define TASKS unsigned tasks __attribute__((cleanup(__prophet_tasks_end))) = 0
#define SPAWN(name)                                                                                \
  unsigned spawned __attribute__((cleanup(__prophet_task_end), unused)) =                          \
      __prophet_spawn_begin(&tasks, SITE("tasks", name, ""))

static int fib(int n) {
  TASKS;
  int x, y;
  if (n < 2) {
    work(20000);
    return n;
  }
  {
    SPAWN("fib");
    x = fib(n - 1);
  }
  {
    SPAWN("fib");
    y = fib(n - 2);
  }
  __prophet_tasks_end(&tasks);
  if (tasks)
    abort();
  work(n == 2 ? 0 : 20000);
  return x + y;
}

/** The stack's end moves between one task and the next, and a loop is opened in between. */
static void array(int n) {
  TASKS;
  for (int i = n; i > 0; --i) {
    volatile char room[64 * i];
    room[0] = 0;
    SPAWN("array");
    work(20000 + room[0]);
  }
}

static void *foreign(void *unused) {
  TASKS;
  SPAWN("foreign");
  if (tasks) // only the profiled thread has sections
    abort();
  __prophet_pause();
  return unused;
}

int main(void) {
  pthread_t thread;
  __prophet_pause(); // before anything is profiled
  usleep(200000);
  { // not recorded, and not the first section either
    SECTION("paused");
    TASK;
  }
  __prophet_resume();
  work(20000);
  if (fib(3) != 2)
    return 1;
  work(20000);
  pthread_create(&thread, NULL, foreign, NULL);
  pthread_join(thread, NULL);
  array(4);
  work(20000);
  __prophet_pause();
  usleep(200000);
  return 0;
}
