// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{level} =
// DEFINE: %{check} = %clang-prophet -fplugin-arg-prophet-memory %{level} %s -o app && \
// DEFINE:   env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app && \
// DEFINE:   %python %S/Inputs/show_memory.py app.json | FileCheck %s
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
// REDEFINE: %{level} = -O2 -fno-vectorize -fno-unroll-loops
// RUN: %{check}

// An index that is kept inside of an array goes on with the loop but at its ends; one that data choose does not.
// CHECK:      clamped executions=1
// CHECK-NEXT:   stream first={{[1-9]}}
// CHECK-NOT:    {{stride|indirect}} first
// CHECK:      branched executions=1
// CHECK-NEXT:   stream first=
// CHECK-NOT:    {{stride|indirect}} first
// CHECK:      periodic executions=1
// CHECK-NEXT:   stream first=
// CHECK-NOT:    {{stride|indirect}} first
// CHECK:      switched executions=1
// CHECK-NEXT:   stream first=
// CHECK-NOT:    {{stride|indirect}} first
// CHECK:      appended executions=1
// CHECK-NEXT:   stream first=
// CHECK-NOT:    {{stride|indirect}} first
// CHECK:      spread executions=1
// CHECK:        stride first=
// CHECK-NOT:    indirect first
// CHECK:      stepped executions=1
// CHECK:        stride first=
// CHECK-NOT:    indirect first
// CHECK:      columns executions=1
// CHECK:        stride first=
// CHECK-NOT:    indirect first
// CHECK:      blocks executions=1
// CHECK:        stride first=
// CHECK-NOT:    indirect first
// CHECK:      chosen executions=1
// CHECK:        indirect first=
// CHECK:      taken executions=1
// CHECK:        indirect first=
// CHECK:      hashed executions=1
// CHECK:        indirect first=
// CHECK:      divided executions=1
// CHECK:        indirect first=
// CHECK:      seeded executions=1
// CHECK:        indirect first=
#include <stdlib.h>

enum { N = 4096 };
static double from[N], to[N];
static int isTaken[N];
static struct {
  double cells[2];
} rows[N];
static volatile int ends;
int seed = 1, top;
int *next = isTaken;
static long width = 64;

__attribute__((noinline)) void opaque(void) { __asm__ volatile("" ::: "memory"); }

static int clamp(int index, int size) { return index < 0 ? 0 : index < size ? index : size - 1; }

static double flow(double difference) { return difference * abs((int)difference); }

int main(int argc, char **argv) {
  (void)argv;
  int size = N - argc + 1;
  width += argc - 1;
  for (int i = 0; i < N; i++)
    from[i] = rows[i].cells[1] = i * argc, isTaken[i] = i * 37 % 5 > 2;
#pragma prophet parallel for name(clamped)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++)
      to[i] = flow(from[clamp(i + 1, size)]) + flow(from[clamp(i - 1, size)]);
#pragma prophet parallel for name(branched)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++) {
      int before, after;
      if (i > 0 && i < size) {
        before = i - 1;
      } else {
        ends = i; // what makes a branch of a choice
        before = size - 1;
      }
      if (i + 1 < size) {
        after = i + 1;
      } else {
        ends = i;
        after = 0;
      }
      to[i] = from[before] + from[after];
    }
#pragma prophet parallel for name(periodic)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++)
      to[i] = from[(i + 1) % size] + from[(unsigned)(i + size - 1) % (unsigned)size] + from[(i + 3) % (N - 1)] +
              rows[(unsigned long)(i + 5) % 4001].cells[1];
#pragma prophet parallel for name(switched)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++) {
      int at = i;
      switch (i) {
      case 3:
        ends = i;
        at = size - 1;
        break;
      case 90:
        ends = i;
        at = 0;
      }
      to[i] = from[at];
    }
#pragma prophet parallel for name(appended)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++) {
      opaque();
      to[top++] = from[i];
      *next++ = i % 3 == 0;
    }
#pragma prophet parallel for name(spread)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++)
      to[i] = from[(i * 1021ul) % 4001];
#pragma prophet parallel for name(stepped)
  for (int k = 0; k < 1; k++) {
    top = 0;
    for (int i = 0; i < 40; i++) {
      opaque();
      to[top += 100] = from[i];
    }
  }
#pragma prophet parallel for name(columns)
  for (int k = 0; k < 1; k++)
    for (unsigned long i = 0; i < 60; i++)
      to[i] = from[(i + 1) % (unsigned long)(60 + argc) * (unsigned long)width];
#pragma prophet parallel for name(blocks)
  for (int k = 0; k < 1; k++)
    for (unsigned long i = 0; i < 1000; i++) {
      ends = (int)i;
      to[i] = from[i / 16 * 64];
    }
#pragma prophet parallel for name(chosen)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++)
      to[i] = from[isTaken[i] ? i : size - i - 1];
#pragma prophet parallel for name(taken)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++) {
      int at = i;
      if (isTaken[i]) {
        ends = i;
        at = size - i - 1;
      }
      to[i] = from[at];
    }
#pragma prophet parallel for name(hashed)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++)
      to[i] = from[(unsigned)isTaken[i] * 2654435761u % 4001u];
#pragma prophet parallel for name(divided)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++)
      to[i] = from[(unsigned)(i + 100000) % (unsigned)(isTaken[i] * 900 + 101)];
#pragma prophet parallel for name(seeded)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++) {
      seed = seed * 1103515245 + 12345;
      opaque();
      to[i] = from[N / 2 + seed % 2000];
    }
  return to[1] > N;
}
