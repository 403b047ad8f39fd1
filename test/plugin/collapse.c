/*
RUN: %each-build --std c89,c17,c++17 %s | FileCheck %s --match-full-lines

Collapsed loops share one section, and the innermost loop's iterations are its tasks. An atomic
is a lock of its own.

CHECK:      section parallel_for|{{.*}}|grid|collapse(3)
CHECK-NEXT:   task
CHECK-NEXT:     lock atomic collapse.c:[[#@LINE+24]]
CHECK-NEXT:     end lock
CHECK-NEXT:   end task
CHECK-NEXT:   task
CHECK-NEXT:   end task
CHECK-NEXT:   task
CHECK-NEXT:     lock atomic collapse.c:[[#@LINE+18]]
CHECK-NEXT:     end lock
CHECK-NEXT:   end task
CHECK-NEXT:   task
CHECK-NEXT:   end task
CHECK-NEXT: end section
CHECK-NEXT: 2
CHECK-NOT:  {{.}}
*/
#include <stdio.h>

int main(void) {
  int i, j, k, n = 0;
#pragma prophet parallel for name(grid) collapse(3)
  for (i = 0; i < 2; i++)
    {{ for (j = 0; j < 1; j++) {
      for (k = 0; k < 2; k++)
        if (k == 0)
#pragma prophet atomic
          n++;
    } }}
  printf("%d\n", n);
  return 0;
}
