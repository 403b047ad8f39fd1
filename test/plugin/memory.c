// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} -Wno-unknown-pragmas %s -o plain && ./plain > plain.txt && \
// DEFINE:   %clang-prophet -fplugin-arg-prophet-memory %{level} %s -o app && \
// DEFINE:   env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app > app.txt && diff plain.txt app.txt && \
// DEFINE:   %python %S/Inputs/show_memory.py app.json | FileCheck %s

// What the program prints is the same at every level, vectorised or not, and so are lines and
// counts in every class. No tree is written.
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops
// RUN: %{check} --check-prefixes=CHECK,SCALAR
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 %avx
// RUN: %{check}
// REDEFINE: %{level} = -O2 -xc++
// RUN: %{check}
// RUN: not ls plain.prophet.json app.prophet.json

// CHECK:      complete rate 1
// CHECK-NEXT: triad executions=2 reads=
// SCALAR-SAME: {{^}}16384 writes=8192
// CHECK-NEXT:   stream first=0 again=3072
// CHECK-NEXT:   written={{[0-9]+}} dirty=512
// CHECK-NEXT: columns executions=1
// CHECK-NEXT:   stride first=0 again=256
// CHECK:      indirect executions=1
// CHECK:        indirect first=0 again=
// CHECK:      list executions=1
// CHECK-NEXT:   chase first=0 again=64
#include <stdio.h>
#include <stdlib.h>

enum { N = 4096 };
static __attribute__((aligned(64))) double a[N], b[N], c[N];
static __attribute__((aligned(64))) struct item {
  struct item *next;
  long value[7];
} items[64];
static __attribute__((aligned(64))) int where[64];

static long walk(const struct item *from) {
  long sum = 0;
#pragma prophet parallel for name(list)
  for (int k = 0; k < 1; k++)
    for (const struct item *at = from; at; at = at->next)
      sum += at->value[0];
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < N; i++)
    a[i] = 0, b[i] = i, c[i] = argc;
  for (int i = 0; i < 64; i++) {
    items[i].next = i == 63 ? NULL : &items[i + 1];
    items[i].value[0] = i;
    where[i] = i * 37 % 64;
  }
  for (int r = 0; r < 2; r++)
#pragma prophet parallel for name(triad)
    for (int k = 0; k < 4; k++)
      for (int i = k * (N / 4); i < (k + 1) * (N / 4); i++)
        a[i] = b[i] + 3.0 * c[i];
  double s = 0;
#pragma prophet parallel for name(columns)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < N; i += 16)
      s += b[i];
#pragma prophet parallel for name(indirect)
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < 64; i++)
      s += c[where[i] * 8];
  printf("%g %g %ld\n", a[N - 1], s, walk(items));
  return 0;
}
