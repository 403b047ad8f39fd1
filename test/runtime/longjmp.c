// What a longjmp leaves open is closed by the end of a construct around it, or by the next section
// that is opened further up the stack.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// CHECK: complete: true
// CHECK: abandoned_sections: 1
// CHECK: tree: root[U outer[{{.*}}task[U inner[task[U L(m)]]]{{.*}} task[U]] {{(U )?}}inner[task[U L(m)]] {{(U )?}}outer[task[U]] U]
#include "annotate.h"

#include <setjmp.h>

static jmp_buf back;

__attribute__((noinline)) static void inner(void) {
  SECTION("inner");
  TASK;
  work(1000);
  LOCK("m");
  work(1000);
  longjmp(back, 1);
}

__attribute__((noinline)) static void outer(void) {
  SECTION("outer");
  for (volatile int i = 0; i < 3; ++i) {
    TASK;
    work(1000);
    if (i < 2 && setjmp(back) == 0)
      inner();
    work(1000);
  }
}

int main(void) {
  outer();
  if (setjmp(back) == 0)
    inner(); // no construct around it ends
  SECTION("outer");
  TASK;
  work(1000);
  return 0;
}
