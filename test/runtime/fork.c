// A fork's child neither records nor touches its parent's tree.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t -Wno-unused-result
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env PROPHET_OUT=%t.dir/%%p.json %t
// RUN: ls %t.dir | count 1
// RUN: env PROPHET_OUT=%t.dir/tree %t && python3 %S/Inputs/show_tree.py %t.dir/tree | FileCheck %s
// CHECK: complete: true
// CHECK: tree: root[U loop[5*task[U]] U]
#include "annotate.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  {
    SECTION("loop");
    for (int i = 0; i < 5; ++i) {
      TASK;
      work(1000);
      if (i == 2 && fork() == 0) {
        SECTION("child");
        exit(0);
      }
      if (i == 3 && fork() == 0)
        abort();
    }
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
