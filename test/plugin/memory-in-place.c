// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang-prophet -fplugin-arg-prophet-memory %{flags} %s -o app && \
// DEFINE:   env PROPHET_MEMORY_RATE=1/8 PROPHET_MEMORY_OUT=app.json ./app && \
// DEFINE:   %python %S/Inputs/show_memory.py app.json | FileCheck %s
//
// A loop that reads ahead of what it writes in the same array, by less than a line, writes all of its 512 lines (about:
// they are a sample), whichever way it goes.
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -fno-vectorize -fno-unroll-loops
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}
// REDEFINE: %{flags} = -O3 %avx
// RUN: %{check}
//
// CHECK:      by_one executions=1
// CHECK:        written={{[0-9]+}} dirty={{496|504|512|520|528}}
// CHECK:      by_seven executions=1
// CHECK:        written={{[0-9]+}} dirty={{496|504|512|520|528}}
// CHECK:      backwards executions=1
// CHECK:        written={{[0-9]+}} dirty={{496|504|512|520|528}}
// CHECK:      relaxation executions=1
// CHECK:        written={{[0-9]+}} dirty={{496|504|512|520|528}}
// CHECK:      some executions=1
// CHECK:        written={{[0-9]+}} dirty={{496|504|512|520|528}}
enum { N = 4096 };
static __attribute__((aligned(64))) double one[N + 8], seven[N + 8], back[N + 8], mean[N + 8], some[N + 8];

int main(int argc, char **argv) {
  (void)argv;
#pragma prophet parallel for name(by_one)
  for (int part = 0; part < 1; part++)
    for (long i = 0; i < N; i++)
      one[i] = one[i + 1] + argc;
#pragma prophet parallel for name(by_seven)
  for (int part = 0; part < 1; part++)
    for (long i = 0; i < N; i++)
      seven[i] = seven[i + 7] + argc;
#pragma prophet parallel for name(backwards)
  for (int part = 0; part < 1; part++)
    for (long i = N + 7; i >= 8; i--)
      back[i] = back[i - 3] + argc;
#pragma prophet parallel for name(relaxation)
  for (int part = 0; part < 1; part++)
    for (long i = 1; i < N; i++)
      mean[i] = (mean[i - 1] + mean[i] + mean[i + 1] + mean[i + 2]) * 0.25;
  // More than one block, where each address is looked at by itself.
#pragma prophet parallel for name(some)
  for (int part = 0; part < 1; part++)
    for (long i = 0; i < N; i++) {
      some[i] = some[i + 2] + argc;
      if (some[i + 2] > 1000)
        one[i & 7] = 0;
    }
  return 0;
}
