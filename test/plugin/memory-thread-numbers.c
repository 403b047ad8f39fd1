// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O1 %s -o app1
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app1.json ./app1
// RUN: %python %S/Inputs/own-lines.py app1.json | FileCheck %s
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O3 %avx %s -o app3
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app3.json ./app3
// RUN: %python %S/Inputs/own-lines.py app3.json | FileCheck %s

// What is at a place that the thread's number chooses is each thread's own, in tasks, though the serial
// program has the first one's only. A number that is loaded from there may lead anywhere.
// CHECK: arrays: 4 tasks, 10 own lines, 10 shared
// CHECK: pointers: 4 tasks, {{1[0-4]}} own lines, 0 shared
// CHECK: copies: 4 tasks, 10 own lines, {{1[0-2]}} shared
// CHECK: gathered: 4 tasks, {{[6-9]|1[0-2]}} own lines, {{[0-9]+}} shared
// CHECK: numbers: 4 tasks, {{[01]}} own lines, {{1[0-2]}} shared
// CHECK: elsewhere: 4 tasks, {{[01]}} own lines, {{[0-9]+}} shared
// CHECK: steps: 2 tasks, 0 own lines, {{[0-9]+}} shared
// CHECK: outer: 2 tasks, {{1[01]}} own lines, 0 shared
// CHECK: inside alone: 0 own lines, {{1[01]}} shared
#include <string.h>

int omp_get_thread_num(void);

enum { Line = 8, Lines = 10, Threads = 4 };
#define ALIGNED __attribute__((aligned(64)))

static volatile long sums[Threads][Lines * Line] ALIGNED, shared[Lines * Line] ALIGNED;
static long memory[Threads * Lines * Line] ALIGNED, from[Lines * Line] ALIGNED;
static long *volatile parts[Threads] ALIGNED;
static volatile long starts[Threads * Line] ALIGNED;
static int order[Lines * Line] ALIGNED;

static __attribute__((noinline)) long ofThreads(int n) {
  long sum = 0;
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
#pragma prophet parallel for name(arrays)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < Lines; ++k) {
        sums[thread][k * Line] += i;
        shared[k * Line] = i;
      }
#pragma prophet parallel for name(pointers)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < Lines; ++k)
        ((volatile long *)parts[thread])[k * Line] = i;
#pragma prophet parallel for name(copies)
    for (int i = 0; i < n; ++i)
      memcpy(memory + thread * Lines * Line, from, (size_t)(n + 6) * 64);
#pragma prophet parallel for name(gathered)
    for (int i = 0; i < n; ++i) {
      const long *mine = memory + thread * Lines * Line;
      for (int k = 0; k < Lines * Line; ++k)
        sum += mine[order[k]];
    }
#pragma prophet parallel for name(numbers)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < Lines; ++k)
        shared[starts[thread * Line] + k * Line] = i;
  }
  return sum;
}

static struct Part {
  volatile long *all;
} structures[Threads] ALIGNED;

/// Of the neighbour, of all threads, at random.
static __attribute__((noinline)) void elsewhere(int n) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
#pragma prophet parallel for name(elsewhere)
    for (int i = 0; i < n; ++i) {
      unsigned random = (unsigned)thread + 1;
      for (int k = 0; k < Lines; ++k) {
        random = random * 1103515245 + 12345;
        structures[thread].all[k * Line] = i;
        shared[(random >> 16) % Lines * Line] = i;
        sums[(thread + 1) % Threads][k * Line] = i;
      }
    }
  }
}

/// Of a team that is inside a task, and of one that is around tasks with tasks.
static __attribute__((noinline)) void nested(int n) {
#pragma prophet parallel for name(steps)
  for (int i = 0; i < n; ++i) {
#pragma omp parallel
    {
      const int thread = omp_get_thread_num();
      for (int k = 0; k < Lines; ++k)
        sums[thread][k * Line] = i;
    }
  }
#pragma omp parallel
  {
#pragma prophet parallel for name(outer)
    for (int i = 0; i < n; ++i) {
      const int thread = omp_get_thread_num();
#pragma prophet parallel for name(inside)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < Lines; ++k)
          sums[thread][k * Line] = i;
    }
  }
}

int main(void) {
  for (int i = 0; i < Threads; ++i)
    structures[i].all = shared;
  for (int i = 0; i < Threads; ++i)
    parts[i] = memory + i * Lines * Line;
  for (int i = 0; i < Lines * Line; ++i)
    from[i] = order[i] = i * 7 % (Lines * Line);
  const long sum = ofThreads(4);
  elsewhere(4);
  nested(2);
  return sum == 1;
}
