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
// CHECK:      chosen executions=1
// CHECK:        indirect first=
#include <stdlib.h>

enum { N = 4096 };
static double from[N], to[N];
static int isTaken[N];

static int clamp(int index, int size) { return index < 0 ? 0 : index < size ? index : size - 1; }

static double flow(double difference) { return difference * abs((int)difference); }

int main(int argc, char **argv) {
  (void)argv;
  int size = N - argc + 1;
  for (int i = 0; i < N; i++)
    from[i] = i * argc, isTaken[i] = i * 37 % 5 > 2;
#pragma prophet parallel for name(clamped)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++)
      to[i] = flow(from[clamp(i + 1, size)]) + flow(from[clamp(i - 1, size)]);
#pragma prophet parallel for name(chosen)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < size; i++)
      to[i] = from[isTaken[i] ? i : size - i - 1];
  return to[1] > N;
}
