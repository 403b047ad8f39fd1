// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -Wall -Wextra -Wcast-qual -pedantic -Werror -std=c11 -O1 -DELSEWHERE -x c -c %s -o elsewhere.o
// RUN: %clangxx-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -Wall -Wextra -Wcast-qual -pedantic -Werror -std=c++14 -O1 %s elsewhere.o -o app 2>&1 | count 0
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python %S/Inputs/own-lines.py app.json | FileCheck %s
// RUN: %clangxx-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -std=c++17 -O0 -fPIC -fvisibility=hidden -shared %s elsewhere.o -o liball.so -DMAIN=run -fuse-ld=lld -Wl,--gc-sections
// RUN: %clang-prophet -fplugin-arg-prophet-memory -DPROGRAM -x c %s -o app2 -ldl
// A program that is linked with it has such ranges of its own, or none.
// RUN: %clang-prophet -fplugin-arg-prophet-memory -DPROGRAM -x c %s -x none -no-pie liball.so -o app3 -ldl -Wl,--fatal-warnings
// RUN: %clang-prophet -fplugin-arg-prophet-memory -DPROGRAM -x c %s -x none -fPIE -pie liball.so -o app4 -ldl -Wl,--fatal-warnings
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app2.json ./app2
// RUN: %python %S/Inputs/own-lines.py app2.json | FileCheck %s
// Without the option the directive adds nothing.
// RUN: %clangxx-prophet -fplugin-arg-prophet-openmp -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN --implicit-check-not=prophet_threadprivate
// PLAIN: define

// Tables of headers and files have names of their own, and no warnings.
// RUN: echo 'static int one[9];' > one.h && echo '#pragma omp threadprivate(one)' >> one.h
// RUN: mkdir more && echo 'static int two[9];' > more/one.h && echo '#pragma omp threadprivate(two)' >> more/one.h
// RUN: echo '#include "more/one.h"' > app.c && echo 'static __thread int three[9];' >> app.c && echo '#pragma omp threadprivate(three)' >> app.c
// RUN: echo 'int main(void) { return one[0] + two[0] + three[0]; }' >> app.c
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -x c-header one.h -o one.pch
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -Wall -Wextra -Wreserved-identifier -Werror -include-pch one.pch app.c -o app5
// RUN: env PROPHET_MEMORY_OUT=%t/app5.json ./app5

// What `threadprivate` lists is each thread's own, wherever the directive is: by the files that define
// it. Of a class's members nothing is known.
// CHECK: listed: 2 tasks, 50 own lines, 10 shared
// CHECK: local: 2 tasks, 10 own lines, 0 shared
// CHECK: instance: 2 tasks, 10 own lines, 0 shared
// CHECK: member: 2 tasks, 0 own lines, 10 shared
#define ALIGNED __attribute__((aligned(64)))
enum { Line = 8 };

#if defined ELSEWHERE
volatile long elsewhere[10 * Line] ALIGNED;
extern long undefined[];
static long unused[10] __attribute__((unused));
#pragma omp threadprivate(elsewhere, undefined, unused)
#elif defined PROGRAM
#include <dlfcn.h>
int main(void) {
  void *all = dlopen("./liball.so", RTLD_NOW);
  int (*run)(void) = all ? (int (*)(void))dlsym(all, "run") : 0;
  return run ? run() : 1;
}
#else
#ifndef MAIN
#define MAIN main
#endif

namespace inner {
volatile long inside[10 * Line] ALIGNED;
}
static volatile long first[10 * Line] ALIGNED = {1}, second[10 * Line] ALIGNED;
extern "C" volatile long elsewhere[];
volatile long shared[10 * Line] ALIGNED;
#define LIST first, second
#if __cplusplus >= 201703L
inline volatile long defined[10 * Line] ALIGNED;
#else
static volatile long defined[10 * Line] ALIGNED;
#endif
#pragma omp threadprivate(defined)
#pragma omp threadprivate(LIST, inner::inside)
#pragma omp threadprivate(elsewhere)
struct Class {
  static volatile long member[10 * Line];
#pragma omp threadprivate(member)
};
volatile long Class::member[10 * Line] ALIGNED;

static void use(volatile long *array, long value) {
  for (int i = 0; i < 10; ++i)
    array[i * Line] = value;
}

static void ofFunction() {
  static volatile long local[10 * Line] ALIGNED;
#pragma omp threadprivate(local)
#pragma prophet parallel for name(local)
  for (int i = 0; i < 2; ++i)
    use(local, i);
}

template <class T> void ofTemplate() {
  static volatile T local[10 * Line] ALIGNED;
#pragma omp threadprivate(local)
#pragma prophet parallel for name(instance)
  for (int i = 0; i < 2; ++i)
    use(local, i);
}

extern "C" __attribute__((visibility("default"))) int MAIN() {
#pragma prophet parallel for name(listed)
  for (int i = 0; i < 2; ++i) {
    use(first, i);
    use(second, i);
    use(inner::inside, i);
    use(elsewhere, i);
    use(defined, i);
    use(shared, i);
  }
  ofFunction();
  ofTemplate<long>();
#pragma prophet parallel for name(member)
  for (int i = 0; i < 2; ++i)
    use(Class::member, i);
  return 0;
}
#endif
