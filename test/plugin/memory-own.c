// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -I%include -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O1 %s -o app
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python %S/Inputs/own-lines.py app.json | FileCheck %s
// RUN: %clang-prophet -I%include -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O3 %s -o app3
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app3.json ./app3
// RUN: %python %S/Inputs/own-lines.py app3.json | FileCheck %s

// What tasks declare, and what functions have that they call, is each thread's own, though the serial
// program has that of all tasks in one place. Other lines of the stack are shared, and what a task
// declares is by the tasks of a section inside, where these alone are parallel.
// CHECK: loop: 4 tasks, 50 own lines, 10 shared
// CHECK: spawned: 2 tasks, 30 own lines, 10 shared
// CHECK: outer: 2 tasks, 40 own lines, 10 shared
// CHECK: unknown: 2 tasks, {{3[01]}} own lines, 0 shared
// CHECK: hand: 3 tasks, 10 own lines, 0 shared
// CHECK: pair: 2 tasks, 10 own lines, 10 shared
// CHECK: memory-own.c:77: 4 tasks, 30 own lines, 10 shared
// CHECK: inner alone: 30 own lines, 20 shared
// CHECK: inside alone: 10 own lines, 20 shared
#include <prophet/profile.h>
#include <stddef.h>

enum { Line = 8 };
#define LINES(name, number) _Alignas(64) volatile long name[(number) * Line]

/// Each line of `array`, so that it is no variable of its own to the compiler.
static __attribute__((noinline)) void use(volatile long *array, int lines, long value) {
  for (int i = 0; i < lines; ++i)
    array[i * Line] = value;
}

static __attribute__((noinline)) void called(long value) {
  LINES(its, 30);
  use(its, 30, value);
}

static __attribute__((noinline)) void ofUnknownSize(size_t lines, long value) {
#pragma prophet parallel for name(unknown)
  for (int i = 0; i < 2; ++i) {
    LINES(its, 10);
    use(its, 10, value);
    volatile long more[lines * Line]; // below all that the task began with, and that may be in a line more
    for (size_t i = lines * Line; i-- > 0;)
      more[i] = value;
  }
}

static __attribute__((noinline)) void byHand(int tasks) {
  __prophet_open_section("parallel_for|memory-own.c|1|hand|");
  for (int i = 0; i < tasks; ++i) {
    __prophet_next_task();
    LINES(its, 10);
    use(its, 10, i);
  }
  __prophet_close_section(0);
  LINES(shared, 10);
  __prophet_open_section("parallel_for|memory-own.c|2|pair|");
  for (int i = 1; i < tasks; ++i) {
    __prophet_open_task();
    LINES(its, 10);
    use(its, 10, i);
    use(shared, 10, i);
    __prophet_close_task();
  }
  __prophet_close_section(0);
}

/// Each thread of a region has what that declares, but for what tasks of the tasks inside share.
static __attribute__((noinline)) void ofRegion(int n) {
  LINES(before, 10);
#pragma omp parallel
  {
    LINES(each, 10);
    use(each, 10, n);
#pragma omp for
    for (int i = 0; i < n; ++i) {
      LINES(its, 10);
      use(its, 10, i);
      use(each, 10, i);
      use(before, 10, i);
#pragma prophet parallel for name(inside)
      for (int k = 0; k < n; ++k) {
        LINES(innermost, 10);
        use(innermost, 10, k);
        use(its, 10, k);
        use(each, 10, k);
      }
    }
    use(each, 10, n);
  }
  use(before, 10, n);
}

int main(void) {
  LINES(outside, 10);
  const volatile int twenty = 20;
#pragma prophet parallel for name(loop)
  for (int i = 0; i < 4; ++i) {
    LINES(first, 10);
    use(first, 10, i);
    {
      LINES(second, 10);
      use(second, 10, i);
    }
    called(i);
    use(outside, 10, i);
  }
  for (int i = 0; i < 2; ++i) {
#pragma prophet task name(spawned)
    {
      called(i);
      use(outside, 10, i);
    }
  }
#pragma prophet taskwait
#pragma prophet parallel for name(outer)
  for (int i = 0; i < 2; ++i) {
    LINES(each, 10);
    use(each, 10, i); // by the outer task
#pragma prophet parallel for name(inner)
    for (int j = 0; j < 2; ++j) {
      called(j);
      use(each, 10, j);
      use(outside, 10, j);
    }
  }
  ofUnknownSize((size_t)twenty, 1);
  byHand(3);
  ofRegion(4);
  return 0;
}
