/*
RUN: %each-build --std c89,c17,c++17 %s | FileCheck %s --match-full-lines

What stands alone is called where it stands: before a label, after one, at a block's end.

CHECK:      pause
CHECK-NEXT: set up
CHECK-NEXT: resume
CHECK-NEXT: work
CHECK-NEXT: pause
CHECK-NEXT: resume
CHECK-NEXT: after the label
CHECK-NEXT: pause
CHECK-NEXT: resume
CHECK-NOT:  {{.}}
*/
#include <stdio.h>

#define QUIET(statement)                                                                           \
  do {                                                                                             \
    _Pragma("prophet pause") statement;                                                            \
    _Pragma("prophet resume")                                                                      \
  } while (0)

int main(void) {
#pragma prophet pause
  puts("set up");
#pragma prophet resume
  puts("work");
  goto label;
#pragma prophet pause
  puts("never");
label:
#pragma prophet pause
#pragma prophet resume
  puts("after the label");
  QUIET((void)0);
  return 0;
}
