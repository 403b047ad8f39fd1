// 'ulimit -v' leaves the profiler less room, and still most of it to the program.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// CHECK: complete: true
// CHECK: tree: root[U loop[1000*task[U]] U]
#include "annotate.h"

#include <stdlib.h>
#include <sys/resource.h>

int main(void) {
  struct rlimit limit = {512u << 20, 512u << 20};
  setrlimit(RLIMIT_AS, &limit);
  SECTION("loop");
  for (int i = 0; i < 1000; ++i) {
    TASK;
    work(1000);
  }
  void *most = malloc(300u << 20);
  int failed = !most;
  free(most);
  return failed;
}
