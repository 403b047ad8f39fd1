/*
RUN: %each-build --std c99,c17,c23,c++11,c++20 %s | FileCheck %s

Pragmas, loops, bodies and whole functions may come from macros.
*/

#include <stdio.h>

#define STRING(x) #x
#define PRAGMA(x) _Pragma(STRING(x))
#define PARALLEL_FOR(i, n) PRAGMA(prophet parallel for name(i)) for (int i = 0; i < (n); i++)
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define LOCKED(statement) do { _Pragma("prophet critical(locked)") statement; } while (0)
#define BODY { puts("body"); }
#define CALL puts("call")
#define WHOLE(n)                                                                                   \
  puts("before");                                                                                  \
  _Pragma("prophet parallel for name(whole)") for (int k = 0; k < n; k++) {                        \
    _Pragma("prophet critical") puts("k");                                                         \
  }                                                                                                \
  puts("after");

int main(void) {
  /* CHECK:      {{^}}section {{.*}}macros.c|[[#@LINE+9]]|i|
     CHECK-NEXT: task
     CHECK-NEXT: lock locked
     CHECK-NEXT: in lock
     CHECK-NEXT: end lock
     CHECK-NEXT: end task
     CHECK-NEXT: end section
     CHECK-NEXT: line [[#@LINE+4]]
  */
  PARALLEL_FOR(i, 1) /* comment */
    LOCKED(puts("in lock"));
  printf("line %d\n", __LINE__);

  /* CHECK-NEXT: section {{.*}}|body|
     CHECK-NEXT: task
     CHECK-NEXT: body
     CHECK-NEXT: end task
     CHECK-NEXT: end section
     CHECK-NEXT: section
     CHECK-NEXT: task
     CHECK-NEXT: call
     CHECK-NEXT: end task
     CHECK-NEXT: end section
  */
#pragma prophet parallel for name(body)
  FOR(i, 1) BODY
#pragma prophet parallel for
  FOR(i, 1)
    CALL;

  /* CHECK-NEXT: before
     CHECK-NEXT: section {{.*}}|whole|
     CHECK-NEXT: task
     CHECK-NEXT: lock
     CHECK-NEXT: k
     CHECK-NEXT: end lock
     CHECK-NEXT: end task
     CHECK-NEXT: end section
     CHECK-NEXT: after
  */
  WHOLE(1)

  /* CHECK-NEXT: lock operator
     CHECK-NEXT: end lock
     CHECK-NEXT: line [[#@LINE+5]]
     CHECK-NOT: {{.}}
  */
  int x = 0;
  _Pragma("prophet critical(operator)") x++;
  printf("line %d\n", __LINE__);
  return 0;
}
