/*
RUN: %each-build --std c89,c99,c11,c17,c23,c++11,c++14,c++17,c++20,c++23 %s | FileCheck %s --match-full-lines

Sections, tasks and locks nest as in the source; every way to end an iteration ends its task.

CHECK:      section parallel_for|{{.*}}parallel-for.c|[[#@LINE+31]]|rows|schedule(static, 4) reduction(+:sum) private(j)
CHECK-NEXT:   task
CHECK-NEXT:     lock sum
CHECK-NEXT:     end lock
CHECK-NEXT:   end task
CHECK-NEXT:   task
CHECK-NEXT:     lock sum
CHECK-NEXT:     end lock
CHECK-NEXT:     section parallel_for|{{.*}}parallel-for.c|[[#@LINE+29]]||nowait
CHECK-NEXT:       task
CHECK-NEXT:         lock
CHECK-NEXT:         end lock
CHECK-NEXT:       end task
CHECK-NEXT:       task
CHECK-NEXT:         lock
CHECK-NEXT:         end lock
CHECK-NEXT:       end task
CHECK-NEXT:     end section
CHECK-NEXT:   end task
CHECK-NEXT: end section
CHECK-NEXT: section parallel_for|{{.*}}parallel-for.c|[[#@LINE+24]]|two words|
CHECK-NEXT: end section
CHECK-NEXT: sum 1 line [[#@LINE+26]]
CHECK-NOT:  {{.}}
*/

#include <stdio.h>

int main(void) {
  int i, j, sum = 0;

#pragma prophet parallel for name(rows) \
    schedule(static, 4) reduction(+:sum), private(j)
  for (i = 0; i < 2; i++) {
#pragma prophet critical(sum)
    sum += i;
    if (i == 0) continue;
#pragma prophet parallel for nowait /* a comment
                                       of two lines */
    for (j = 0; j < 2; j++)
#pragma prophet critical
      if (j) sum++; else sum--;
  }

#pragma prophet parallel for name("two words")
  for (; 0;)
    ;

  printf("sum %d line %d\n", sum, __LINE__);
  return 0;
}
