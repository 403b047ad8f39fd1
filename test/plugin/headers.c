/*
RUN: %each-build --std c99,c17,c++17 %s | FileCheck %s

Annotations in included files, once or several times; their lines stay theirs.
*/

#include <stdio.h>

#include "Inputs/guarded.h" /* a comment
                               that goes on */
#include "Inputs/guarded.h"
#define NAME first
#include "Inputs/list.def"
#define NAME second
  #include "Inputs/list.def"

/* CHECK:      section {{.*}}guarded.h|7|guarded|
   CHECK-NEXT:   task
   CHECK-NEXT:     lock once
   CHECK-NEXT:     end lock
   CHECK-NEXT:   end task
   CHECK-NEXT: end section
   CHECK-NEXT: lock listed
   CHECK-NEXT: end lock
   CHECK-NEXT: lock listed
   CHECK-NEXT: end lock
   CHECK-NEXT: 10 2 2 line [[#@LINE+6]]
   CHECK-NOT:  {{.}}
*/
int main(void) {
  int a = guarded(1);
  int b = first(0), c = second(0);
  printf("%d %d %d line %d\n", a, b, c, __LINE__);
  return 0;
}
