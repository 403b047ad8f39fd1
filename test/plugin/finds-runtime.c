// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -shared -fPIC -I%include %S/Inputs/trace-runtime.c -o libtrace.so
// RUN: %clang -c -I%include %S/Inputs/trace-runtime.c -o trace.o
// RUN: %llvm-bin/llvm-ar rcs libtrace.a trace.o

// A program links without a flag, and finds the runtime that is named when it starts.
// RUN: %clang-prophet -O2 %s -o app
// RUN: env PROPHET_RUNTIME=%t/libtrace.so ./app | FileCheck %s

// Named wrongly, it says so, does nothing else, and runs.
// RUN: env PROPHET_RUNTIME=%t/none.so ./app 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: env PROPHET_RUNTIME=libm.so.6 ./app 2>&1 | FileCheck %s --check-prefix=OTHER

// A runtime that is linked in comes before the one that is named.
// RUN: %clang-prophet -O2 %s -o app-linked -L. -Wl,-rpath,%t -ltrace
// RUN: env PROPHET_RUNTIME=%t/none.so ./app-linked | FileCheck %s

// A static program takes the runtime out of an archive, and says so where there is none.
// RUN: %clang-prophet -O2 -static %s -o app-static -L. -ltrace
// RUN: ./app-static | FileCheck %s
// RUN: %clang-prophet -O2 -static-pie -fPIE %s -o app-static -L. -ltrace
// RUN: ./app-static | FileCheck %s
// RUN: %clang-prophet -O2 -static %s -o app-bare
// RUN: env PROPHET_RUNTIME=%t/libtrace.so ./app-bare 2>&1 | FileCheck %s --check-prefix=STATIC

// Of a plugin that stands alone no program knows a runtime.
// RUN: mkdir alone && cp %plugin alone/prophet.so
// RUN: %clang -fplugin=alone/prophet.so -O2 %s -o app-alone
// RUN: ./app-alone 2>&1 | FileCheck %s --check-prefix=NONE

// A shared library has its own way in, beside its program's.
// RUN: %clang-prophet -O2 -DLIBRARY -fPIC -shared %s -o libwork.so
// RUN: %clang-prophet -O2 -DPROGRAM %s -o app-shared -L. -lwork -Wl,-rpath,%t
// RUN: env PROPHET_RUNTIME=%t/libtrace.so ./app-shared | FileCheck %s
// RUN: %llvm-bin/llvm-nm -D --defined-only libwork.so | FileCheck %s --check-prefix=SYMBOLS

// CHECK: {{^ *}}section parallel_for|{{.*}}|rows|
// CHECK: {{^ *}}end section
// CHECK: 3
// MISSING: prophet: PROPHET_RUNTIME={{.*}}/none.so is no runtime of this version ({{.*}}: No such file or directory); nothing is recorded
// MISSING-NEXT: 3
// OTHER: prophet: PROPHET_RUNTIME=libm.so.6 is no runtime of this version (no such interface); nothing is recorded
// OTHER-NEXT: 3
// STATIC: prophet: no runtime in this static program, nothing is recorded; link with -lprophet
// STATIC-NEXT: 3
// NONE: prophet: no runtime found, nothing is recorded; set PROPHET_RUNTIME to libprophet.so.1, or link with -lprophet
// NONE-NEXT: 3
// SYMBOLS-NOT: prophet

#include <stdio.h>

int work(int n);
#ifndef PROGRAM
int work(int n) {
  int s = 0;
#pragma prophet parallel for name(rows)
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}
#endif

#ifndef LIBRARY
int main(void) {
  int s = 0;
#pragma prophet critical
  s += work(3);
  printf("%d\n", s);
  return 0;
}
#endif
