// RUN: %each-build --std c++11,c++14,c++17,c++20,c++23 %s | FileCheck %s
// RUN: %clangxx-prophet -std=c++17 -fdelayed-template-parsing -Werror -fsyntax-only %s

// What C++ adds: range-for, templates, lambdas, member functions, exceptions.

#include <cstdio>
#include <vector>

template <typename T> T sum(const std::vector<T> &values) {
  T total = 0;
#pragma prophet parallel for name(sum) reduction(+ : total)
  for (const T &value : values)
    total += value;
  return total;
}

struct Counter {
  int count = 0;
  int add(int n) {
#pragma prophet critical(counter)
    return count += n;
  }
};

static void throws() {
#pragma prophet parallel for name(throwing)
  for (int i = 0; i < 5; ++i) {
#pragma prophet critical
    try {
      throw i;
    } catch (int) {
      std::puts("caught inside");
    } catch (...) {
    }
#pragma prophet critical(uncaught)
    throw 1.5;
  }
}

auto global = [](int n) {
#pragma prophet critical(global)
  n++;
  return n;
};

int main() {
  // CHECK:      {{^}}section {{.*}}|sum|reduction(+ : total)
  // CHECK-NEXT:   task
  // CHECK-NEXT:   end task
  // CHECK-NEXT:   task
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: section {{.*}}|sum|reduction(+ : total)
  // CHECK-NEXT: end section
  std::vector<int> ints{1, 2};
  std::vector<double> none;
  sum(ints);
  sum(none);

  // CHECK-NEXT: section {{.*}}|lambda|
  // CHECK-NEXT:   task
  // CHECK-NEXT:     lock counter
  // CHECK-NEXT:     end lock
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: counted 1
  Counter counter;
  auto body = [&](int n) {
#pragma prophet parallel for name(lambda)
    for (int i = 0; i < n; ++i) {
      auto one = [&] {
        if (i == 0)
          return counter.add(1);
        return 0;
      };
      one();
    }
    return counter.count;
  };
  std::printf("counted %d\n", body(1));

  // CHECK-NEXT: section {{.*}}|throwing|
  // CHECK-NEXT:   task
  // CHECK-NEXT:     lock
  // CHECK-NEXT: caught inside
  // CHECK-NEXT:     end lock
  // CHECK-NEXT:     lock uncaught
  // CHECK-NEXT:     end lock
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: caught outside
  try {
    throws();
  } catch (double) {
    std::puts("caught outside");
  }

  // CHECK-NEXT: lock global
  // CHECK-NEXT: end lock
  // CHECK-NOT: {{.}}
  global(1);
}
