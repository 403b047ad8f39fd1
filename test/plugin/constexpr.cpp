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

// In functions that the compiler does not evaluate, what it may: a class's functions and, since
// C++17, lambdas, also those that stand in an annotated statement.
static int holder(int n) {
  struct Local {
    static constexpr int twice(int m) {
#pragma prophet critical
      m *= 2;
      return m;
    }
  };
  static_assert(Local::twice(2) == 4, "a class");
#if __cplusplus >= 201703L
  auto thrice = [](int m) {
#pragma prophet critical
    m *= 3;
    return m;
  };
  static_assert(thrice(2) == 6, "a lambda");
#endif
  constexpr int first = ({
#pragma prophet critical
    (void)0;
    5;
  });
  constexpr int second = ({
    const int five = 5;
#pragma prophet critical
    (void)five;
    five;
  });
  static_assert(first == second, "statement expressions");
#pragma prophet critical (holder)
  {
    struct Inner {
      static constexpr int negative(int m) {
#pragma prophet critical
        m = -m;
        return m;
      }
    };
    int a[2] = {n, n};
#if __cplusplus >= 201703L
    static_assert([](int m) {
#pragma prophet critical
      m += 1;
      return m;
    }(2) == 3, "a lambda inside");
    static_assert((bool)[](int m) {
#pragma prophet critical
      m += 1;
      return m;
    }(2), "behind a cast");
    static_assert(thrice(3) == 9, "again");
#endif
    static_assert(Inner::negative(2) == -2, "a class inside");
    n = a[1];
  }
  return n;
}

int main() {
  // CHECK: {{^}}section {{.*}}|triangle|
  // CHECK-NEXT: task
  // CHECK-NEXT: lock
  // CHECK-NEXT: end lock
  // CHECK-NEXT: end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: lock
  // CHECK-NEXT: end lock
  // CHECK-NEXT: 1 6 1
  // CHECK-NOT: {{.}}
  volatile int one = 1;
  int at_run_time = triangle(one);
  constexpr int at_compile_time = triangle(3);
  std::printf("%d %d %d\n", at_run_time, at_compile_time, holder(one));
}
