// RUN: %each-build --std c++14,c++17,c++20,c++23 %s | FileCheck %s
// RUN: %clangxx-prophet -std=c++17 -fdelayed-template-parsing -fsyntax-only %s

// Tasks of templates that are used at once, of lambdas, members and constexpr functions, and what
// an exception leaves.

#include <cstdio>

static void says(const char *name) { std::puts(name); }

namespace space {
template <typename T> struct Late {
  auto inside() {
#pragma prophet task name(inside)
    says("inside");
    return 1;
  }
  auto outside();
};
template <typename T> auto Late<T>::outside() {
#pragma prophet task name(outside)
  says("outside");
  return 1;
}
template <typename T> auto function(T n) {
#pragma prophet task name(function)
  says("function");
  return n;
}
int uses() { return Late<int>().inside() + Late<int>().outside() + function(2); }
} // namespace space

struct Member {
  int n = 0;
  ~Member() {
#pragma prophet task name(destructor)
    n++;
  }
  int lambdas() {
    auto generic = [&](auto x) {
      if (x > 1)
        return x;
#pragma prophet task name(generic)
      says("generic");
#pragma prophet taskwait
      return x + n;
    };
#pragma prophet parallel for name(loop)
    for (int i = 0; i < 1; ++i) {
      auto inner = [=] {
#pragma prophet task name(inner)
        says("inner");
      };
#pragma prophet task name(outer)
      inner();
    }
    return generic(1) + generic(3);
  }
};

constexpr int folded(int n) {
#pragma prophet task name(folded)
  n++;
#pragma prophet taskwait
  return n;
}
static_assert(folded(1) == 2, "evaluated by the compiler");

static void throws() {
#pragma prophet task name(throws)
  throw 1;
}

#define WHOLE static void whole() { _Pragma("prophet task name(whole)") says("whole"); }
#define BEGIN {
WHOLE
static void half() BEGIN
#pragma prophet task name(half)
  says("half");
}

int main() {
  // CHECK:      {{^}}section {{.*}}|inside|
  // CHECK-NEXT: task
  // CHECK-NEXT: inside
  // CHECK-NEXT: end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: {{^}}section {{.*}}|outside|
  // CHECK-NEXT: task
  // CHECK-NEXT: outside
  // CHECK-NEXT: end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: {{^}}section {{.*}}|function|
  // CHECK-NEXT: task
  // CHECK-NEXT: function
  // CHECK-NEXT: end task
  // CHECK-NEXT: end section
  space::uses();

  // CHECK-NEXT: {{^}}section {{.*}}|loop|
  // CHECK-NEXT:   task
  // CHECK-NEXT:     section {{.*}}|outer|
  // CHECK-NEXT:       task
  // CHECK-NEXT:         section {{.*}}|inner|
  // CHECK-NEXT:           task
  // CHECK-NEXT: inner
  // CHECK-NEXT:           end task
  // CHECK-NEXT:         end section
  // CHECK-NEXT:       end task
  // CHECK-NEXT:     end section
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: {{^}}section {{.*}}|generic|
  // CHECK-NEXT:   task
  // CHECK-NEXT: generic
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: {{^}}section {{.*}}|destructor|
  // CHECK-NEXT:   task
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  Member().lambdas();

  // CHECK-NEXT: {{^}}section {{.*}}|folded|
  // CHECK-NEXT:   task
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: {{^}}section {{.*}}|throws|
  // CHECK-NEXT:   task
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  // CHECK-NEXT: caught
  volatile int one = 1;
  folded(one);
  try {
    throws();
  } catch (int) {
    says("caught");
  }

  // CHECK-NEXT: {{^}}section {{.*}}|whole|
  // CHECK:      {{^}}section {{.*}}|half|
  // CHECK-NEXT:   task
  // CHECK-NEXT: half
  // CHECK-NEXT:   end task
  // CHECK-NEXT: end section
  // CHECK-NOT:  {{.}}
  whole();
  half();
}
