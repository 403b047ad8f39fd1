// RUN: %each-build --std c++14,c++17,c++20,c++23 %s | FileCheck %s

// A constexpr function may be annotated: it is profiled at run time and silent in the compiler.

#include <cstdio>

constexpr int triangle(int n) {
  int total = 0;
#pragma prophet parallel for name(triangle)
  for (int i = 1; i <= n; ++i) {
#pragma prophet critical
    total += i;
  }
  return total;
}

static_assert(triangle(4) == 10, "evaluated by the compiler");

int main() {
  // CHECK: {{^}}section {{.*}}|triangle|
  // CHECK-NEXT: task
  // CHECK-NEXT: lock
  // CHECK-NEXT: end lock
  // CHECK-NEXT: end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: 1 6
  // CHECK-NOT: {{.}}
  volatile int one = 1;
  int at_run_time = triangle(one);
  constexpr int at_compile_time = triangle(3);
  std::printf("%d %d\n", at_run_time, at_compile_time);
}
