// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -shared -fPIC -I%include %S/Inputs/trace-runtime.c -o libtrace.so
// RUN: %clang-prophet -O1 -c %s -o main.o
// RUN: %clang-prophet -O1 -c -DOTHER %s -o other.o
// RUN: %clangxx-prophet -O1 -c -xc++ -DMORE %s -o more.o
// RUN: %clang -no-pie main.o other.o more.o -o app
// RUN: env PROPHET_RUNTIME=%t/libtrace.so ./app | FileCheck %s

// Before the runtime is found a call does nothing; constructors of the usual priority are profiled.
// Several objects, of C and of C++, share the one table.

// CHECK:      {{^}}lock constructor
// CHECK-NEXT: end lock
// CHECK-NEXT: lock main
// CHECK-NEXT:   lock other
// CHECK-NEXT:   end lock
// CHECK-NEXT:   lock more
// CHECK-NEXT:   end lock
// CHECK-NEXT: end lock
// CHECK-NEXT: called 5 times
// CHECK-NOT:  {{.}}

#ifdef __cplusplus
extern "C" {
#endif
extern int calls;
int other(void);
int more(void);

#if defined(OTHER)
int other(void) {
#pragma prophet critical(other)
  return ++calls;
}
#elif defined(MORE)
int more(void) {
#pragma prophet critical(more)
  return ++calls;
}
#else
#include <stdio.h>

int calls;

static void tooEarly(void) {
#pragma prophet critical(early)
  ++calls;
}
__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = tooEarly;

__attribute__((constructor)) static void constructor(void) {
#pragma prophet critical(constructor)
  ++calls;
}

int main(void) {
#pragma prophet critical(main)
  {
    ++calls;
    other();
    more();
  }
  printf("called %d times\n", calls);
  return 0;
}
#endif
#ifdef __cplusplus
}
#endif
