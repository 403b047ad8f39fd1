// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang-prophet -fplugin-arg-prophet-memory %{flags} %s -lm -o app && \
// DEFINE:   env PROPHET_MEMORY_OUT=app.json ./app && \
// DEFINE:   %python -c "import json; print(*('%%s %%d' %% (s['name'], s['chained']) for s in json.load(open('app.json'))['sites']), sep='\n')" | \
// DEFINE:   FileCheck %s --match-full-lines
//
// Of floating-point operations those are counted that wait for the iteration before, of the longest chain of each
// innermost loop, by the shortest way through it: whether or not the compiler has unrolled it in part.
// CHECK:      sum 1000
// CHECK-NEXT: horner 2000
// CHECK-NEXT: both 2000
// CHECK-NEXT: some 0
// CHECK-NEXT: fresh 0
// CHECK-NEXT: rows 1000
//
// REDEFINE: %{flags} = -O1 -ffp-contract=off
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -ffp-contract=off
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -ffp-contract=off
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -ffp-model=strict
// RUN: %{check}
// A product and the sum that it is added to may be done at once.
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 -ffp-contract=fast %s -lm -o app && env PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python -c "import json; s = json.load(open('app.json'))['sites'][1]; assert s['chained'] == 1000, s"
// A sum in vectors has fewer.
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 -ffast-math %s -lm -o app && env PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python -c "import json; s = json.load(open('app.json'))['sites'][0]; assert 0 < s['chained'] <= 500, s"
//
// Instructions are at least as many as accesses and operations, of vectors if they are in vectors; addresses are none.
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 -ffp-contract=off -fno-vectorize -fno-slp-vectorize %s -lm -o app && env PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python -c "import json; s = json.load(open('app.json'))['sites'][0]; n = s['accesses']['reads'] + s['flops']; assert n <= s['instructions'] <= 2 * n + 20, s"
#include <stdio.h>

static double a[1000], b[1000];
static int whole[1000];
static volatile double result; // what is computed for it is computed before it is written

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 1000; i++)
    a[i] = i % 10, b[i] = argc, whole[i] = i % 7 == argc;
  const int width = 20 * argc; // which a compiler does not know: it would unroll the loop wholly
  double sum = argc, value = argc, product = 1;
#pragma prophet parallel for name(sum)
  for (int part = 0; part < 1; part++)
    for (int i = 0; i < 1000; i++)
      sum += a[i];
#pragma prophet parallel for name(horner)
  for (int part = 0; part < 1; part++)
    for (int i = 0; i < 1000; i++)
      value = value * b[i] + a[i];
#pragma prophet parallel for name(both)
  for (int part = 0; part < 1; part++)
    for (int i = 0; i < 1000; i++)
      sum += a[i], value = value * b[i] + a[i];
#pragma prophet parallel for name(some)
  for (int part = 0; part < 1; part++)
    for (int i = 0; i < 1000; i++)
      if (whole[i])
        product *= result;
#pragma prophet parallel for name(fresh)
  for (int part = 0; part < 1; part++)
    for (int i = 0; i < 1000; i++)
      result = a[i] * b[i] + 1;
#pragma prophet parallel for name(rows)
  for (int row = 0; row < 50; row++) {
    double total = 0;
    for (int i = 0; i < width; i++)
      total += a[row * width + i];
    result = total;
  }
  printf("%g %g %g\n", sum, value, product);
  return 0;
}
