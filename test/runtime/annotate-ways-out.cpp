// Constructs by hand that are left early, wrapped in classes, or ended in several files.
// DEFINE: %{cc} = %clangxx
// DEFINE: %{flags} = -O0
// DEFINE: %{check} = %{cc} %{flags} -I%include -DOTHER -c %s -o %t.o && %{cc} %{flags} -I%include %s %t.o -L%libdir -lprophet -Wl,-rpath,%libdir -pthread -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json --without-u | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}
// REDEFINE: %{cc} = %gxx
// RUN: %{check}
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{cc} = %clangxx-prophet
// RUN: %{check}
//
// CHECK: complete: true
// CHECK-NEXT: events: 38
// CHECK-NEXT: other_thread_events: 4
// CHECK-NEXT: abandoned_sections: 3
// CHECK-NEXT: tree: root[early[3*task[inner[task]]] wrapped[2*task[nested[task]]] elsewhere[task]]{{$}}
#include <prophet/annotate.h>

#ifdef OTHER
void elsewhereEnds() { PAR_SEC_END(false); }
#else
#include <stdexcept>
#include <thread>

void elsewhereEnds();

static volatile double sink;
static void compute(int n = 20000) {
  double x = 1;
  for (; n; --n)
    x = x * 0.5 + 1;
  sink = x;
}

__attribute__((noinline)) static bool leave(int i) {
  PAR_SEC_BEGIN(inner);
  PAR_TASK_BEGIN(task);
  compute();
  if (i == 1)
    throw std::runtime_error("early");
  if (i >= 0)
    return true;
  PAR_TASK_END();
  PAR_SEC_END(false);
  return false;
}

struct Section {
  Section(bool nested) {
    if (nested)
      PAR_SEC_BEGIN("nested");
    else
      PAR_SEC_BEGIN("wrapped");
  }
  ~Section() { PAR_SEC_END(false); }
};

struct Task {
  Task() { PAR_TASK_BEGIN(task); }
  ~Task() { PAR_TASK_END(); }
};

__attribute__((noinline)) static void wrapped() {
  Section section(false);
  for (int i = 0; i < 2; ++i)
    try {
      Task task;
      compute();
      Section nested(true);
      Task inner;
      compute();
      throw i;
    } catch (int) {
    }
}

int main() {
  compute();
  PAR_SEC_BEGIN("early");
  for (int i = 0; i < 3; ++i) {
    PAR_TASK_BEGIN("iteration");
    compute();
    try {
      leave(i);
    } catch (std::runtime_error &) {
    }
    PAR_TASK_END();
  }
  PAR_SEC_END(false);
  compute();
  wrapped();
  compute();
  std::thread(leave, -1).join();
  PAR_SEC_BEGIN(elsewhere);
  PAR_TASK_BEGIN(task);
  compute();
  elsewhereEnds();
  compute();
}
#endif
