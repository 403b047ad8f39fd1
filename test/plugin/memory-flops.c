// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang-prophet -fplugin-arg-prophet-memory %{flags} %s -lm -o app && \
// DEFINE:   env PROPHET_MEMORY_OUT=app.json ./app && \
// DEFINE:   %python -c "import json; print(*('%%s %%d' %% (s['name'], s['flops']) for s in json.load(open('app.json'))['sites']), sep='\n')" | \
// DEFINE:   FileCheck %s --match-full-lines
//
// Floating-point operations are counted exactly, in loops that are watched and in others, whether or not they are
// vectorised.
// CHECK:      triad 2000
// CHECK-NEXT: sum 1001
// CHECK-NEXT: some 501
// CHECK-NEXT: calls 2004
// CHECK-NEXT: none 0
//
// REDEFINE: %{flags} = -O0 -ffp-contract=off
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -ffp-contract=off
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -mavx2 -mfma
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -ffp-model=strict
// RUN: %{check}
#include <stdio.h>

static double a[1000], b[1000], c[1000];
static int whole[1000];
static volatile double result; // what is computed for it is computed before it is written

__attribute__((noinline)) static double call(double x) { return x * 2; }

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 1000; i++)
    a[i] = b[i] = i % 10, c[i] = argc;
  double sum = argc, product = 1;
#pragma prophet parallel for name(triad)
  for (int part = 0; part < 4; part++)
    for (int i = part * 250; i < (part + 1) * 250; i++)
      a[i] = b[i] + c[i] * 3;
#pragma prophet parallel for name(sum)
  for (int part = 0; part < 1; part++) {
    for (int i = 0; i < 1000; i++)
      sum += a[i];
    result = sum / 7;
  }
#pragma prophet parallel for name(some)
  for (int part = 0; part < 1; part++) {
    for (int i = 0; i < 1000; i++)
      if (whole[i] != (i & 1))
        product *= b[i];
    result = product - 1;
  }
#pragma prophet parallel for name(calls)
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < 500; i++)
      sum += call(a[i]);
    result = call(sum) - 1;
  }
#pragma prophet parallel for name(none)
  for (int i = 0; i < 1000; i++)
    whole[i] = i * 3;
  printf("%d\n", whole[argc]);
  return 0;
}
