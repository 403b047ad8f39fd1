// RUN: not %clang-prophet -fsyntax-only -fdiagnostics-parseable-fixits %s 2>&1 | FileCheck %s
// RUN: not %prophet-rewrite %s -- -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s

// CHECK: fixit.c:[[#@LINE+3]]:17: error: unknown directive 'critcal'; did you mean 'critical'?
// CHECK: fix-it:"{{.*}}fixit.c":{[[#@LINE+2]]:17-[[#@LINE+2]]:24}:"critical"
void f(int n) {
#pragma prophet critcal (sum)
  n++;
// CHECK: fixit.c:[[#@LINE+2]]:30: error: unknown clause 'reducton'; did you mean 'reduction'?
// CHECK: fix-it:"{{.*}}fixit.c":{[[#@LINE+1]]:30-[[#@LINE+1]]:38}:"reduction"
#pragma prophet parallel for reducton(+ : n)
  for (int i = 0; i < 3; i++)
    n++;
// CHECK: fixit.c:[[#@LINE+1]]:39: error: expected ')' to close clause 'name'
#pragma prophet parallel for name(rows
  for (int i = 0; i < 3; i++)
    n++;
}
