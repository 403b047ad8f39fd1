/*
RUN: %each-build --std c11,c++17 %s | FileCheck %s
RUN: %clang-prophet -O2 -Werror -Wall -Wno-unknown-pragmas -Rpass=loop-unroll -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HINT
RUN: %clang-prophet -fopenmp -Werror -Wall -c %s -o %t.o

Loop hints and OpenMP pragmas may stand between an annotation and its loop, and keep their effect.
*/

#include <stdio.h>

int main(void) {
  int i, s = 0;
  /* CHECK:      section {{.*}}|hinted|
     CHECK-NEXT: task
     HINT: other-pragmas.c:[[#@LINE+4]]:3: remark: unrolled loop by a factor of 2
  */
#pragma prophet parallel for name(hinted)
#pragma clang loop unroll_count(2)
  for (i = 0; i < 10; i++)
    s += i;
  /* CHECK: section {{.*}}|openmp|
     CHECK: end section
     CHECK: 90
  */
#pragma prophet parallel for name(openmp)
#pragma omp parallel for reduction(+ : s)
  for (i = 0; i < 10; i++) {
    if (i == 3)
      continue;
#pragma prophet critical
#pragma omp atomic
    s += i;
  }
  printf("%d\n", s + 3);
  return 0;
}
