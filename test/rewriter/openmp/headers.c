// Headers keep their annotations, and it is said; with --headers they are changed, too.
// RUN: rm -rf %t && mkdir -p %t/changed
// RUN: echo '#pragma prophet parallel for' > %t/loop.h
// RUN: echo '#define MARK _Pragma("prophet parallel for")' > %t/mark.h
// RUN: %prophet-rewrite --openmp %s -- -I%t 2>&1 | FileCheck %s
// RUN: %prophet-rewrite --openmp --headers --into=%t/changed %s -- -I%t
// RUN: cat %t/changed/paths %t/changed/1.text | FileCheck %s --check-prefix=CHANGED

// CHECK-DAG: loop.h:1:17: warning: the annotations of this file stay as they are
// CHECK-DAG: headers.c:[[#@LINE+12]]:3: warning: the annotation comes from the macro 'MARK'
// CHANGED: headers.c
// CHANGED-NEXT: loop.h
// CHANGED-NEXT: #pragma omp parallel for

#include "mark.h"
void f(int *a) {
#include "loop.h"
  for (int i = 0; i < 9; ++i)
    a[i] = 0;

  // The macro's expansion:
  MARK
  for (int i = 0; i < 9; ++i)
    a[i] = 0;
}
