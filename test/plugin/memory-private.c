// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O0 -Wall -Wextra -Wconversion -Werror %s -o app0
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app0.json ./app0
// RUN: %python %S/Inputs/own-lines.py app0.json | FileCheck %s
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O3 -g -Wall -Wextra -Wconversion -Werror %s -o app3
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app3.json ./app3
// RUN: %python %S/Inputs/own-lines.py app3.json | FileCheck %s

// What a clause makes private each thread has one of, though the serial program has that of all tasks in one
// place. Not what is smaller than a line, if it may be in a register, and not what is private to the tasks around alone.
// CHECK: listed: 4 tasks, 40 own lines, {{1[2-7]}} shared
// CHECK: memory-private.c:56: 2 tasks, 10 own lines, {{1[0-5]}} shared
// CHECK: memory-private.c:79: 4 tasks, 20 own lines, {{1[0-5]}} shared
// CHECK: reduced: 4 tasks, 38 own lines, {{2[2-7]}} shared
// CHECK: memory-private.c:104: 2 tasks, 10 own lines, {{1[0-5]}} shared
// CHECK: around: 2 tasks, 10 own lines, {{1[0-5]}} shared
// CHECK: small: 4 tasks, 1 own lines, {{[1-3]}} shared
// CHECK: inside alone: 0 own lines, {{2[0-5]}} shared
enum { Line = 8 };
#define LINES(name, number) _Alignas(64) long name[(number) * Line]
#define TWENTY (2 * TEN_LINES)
#define TEN_LINES (10 * Line)

static __attribute__((noinline)) void use(volatile long *array, int lines, long value) {
  for (int i = 0; i < lines; ++i)
    array[i * Line] = value;
}

static LINES(shared, 10);
static LINES(global, 10);
static LINES(heap, 30);

static void fewLists(int n, int never) {
  LINES(tmp, 10);
  LINES(first, 10) = {0};
  struct {
    LINES(its, 10);
  } last;
  const LINES(constant, 2) = {0};
  register int number = 0;
  int small = 0;
  if (n) {
    register int tmp = n; // another one, until there
    small = tmp - n;
  }
#pragma prophet parallel for private(tmp, number, small, unknown, this->x) firstprivate(first, constant) name(listed) \
    lastprivate(last) private(global)
  for (int i = 0; i < n; ++i) {
    use(tmp, 10, i);
    use(first, 10, i + ((const volatile long *)constant)[0] + ((const volatile long *)constant)[Line]);
    use(last.its, 10, i + number + small);
    use(global, 10, i);
    use(shared, 10, i);
  }
#pragma omp parallel sections private(tmp)
  {
#pragma omp section
    use(tmp, 10, n);
#pragma omp section
    {
      use(tmp, 10, n);
      use(shared, 10, n);
    }
  }
  for (int i = 0; i < 2; ++i) {
#pragma omp parallel for private(tmp) if (never)
    for (int k = 0; k < 1000; ++k)
      use(tmp, 10, k);
  }
}

static void regions(int n) {
  LINES(tmp, 10);
  LINES(more, 10);
#pragma omp parallel private(tmp)
  {
    use(shared, 1, n);
#pragma omp for private(more)
    for (int i = 0; i < n; ++i) {
      use(tmp, 10, i);
      use(more, 10, i);
      use(shared, 10, i);
    }
  }
}

static void reductions(int n, long *counts, long (*rows)[10 * Line]) {
  LINES(last, 10);
#pragma prophet parallel for name(reduced) reduction(+ : counts[ : TWENTY]) reduction(max : last[2 * Line : ]) \
    reduction(+ : rows[1 : n - 3][ : TEN_LINES])
  for (int i = 0; i < n; ++i) {
    use(counts, 20, i);
    use(last, 10, i);
    use(rows[0], 20, i);
    use(shared, 10, i);
  }
}

static void tasks(int n) {
  LINES(tmp, 10);
  int asked = 0;
  for (int i = 0; i < n; ++i) {
#pragma omp task if (++asked) private(tmp)
    {
      use(tmp, 10, i);
      use(shared, 10, i);
    }
  }
#pragma omp taskwait
  if (asked != n)
    __builtin_trap(); // conditions are asked once
#pragma prophet parallel for name(around) private(tmp)
  for (int i = 0; i < n; ++i) {
    use(tmp, 10, i);
#pragma prophet parallel for name(inside)
    for (int k = 0; k < n; ++k) {
      use(tmp, 10, k);
      use(shared, 10, k);
    }
  }
}

/// In memory anyway, of any size.
static _Alignas(64) volatile long total;
static _Alignas(64) volatile int unlisted;

static void smallOnes(int n) {
#pragma prophet parallel for name(small) reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    total += i;
    unlisted = i;
  }
}

int main(void) {
  static LINES(rows, 20);
  fewLists(4, 0);
  regions(4);
  reductions(4, heap, (long(*)[10 * Line])rows);
  tasks(2);
  smallOnes(4);
  return 0;
}
