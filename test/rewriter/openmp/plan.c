// A plan's schedule, guard and note reach the loop at its line; a loop may stay serial.
// RUN: echo '{"sites": [{"file": "/elsewhere/plan.c", "line": 9, "schedule": "dynamic,2", "guard": 40, "note": "found so"},' > %t.plan
// RUN: echo '{"file": "plan.c", "line": 16, "serial": true, "note": "stays serial"}]}' >> %t.plan
// RUN: %prophet-rewrite --openmp --plan=%t.plan %s -- -fno-caret-diagnostics > %t.c 2> %t.err
// RUN: grep -v // %t.c | FileCheck %s && FileCheck %s --check-prefix=SAID < %t.err
void f(int *a, int from, int n) {
// SAID: plan.c:9:17: remark: found so
// CHECK: #pragma omp parallel for schedule(dynamic,2) if((n - from + 1) / 2 > 40)
#pragma prophet parallel for schedule(static)
  for (int i = from; i <= n; i += 2)
    a[i] = 0;
// SAID: plan.c:16:17: remark: stays serial
// CHECK: a[i] = 0
// CHECK-EMPTY:
// CHECK-NEXT: for (int i = 0; i < 2
#pragma prophet parallel for
  for (int i = 0; i < 2; ++i)
    a[i] = 0;
// SAID: plan.c:21:17: remark: the profile has no such site
// CHECK: {{^}}#pragma omp parallel for{{$}}
#pragma prophet parallel for
  for (int i = 0; i < 3; ++i)
    a[i] = 0;
}
