// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clangxx-prophet -fplugin-arg-prophet-memory -std=c++20 -O0 -Wall -Wextra -Wconversion -Werror %s -o app0
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app0.json ./app0
// RUN: %python %S/Inputs/own-lines.py app0.json | FileCheck %s
// RUN: %clangxx-prophet -fplugin-arg-prophet-memory -std=c++14 -O3 -Wall -Wextra -Wconversion -Werror %s -o app3
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app3.json ./app3
// RUN: %python %S/Inputs/own-lines.py app3.json | FileCheck %s

// Templates know what is larger than a line where they are used; lambdas and functions that a compiler may
// execute tell, too.
// CHECK: template: 4 tasks, 20 own lines, {{1[0-5]}} shared
// CHECK: member: 4 tasks, 10 own lines, {{[0-5]}} shared
// CHECK: lambda: 4 tasks, 10 own lines, {{[0-5]}} shared
// CHECK: constant: 4 tasks, 10 own lines, {{[0-5]}} shared
constexpr int Line = 64 / sizeof(long);
alignas(64) static volatile long shared[10 * Line];

template <typename Array> __attribute__((noinline)) void use(Array &array, int lines, int value) {
  for (int i = 0; i < lines; ++i)
    array[i * Line] = value;
}

struct alignas(64) Large {
  long of[10 * Line];
  Large *operator&() { return nullptr; }
};

template <typename T, int Number> void tasks(int n) {
  alignas(64) volatile T tmp[Number];
  volatile T small = 0;
  Large large{};
  auto &reference = large;
#pragma prophet parallel for name(template) private(tmp, small) firstprivate(reference)
  for (int i = 0; i < n; ++i) {
    use(tmp, Number / Line, i);
    use(large.of, 10, i);
    use(shared, 10, static_cast<int>(small));
  }
}

struct Member {
  int n = 4;
  // Read as tokens, before there are parameters and variables.
  void function(const Large &constant) {
    alignas(64) volatile long tmp[10 * Line];
#pragma prophet parallel for name(member) private(tmp, n) firstprivate(constant)
    for (int i = 0; i < n; ++i)
      use(tmp, 10, i + static_cast<int>(constant.of[0]));
  }
};

/// What a lambda would capture alone for being told, or may not take the address of, is not.
template <typename F, typename... Numbers> static long captured(F function, Numbers... numbers) {
  const Large constant{};
  long tmp[10 * Line] = {};
  const auto byValue = [=](const auto &some) {
    long sum = 0;
#pragma prophet parallel for firstprivate(tmp, some, constant, function, numbers)
    for (int i = 0; i < 2; ++i)
      sum += tmp[i] + some.of[0] + function(numbers...);
    return sum;
  };
  const auto without = [] {
    long sum = 0;
#pragma prophet parallel for private(tmp, sum) reduction(+ : tmp[0 : 3])
    for (int i = 0; i < 2; ++i)
      sum += i;
    return sum;
  };
  return byValue(constant) + without();
}

static void inLambda(int n) {
  const auto body = [n] {
    alignas(64) volatile long tmp[10 * Line];
#pragma prophet parallel for name(lambda) private(tmp)
    for (int i = 0; i < n; ++i)
      use(tmp, 10, i);
  };
  body();
}

constexpr long constant(int n) {
  long tmp[10 * Line] = {};
#pragma prophet parallel for name(constant) private(tmp)
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 10; ++k)
      tmp[k * Line] += i;
  return tmp[0] + tmp[9 * Line];
}
static_assert(constant(3) == 6, "executed by the compiler");

int main() {
  tasks<long, 10 * Line>(4);
  Member().function(Large());
  inLambda(4);
  const auto add = [](int a, int b) { return a + b; };
  if (captured(add, 1, -1) != 1)
    return 1;
  volatile int four = 4;
  return constant(four) == 12 ? 0 : 1;
}
