// A program's own functions and variables of the names of system calls are not called by the runtime.
// RUN: rm -f %t.json
// RUN: %clang-prophet -O2 -Wno-incompatible-library-redeclaration %s -o %t && env PROPHET_OUT=%t.json %t && %prophet tree %t.json | FileCheck %s
// RUN: %clang-prophet -static -O2 -Wno-incompatible-library-redeclaration %s -o %t -L%libdir -lprophet && env PROPHET_OUT=%t.json %t && %prophet tree %t.json | FileCheck %s
// CHECK: 10 tasks executed

int time, getpid, unlink; // variables
static void wrong(void) { __builtin_trap(); }
void write(void) { wrong(); }
void read(void) { wrong(); }
void open(void) { wrong(); }
void rename(void) { wrong(); }

int main(void) {
  volatile int n = 0;
#pragma prophet parallel for
  for (int i = 0; i < 10; ++i)
    n = n + i;
  return n - 45;
}
