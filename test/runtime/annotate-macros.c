/* The paper's macros, with every compiler and standard.
DEFINE: %{cc} = %clang
DEFINE: %{flags} =
DEFINE: %{check} = %{cc} %{flags} -Wall -Wextra -pedantic -Werror -I%include %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s && FileCheck %s --check-prefix=SITES < %t.json

REDEFINE: %{flags} = -std=c89 -O0
RUN: %{check}
REDEFINE: %{flags} = -std=c2x -O2
RUN: %{check}
REDEFINE: %{cc} = %gcc
REDEFINE: %{flags} = -std=c90 -O2
RUN: %{check}
REDEFINE: %{flags} = -std=c2x -O0
RUN: %{check}
REDEFINE: %{cc} = %clangxx -x c++
REDEFINE: %{flags} = -std=c++98 -O2
RUN: %{check}
REDEFINE: %{flags} = -std=c++2b -O0
RUN: %{check}
REDEFINE: %{cc} = %gxx -x c++
REDEFINE: %{flags} = -std=c++98 -O0
RUN: %{check}
REDEFINE: %{flags} = -std=c++2b -O2
RUN: %{check}

The plugin's programs find the runtime without -lprophet; others say what is missing.
RUN: %clang-prophet -O1 -I%include %s -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
RUN: not %clang -I%include %s -o %t 2>&1 | FileCheck %s --check-prefix=MISSING
RUN: %gcc -std=c90 -Wall -Wextra -pedantic -Werror -DPROPHET_DISABLE -I%include %s -o %t && %t
MISSING: undefined reference to `__prophet_open_section'

CHECK: complete: true
CHECK-NEXT: events: 20
CHECK-NEXT: tree: root[U loop1[task[U L(lock 1) {{(U )?}}loop2[2*task[U]] U] task[U L(lock_2) U] task[U L(histogram) U]] U]
SITES: {"name": "loop1", "kind": "parallel_for", "file": "{{.*}}annotate-macros.c", "line": [[#]], "nowait": false}
SITES: {"name": "loop2", "kind": "parallel_for", "file": "{{.*}}annotate-macros.c", "line": [[#]], "nowait": true}
*/
#include <prophet/annotate.h>

static volatile double sink;
static void compute(int n) {
  double x = 1;
  for (; n; --n)
    x = x * 0.5 + 1;
  sink = x;
}

int main(void) {
  int i, j, lock_2 = 2;
  compute(20000);
  PAR_SEC_BEGIN("loop1");
  for (i = 0; i < 3; ++i) {
    PAR_TASK_BEGIN("t1");
    compute(20000);
    if (i == 0)
      LOCK_BEGIN(1);
    else if (i == 1)
      LOCK_BEGIN(lock_2);
    else
      LOCK_BEGIN("histogram");
    compute(20000);
    if (i == 0)
      LOCK_END(1);
    else if (i == 1)
      LOCK_END(lock_2);
    else
      LOCK_END("histogram");
    if (i == 0) {
      PAR_SEC_BEGIN(loop2);
      for (j = 0; j < 2; ++j) {
        PAR_TASK_BEGIN(t2);
        compute(20000);
        PAR_TASK_END();
      }
      PAR_SEC_END(1);
    }
    compute(20000);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  compute(20000);
  return 0;
}
