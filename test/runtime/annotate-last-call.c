// A function whose last call is an end: its section is its own, not its caller's.
// DEFINE: %{cc} = %clang
// DEFINE: %{check} = %{cc} -O2 -I%include %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// RUN: %{check}
// REDEFINE: %{cc} = %gcc
// RUN: %{check}
//
// CHECK: complete: true
// CHECK-NEXT: events: 90
// CHECK-NEXT: tree:
#include <prophet/advisor-annotate.h>
#include <prophet/annotate.h>

static volatile int sink;

__attribute__((noinline)) static void halves(int n) {
  if (n < 2) {
    sink = n;
    return;
  }
  ANNOTATE_SITE_BEGIN(halves);
  ANNOTATE_TASK_BEGIN(left);
  halves(n / 2);
  ANNOTATE_TASK_END(left);
  ANNOTATE_TASK_BEGIN(right);
  halves(n - n / 2);
  ANNOTATE_TASK_END(right);
  ANNOTATE_SITE_END(halves);
}

__attribute__((noinline)) static void row(int i) {
  sink = i;
  PAR_TASK_END();
}

int main(void) {
  int i;
  halves(15);
  PAR_SEC_BEGIN("rows");
  for (i = 0; i < 2; ++i) {
    PAR_TASK_BEGIN("row");
    row(i);
  }
  PAR_SEC_END(0);
  return 0;
}
