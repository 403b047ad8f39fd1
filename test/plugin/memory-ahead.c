// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -O1 -shared -fPIC -I %top/runtime/include %S/Inputs/sampled-runtime.c -o sampled.so
// DEFINE: %{flags} =
// DEFINE: %{level} =
// DEFINE: %{run} = env PROPHET_MEMORY_RUNTIME=%t/sampled.so SAMPLED_LEVEL=%{level} ./app
// DEFINE: %{check} = \
// DEFINE:   %{run} > every-line.txt 2> every-line && env SAMPLED_AHEAD=0 %{run} > ahead.txt 2> ahead && \
// DEFINE:   cmp every-line.txt ahead.txt && cmp every-line ahead && FileCheck %s < ahead.txt
// DEFINE: %{build} = %clang-prophet -fplugin-arg-prophet-memory %{flags} -I %S/Inputs %s -o app
//
// Where addresses move steadily, lines that are not in the sample are passed over by a table, and
// the same lines are touched as often as where all are asked about.
// CHECK: accesses of kind 0: {{[1-9][0-9]+}}
// CHECK: line {{[0-9]+}} kind {{[01]}}: {{[1-9]}}
//
// REDEFINE: %{flags} = -O2
// RUN: %{build}
// REDEFINE: %{level} = 1
// RUN: %{check}
// REDEFINE: %{level} = 6
// RUN: %{check}
// REDEFINE: %{level} = 12
// RUN: %{check}
// A table that promises too much is believed.
// RUN: env SAMPLED_AHEAD=100 %{run} > wrong.txt 2> wrong && not cmp -s ahead.txt wrong.txt
//
// REDEFINE: %{flags} = -O2 -DALIGNED
// RUN: %{build}
// REDEFINE: %{level} = 5
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -mavx2
// RUN: %{build}
// REDEFINE: %{level} = 4
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -fno-vectorize
// RUN: %{build}
// RUN: %{check}
#include "region.h"

#include <stdio.h>
#include <sys/mman.h>

enum { PART = ROOM / 4, BYTES = PART - 4096 };

#ifdef ALIGNED
#define ALIGN
enum { APART = 16, WITHIN = 16 };
#else
#define ALIGN __attribute__((aligned(1)))
enum { APART = 13, WITHIN = 13 };
#endif
typedef int ALIGN any_int;
typedef short ALIGN any_short;
typedef long ALIGN any_long;

/// Loops of one block, with one stream and with several; one in which some iterations do not
/// access anything, and one that comes to several lines in each.
#define LOOPS(STEP)                                                                                \
  __attribute__((noinline)) static long up_##STEP(const char *from, long count) {                  \
    long sum = 0;                                                                                  \
    for (long i = 0; i < count; i++)                                                               \
      sum += *(const any_int *)(from + i * STEP);                                                      \
    return sum;                                                                                    \
  }                                                                                                \
  __attribute__((noinline)) static void down_##STEP(char *to, long count) {                        \
    for (long i = count - 1; i >= 0; i--)                                                          \
      *(any_short *)(to + i * STEP) = (short)i;                                                        \
  }                                                                                                \
  __attribute__((noinline)) static void team_##STEP(char *restrict to, const char *restrict one,   \
                                                    const char *restrict two, long count) {        \
    for (long i = 0; i < count; i++)                                                               \
      *(any_long *)(to + i * STEP) = *(const any_long *)(one + (count - 1 - i) * STEP) + two[i] + two[i + 65]; \
  }                                                                                                \
  __attribute__((noinline)) static long some_##STEP(const char *from, const char *flags,           \
                                                    long count) {                                  \
    long sum = 0;                                                                                  \
    for (long i = 0; i < count; i++)                                                               \
      if (flags[i] & 32)                                                                           \
        sum = sum * 3 + *(const any_long *)(from + i * STEP);                                          \
    return sum;                                                                                    \
  }                                                                                                \
  /* Several lines at a time, of places too far apart to be followed. */                           \
  __attribute__((noinline)) static long wide_##STEP(const char *from, long count) {                \
    long sum = 0;                                                                                  \
    for (long i = 0; i < count; i++)                                                               \
      for (long k = 0; k < 20; k++)                                                                \
        sum = sum * 3 + *(const any_long *)(from + i * (STEP + 310) + k * WITHIN);                         \
    return sum;                                                                                    \
  }                                                                                                \
  static long all_##STEP(char *base) {                                                             \
    long count = BYTES / STEP < 40000 ? BYTES / STEP : 40000;                                      \
    long sum = up_##STEP(base + 60, count) + up_##STEP(base, 3);                                   \
    down_##STEP(base + PART + 2, count);                                                           \
    team_##STEP(base + 2 * PART, base + PART + APART, base, count);                                   \
    sum += wide_##STEP(base + 24, BYTES / (STEP + 320));                                           \
    return sum + some_##STEP(base + 24, base + 3 * PART, count);                                   \
  }

#ifndef ALIGNED
LOOPS(1)
LOOPS(4)
LOOPS(12)
#endif
LOOPS(8)
LOOPS(24)
LOOPS(32)
LOOPS(40)
LOOPS(64)
LOOPS(72)
LOOPS(128)
LOOPS(200)
LOOPS(256)
LOOPS(1024)

int main(void) {
  char *base = mmap((void *)REGION, ROOM, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (base == MAP_FAILED)
    return 1;
  for (long i = 0; i < ROOM; i++)
    base[i] = (char)(i * 7 / 3);
  long sum = all_8(base) + all_24(base) + all_32(base) + all_40(base) + all_64(base) +
             all_72(base) + all_128(base) + all_200(base) + all_256(base) + all_1024(base);
#ifndef ALIGNED
  sum += all_1(base) + all_4(base) + all_12(base);
#endif
#pragma prophet parallel for
  for (int i = 0; i < 4; i++)
    base[i] = 1;
  printf("%ld\n", sum);
  return 0;
}
