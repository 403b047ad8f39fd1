// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clangxx-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -std=c++17 -O1 %s -o app
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python %S/Inputs/own-lines.py app.json | FileCheck %s
// RUN: %clangxx-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -std=c++17 -O3 %s -o app3
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app3.json ./app3
// RUN: %python %S/Inputs/own-lines.py app3.json | FileCheck %s

// What an OpenMP `parallel` allocates each thread has elsewhere, but for what one thread does for all.
// CHECK: first: 2 tasks, 10 own lines, 20 shared
// CHECK: second: 3 tasks, 10 own lines, 0 shared
// CHECK: inside: 2 tasks, 0 own lines, 10 shared
// CHECK: scratch: 4 tasks, 10 own lines, 0 shared
// CHECK: spawned: 2 tasks, 0 own lines, 10 shared
// CHECK: behind: 2 tasks, 0 own lines, 10 shared
#include <cstdlib>
#include <vector>

enum { Line = 8 };

static void *tenLines() { return std::aligned_alloc(64, 640); }

static __attribute__((noinline)) void use(void *block, long value) {
  for (int i = 0; i < 10; ++i)
    static_cast<volatile long *>(block)[i * Line] = value;
}

static void ofRegion() {
  void *before = tenLines(), *together = nullptr;
#pragma omp parallel
  {
    void *each = tenLines();
    use(each, 1);
#pragma omp single
    together = tenLines();
#pragma prophet parallel for name(first)
    for (int i = 0; i < 2; ++i) {
      use(before, i);
      use(each, i);
      use(together, i);
    }
#pragma prophet parallel for name(second)
    for (int i = 0; i < 3; ++i)
      use(each, i);
#pragma omp single
    {
#pragma prophet parallel for name(inside)
      for (int i = 0; i < 2; ++i)
        use(each, i);
    }
    std::free(each);
  }
  std::free(together);
  std::free(before);
}

static void ofScratch() {
#pragma omp parallel
  {
    std::vector<long> scratch(20 * Line);
#pragma prophet parallel for name(scratch)
    for (int i = 0; i < 4; ++i)
      use(scratch.data(), i);
  }
}

/// Tasks have the pointer of the one thread that creates them.
static void ofTasks() {
#pragma omp parallel
  {
    void *block = tenLines();
#pragma omp single
    {
      for (int i = 0; i < 2; ++i) {
#pragma prophet task name(spawned)
        use(block, i);
      }
#pragma prophet taskwait
    }
    std::free(block);
  }
}

static void behind() {
  void *block = nullptr;
#pragma omp parallel
  block = tenLines();
#pragma prophet parallel for name(behind)
  for (int i = 0; i < 2; ++i)
    use(block, i);
  std::free(block);
}

int main() {
  ofRegion();
  ofScratch();
  ofTasks();
  behind();
}
