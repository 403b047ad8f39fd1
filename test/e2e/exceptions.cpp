// An exception that leaves a task, and a critical section in it, leaves nothing open: the tree stays
// whole and later sections are not nested in the one that was left.
//
// RUN: %clangxx-prophet -std=c++20 -O1 %s -o %t
// RUN: env PROPHET_OUT=%t.json %t | FileCheck --check-prefix=OUTPUT %s
// RUN: python3 %S/Inputs/shape.py %t.json | FileCheck %s
#include <cstdio>
#include <stdexcept>
#include <vector>

static void visit(const std::vector<int> &values, int limit) {
#pragma prophet parallel for name(visited) cancel
  for (int value : values) {
#pragma prophet critical(guard)
    {
      if (value > limit)
        throw std::out_of_range("beyond the limit");
    }
  }
}

int main() {
  std::vector<int> values{1, 2, 3, 4, 5};
  try {
    visit(values, 3);
  } catch (const std::out_of_range &error) {
    std::puts(error.what());
  }
#pragma prophet parallel for name(later)
  for (int i = 0; i < 3; ++i)
    values[i] = 0;
}
// OUTPUT: beyond the limit
// CHECK: complete
// CHECK-NEXT: visited parallel_for exceptions.cpp:12: executions: 1
// CHECK-NEXT: visited parallel_for exceptions.cpp:12: lock 'guard': 4
// CHECK-NEXT: visited parallel_for exceptions.cpp:12: tasks: 4
// CHECK-NEXT: later parallel_for exceptions.cpp:29: executions: 1
// CHECK-NEXT: later parallel_for exceptions.cpp:29: tasks: 3
// CHECK-NOT: nested
