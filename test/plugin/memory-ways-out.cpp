// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx-prophet -fplugin-arg-prophet-memory %{level} %s -o app && export PROPHET_MEMORY_OUT=app.json && \
// DEFINE:   ./app return | FileCheck %s --check-prefix=OUTPUT && %python %S/Inputs/show_memory.py app.json | FileCheck %s && \
// DEFINE:   ./app exit && %python %S/Inputs/show_memory.py app.json | FileCheck %s --check-prefix=OPEN && rm app.json && \
// DEFINE:   not --crash ./app abort && %python %S/Inputs/show_memory.py app.json | FileCheck %s --check-prefix=OPEN

// Exceptions and longjmp leave sections; programs that end within one, of themselves or by a
// signal, leave what was measured.
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}

// OUTPUT: 3 caught, 1 jumps, sum 35
// CHECK:      complete rate 1
// CHECK-NEXT: throws executions=3
// CHECK:      jumps executions=1
// CHECK:      last executions=1 reads={{.*}} writes=512
// CHECK-NEXT:   stream first={{6[4-6]}} again=0
// CHECK-NEXT:   written={{.*}} dirty={{6[4-6]}}
// OPEN:      incomplete rate 1
// OPEN:      last executions=1
// OPEN-NEXT:   stream first={{6[4-6]}}
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

static jmp_buf place;
static volatile long sum;
alignas(64) static long out[512]; // no line of which is another variable's

static void throwing(int n) {
#pragma prophet parallel for name(throws) cancel
  for (int i = 0; i < 10; i++) {
    sum = sum + 1;
    if (i == n)
      throw std::runtime_error("n");
  }
}

__attribute__((noinline)) static void jumping(void) {
#pragma prophet parallel for name(jumps)
  for (int i = 0; i < 10; i++) {
    sum = sum + 1;
    if (i == 9)
      longjmp(place, 1);
  }
}

int main(int argc, char **argv) {
  volatile int caught = 0, jumps = 0;
  for (int n = 7; n < 10; n++)
    try {
      throwing(n);
    } catch (const std::exception &) {
      caught = caught + 1;
    }
  if (setjmp(place))
    jumps = jumps + 1;
  if (jumps < 1)
    jumping();
  if (argc < 2)
    return 1;
#pragma prophet parallel for name(last)
  for (int i = 0; i < 512; i++) {
    out[i] = i;
    if (i == 511 && strcmp(argv[1], "exit") == 0)
      exit(0);
    if (i == 511 && strcmp(argv[1], "abort") == 0)
      abort();
  }
  printf("%d caught, %d jumps, sum %ld\n", caught, jumps, sum - out[2]);
  return 0;
}
