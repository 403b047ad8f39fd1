// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clangxx-prophet -fplugin-arg-prophet-memory -std=c++17 -O1 %s -o app
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python %S/Inputs/own-lines.py app.json --uses | FileCheck %s
// RUN: %clangxx-prophet -fplugin-arg-prophet-memory -std=c++17 -O3 %s -o app3
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app3.json ./app3
// RUN: %python %S/Inputs/own-lines.py app3.json --uses | FileCheck %s

// What a task allocates and frees again is each thread's own, though the serial program may give all
// tasks one block. What it leaves behind others may use. (Lines, as often as tasks use them.)
// CHECK: functions: 2 tasks, 18{{[0-4]}} own lines, 0 shared
// CHECK: operators: 2 tasks, 100 own lines, 0 shared
// CHECK: moved: 2 tasks, {{40|60}} own lines, 0 shared
// CHECK: containers: 4 tasks, {{9[0-9]|10[0-9]}} own lines, 4 shared
// CHECK: kept: 4 tasks, 0 own lines, 4{{[0-4]}} shared
// CHECK: reused: 4 tasks, 30 own lines, 2{{[0-4]}} shared
// CHECK: shrunk: 4 tasks, 0 own lines, {{4[04]}} shared
// CHECK: grown: 2 tasks, {{[1-9][0-9]+}} own lines, 0 shared
// CHECK: before: 2 tasks, 0 own lines, 20 shared
// CHECK: many: 2 tasks, 20{{[0-9][0-9]}} own lines, 20 shared
// CHECK: outer: 2 tasks, 60 own lines, 20 shared
// CHECK: thrown: 2 tasks, 20 own lines, 2 shared
// CHECK: threads: 4 tasks, 80 own lines, 40 shared
// CHECK: inner alone: 40 own lines, 80 shared
#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>
#include <vector>

enum { Line = 8, Lines = 10, Bytes = 64 * Lines };
struct alignas(64) Ten {
  volatile long Values[Lines * Line];
};

/// Each line of `block`, which begins with one.
static __attribute__((noinline)) void use(void *block, long value, int lines = Lines) {
  for (int i = 0; i < lines; ++i)
    static_cast<volatile long *>(block)[i * Line] = value;
}

static void *aligned() { return std::aligned_alloc(64, Bytes); }

/// One behind the other, all of them in other places.
static void functions() {
#pragma prophet parallel for name(functions)
  for (int i = 0; i < 2; ++i) {
    void *blocks[9] = {aligned()};
    if (posix_memalign(&blocks[1], 64, Bytes))
      std::abort();
    blocks[2] = aligned_alloc(128, Bytes + 128);
    blocks[3] = std::malloc(Bytes + 64);
    blocks[4] = std::calloc(Lines + 1, 64);
    blocks[5] = std::realloc(nullptr, Bytes + 64);
    blocks[6] = reallocarray(nullptr, Lines + 1, 64);
    blocks[7] = valloc(Bytes);
    blocks[8] = std::realloc(std::malloc(8), Bytes + 64);
    for (void *block : blocks)
      use(reinterpret_cast<void *>((reinterpret_cast<unsigned long>(block) + 63) / 64 * 64), i);
    for (void *block : blocks)
      std::free(block);
  }
}

static void operators() {
#pragma prophet parallel for name(operators)
  for (int i = 0; i < 2; ++i) {
    auto *one = new Ten, *two = new Ten[2], *three = new (std::nothrow) Ten, *four = new (std::nothrow) Ten[1];
    use(one, i), use(two, i, 2 * Lines), use(three, i), use(four, i);
    delete one;
    delete[] two;
    ::operator delete(three, std::align_val_t(64));
    delete[] four;
  }
}

/// A block that grows becomes another one, here with the old one kept from being taken again.
static void moved() {
#pragma prophet parallel for name(moved)
  for (int i = 0; i < 2; ++i) {
    void *one = aligned();
    use(one, i);
    void *two = aligned();
    std::free(one);
    void *three = aligned(); // where the first one was
    use(three, i);
    use(two, i);
    std::free(three);
    std::free(two);
  }
}

static volatile long fourLines[4 * Line] __attribute__((aligned(64)));

static void containers() {
#pragma prophet parallel for name(containers)
  for (int i = 0; i < 4; ++i) {
    std::vector<long> values(20 * Line, i);
    std::map<int, long> names;
    for (int k = 0; k < 3; ++k)
      names[k] = values[k * Line];
    fourLines[i * Line] = names[2];
  }
}

static Ten *results[4];

static void kept() {
#pragma prophet parallel for name(kept)
  for (int i = 0; i < 4; ++i) {
    auto *result = new Ten;
    use(result, i);
    results[i] = result;
  }
}

/// Those of kept() go, and tasks get their memory again.
static void reused() {
#pragma prophet parallel for name(reused)
  for (int i = 0; i < 4; ++i) {
    if (i == 0)
      delete results[0];
    auto *result = new Ten;
    use(result, i);
    if (i < 3)
      delete result;
    else
      use(results[1], i); // which is no task's here
  }
}

/// What is used before it shrinks, and then left behind.
static void shrunk() {
#pragma prophet parallel for name(shrunk)
  for (int i = 0; i < 4; ++i) {
    void *result = aligned();
    use(result, i);
    result = std::realloc(result, Bytes - 16);
    results[i] = static_cast<Ten *>(result);
  }
}

/// In its place or elsewhere: it is the task's all the same, and so if there is no memory.
static void grown() {
#pragma prophet parallel for name(grown)
  for (int i = 0; i < 2; ++i) {
    void *block = aligned();
    use(block, i);
    for (std::size_t size = 2 * Bytes; size < 64 * Bytes; size *= 2) {
      block = std::realloc(block, size + 64);
      use(reinterpret_cast<void *>((reinterpret_cast<unsigned long>(block) + 63) / 64 * 64), i);
    }
    volatile std::size_t tooMuch = PTRDIFF_MAX;
    if (std::realloc(block, tooMuch))
      std::abort();
    use(reinterpret_cast<void *>((reinterpret_cast<unsigned long>(block) + 63) / 64 * 64), i);
    std::free(block);
  }
}

static void before() {
  void *block = aligned();
#pragma prophet parallel for name(before)
  for (int i = 0; i < 2; ++i)
    use(block, i);
  std::free(block);
}

static void many() {
  void *shared = aligned();
#pragma prophet parallel for name(many)
  for (int i = 0; i < 2; ++i) {
    std::vector<Ten *> blocks;
    blocks.reserve(100);
    for (int k = 0; k < 100; ++k)
      blocks.push_back(new Ten);
    for (Ten *block : blocks)
      use(block, i);
    use(shared, i);
    for (int k = 0; k < 100; ++k) // in another order
      delete blocks[k * 37 % 100];
  }
  std::free(shared);
}

static void nested() {
  void *shared = aligned();
#pragma prophet parallel for name(outer)
  for (int i = 0; i < 2; ++i) {
    void *each = aligned();
#pragma prophet parallel for name(inner)
    for (int k = 0; k < 2; ++k) {
      void *its = aligned();
      use(its, k);
      use(each, k);
      use(shared, k);
      std::free(its);
    }
    std::free(each);
  }
  std::free(shared);
}

/// A task's block that an exception frees; operator new may throw, too.
static void thrown() {
#pragma prophet parallel for name(thrown)
  for (int i = 0; i < 2; ++i)
    try {
      Ten *block = nullptr;
      try {
        block = new Ten;
        use(block, i);
        throw i;
      } catch (...) {
        delete block;
        throw;
      }
    } catch (int) {
    }
}

static thread_local Ten ofThread;

/// Memory of one's own by its declaration.
static void threads() {
  static thread_local Ten local;
  static Ten shared;
#pragma prophet parallel for name(threads)
  for (int i = 0; i < 4; ++i) {
    use(&ofThread, i);
    use(&local, i);
    use(&shared, i);
  }
}

int main() {
  functions(), operators(), moved(), containers(), kept(), reused(), shrunk(), grown(), before(), many(), nested(), thrown(), threads();
}
