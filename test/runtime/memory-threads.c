// Threads open the first section, load and unload libraries, and end, while others are measured:
// without a data race in the profiler, and what the one that opened the first section did is exact.
// REQUIRES: compiler-rt
// DEFINE: %{build} = %clang -D_GNU_SOURCE -O1 -g -fsanitize=thread -I%include -I%top/runtime/src -I%S/Inputs
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %{build} -c %top/runtime/src/*.c && llvm-ar rc shared.a *.o
// RUN: %{build} %s %top/runtime/memory/*.c shared.a -pthread -o app
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python %S/../plugin/Inputs/show_memory.py app.json | FileCheck %s
// CHECK:      complete rate 1
// CHECK-NEXT: sections executions=2000 reads=8000
// CHECK-NOT:  executions
#include "measured.h"

#include <pthread.h>
#include <stdatomic.h>

static _Alignas(64) char lines[8][64];
static atomic_bool ended;
static pthread_barrier_t together;

static void *sections(void *unused) {
  pthread_barrier_wait(&together);
  for (int i = 0; i < 2000; ++i)
    read_in_section("parallel_for|app.c|1|sections|", lines, 4);
  atomic_store(&ended, 1);
  return unused;
}

static __thread unsigned long long in_library[PROPHET_MEMORY_COUNTS]
    __attribute__((tls_model("initial-exec")));
static unsigned long long *counts_of_library(void) { return in_library; }

static void *libraries(void *unused) {
  static unsigned of_library;
  static unsigned short ahead_of_library[PROPHET_MEMORY_AHEAD];
  static const struct prophet_memory_unit library = {&of_library, ahead_of_library, counts_of_library};
  pthread_barrier_wait(&together);
  while (!atomic_load(&ended)) {
    api->add_unit(&library);
    api->remove_unit(&library);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  start_measuring();
  pthread_barrier_init(&together, 0, 3);
  pthread_create(&threads[0], 0, sections, 0);
  pthread_create(&threads[1], 0, libraries, 0);
  pthread_barrier_wait(&together);
  while (!atomic_load(&ended))
    read_line(lines[7]);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], 0);
  api->remove_unit(&unit);
  return 0;
}
