/* A program that is annotated for Intel Advisor works unchanged.
DEFINE: %{cc} = %clang
DEFINE: %{flags} =
DEFINE: %{check} = %{cc} %{flags} -Wall -Wextra -pedantic -Werror -I%include/prophet/advisor %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s

REDEFINE: %{flags} = -std=c89 -O0
RUN: %{check}
REDEFINE: %{flags} = -std=c2x -O2
RUN: %{check}
REDEFINE: %{cc} = %gcc
REDEFINE: %{flags} = -std=c90 -O2
RUN: %{check}
REDEFINE: %{cc} = %clangxx -x c++
REDEFINE: %{flags} = -std=c++98 -O2
RUN: %{check}
REDEFINE: %{cc} = %gxx -x c++
REDEFINE: %{flags} = -std=c++23 -O0
RUN: %{check}
RUN: %gcc -std=c90 -Wall -Wextra -pedantic -Werror -DANNOTATE_EXPAND_NULL -I%include/prophet/advisor %s -o %t && %t
RUN: %clang -DNAMELESS -I%include/prophet/advisor %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s

CHECK: complete: true
CHECK-NEXT: events:
CHECK-NEXT: paused_ticks: {{[1-9]}}
CHECK-NEXT: tree: root[U {{(L\(&solutions\) )?}}solve[task[U {{.*}}L(&solutions){{.*}}] {{.*}}] U halves[2*task[U]] U]
*/
#include "advisor-annotate.h"

#ifdef ANNOTATE_EXPAND_NULL
#include <stdlib.h> /* which the header includes otherwise */
#endif

#ifndef INTEL_ADVISOR_ANNOTATION_VERSION
#error "this is not advisor-annotate.h"
#endif
#ifdef NAMELESS /* the ends' other form */
#define SITE_NAME
#define TASK_NAME
#else
#define SITE_NAME halves
#define TASK_NAME half
#endif

enum { SIZE = 8 };
static int solutions;
static volatile double sink;

static void set_queen(int *queens, int row, int column) {
  int i;
  for (i = 0; i < row; i++)
    if (queens[i] == column || queens[i] - column == row - i || column - queens[i] == row - i)
      return;
  queens[row] = column;
  if (row == SIZE - 1) {
    ANNOTATE_LOCK_ACQUIRE(&solutions);
    solutions++;
    ANNOTATE_LOCK_RELEASE(&solutions);
    return;
  }
  for (i = 0; i < SIZE; i++)
    set_queen(queens, row + 1, i);
}

static void solve(void) {
  int i;
  ANNOTATE_SITE_BEGIN(solve);
  for (i = 0; i < SIZE; i++) {
    int *queens;
    ANNOTATE_ITERATION_TASK(set_queen);
    queens = (int *)malloc(SIZE * sizeof(int));
    ANNOTATE_RECORD_ALLOCATION(queens, SIZE * sizeof(int));
    ANNOTATE_REDUCTION_USES(&solutions, sizeof(int));
    set_queen(queens, 0, i);
    ANNOTATE_RECORD_DEALLOCATION(queens);
    free(queens);
  }
  ANNOTATE_SITE_END(solve);
}

static void compute(int n) {
  double x = 1;
  for (; n; --n)
    x = x * 0.5 + 1;
  sink = x;
}

int main(void) {
  int i;
  compute(20000);
  ANNOTATE_DISABLE_COLLECTION_PUSH;
  compute(20000);
  ANNOTATE_DISABLE_COLLECTION_POP;
  solve();
  compute(20000);
  ANNOTATE_SITE_BEGIN(halves);
  for (i = 0; i < 2; i++) {
    ANNOTATE_TASK_BEGIN(half);
    ANNOTATE_DISABLE_OBSERVATION_PUSH;
    ANNOTATE_INDUCTION_USES(&i, sizeof i);
    ANNOTATE_OBSERVE_USES(&i, sizeof i);
    ANNOTATE_CLEAR_USES(&i);
    ANNOTATE_AGGREGATE_TASK(1);
    ANNOTATE_DISABLE_OBSERVATION_POP;
    compute(20000);
    ANNOTATE_TASK_END(TASK_NAME);
  }
  ANNOTATE_SITE_END(SITE_NAME);
  compute(20000);
  return solutions != 92;
}
