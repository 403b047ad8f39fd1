/*
RUN: %each-build --std c89,c17,c++11,c++20 %s | FileCheck %s --match-full-lines

Each part of a block of sections is a task; the first needs no line of its own.

CHECK:      section sections|{{.*}}sections.c|[[#@LINE+21]]|parts|nowait
CHECK-NEXT:   task
CHECK-NEXT: one
CHECK-NEXT:   end task
CHECK-NEXT:   task
CHECK-NEXT: two
CHECK-NEXT:   end task
CHECK-NEXT:   task
CHECK-NEXT:     lock
CHECK-NEXT: three
CHECK-NEXT:     end lock
CHECK-NEXT:   end task
CHECK-NEXT: end section
CHECK-NEXT: section sections|{{.*}}sections.c|[[#@LINE+17]]||
CHECK-NEXT: end section
*/

#include <stdio.h>

static void parts(void) {

#pragma prophet parallel sections name(parts) nowait
  {
    puts("one");
#pragma prophet section name(second)
    { puts("two"); }
#pragma prophet section
#pragma prophet critical
    puts("three");
  }
#pragma prophet parallel sections
  {}
}

/*
CHECK-NEXT: section {{.*}}|left|cancel
CHECK-NEXT:   task
CHECK-NEXT:     section {{.*}}|loop|
CHECK-NEXT:       task
CHECK-NEXT:       end task
CHECK-NEXT:     end section
CHECK-NEXT:   end task
CHECK-NEXT:   task
CHECK-NEXT:   end task
CHECK-NEXT: end section
CHECK-NEXT: left 3
CHECK-NOT:  {{.}}
*/
static int left(int n) {
  int i;
  while (1) {
#pragma prophet parallel sections name(left) cancel
    {
#pragma prophet section
#pragma prophet parallel for name(loop)
      for (i = 0; i < 1; i++)
        n++;
#pragma prophet section
      {
        if (n == 3)
          break;
      }
#pragma prophet section
      puts("never");
    }
  }
  return n;
}

int main(void) {
  parts();
  printf("left %d\n", left(2));
  return 0;
}
