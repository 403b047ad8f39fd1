// Tasks of an iteration, whose variable lies further up the stack than the loop's call did.
// DEFINE: %{cc} = %clang
// DEFINE: %{flags} = -O0
// DEFINE: %{check} = %{cc} %{flags} -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json --without-u | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}
// REDEFINE: %{cc} = %gcc
// RUN: %{check}
//
// CHECK: complete: true
// CHECK-NEXT: events: 32
// CHECK-NEXT: tree: root[outer[task loop[4*task[inner[task]]] task]]{{$}}
#include "annotate.h"

#define TASKS(name) unsigned name __attribute__((cleanup(__prophet_tasks_end))) = 0
#define SPAWN(tasks, site)                                                                         \
  unsigned spawned __attribute__((cleanup(__prophet_task_end), unused)) =                          \
      __prophet_spawn_begin(&tasks, SITE("tasks", site, ""))

int main(void) {
  TASKS(outer);
  {
    SPAWN(outer, "outer");
    work(20000);
  }
  {
    SECTION("loop");
    for (int i = 0; i < 4; ++i) {
      TASK;
      TASKS(inner);
      SPAWN(inner, "inner");
      work(20000);
    }
  }
  {
    SPAWN(outer, "outer");
    work(20000);
  }
  return 0;
}
