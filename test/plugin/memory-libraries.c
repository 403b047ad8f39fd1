// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O1 -shared -fPIC -DLIBRARY %s -o library.so
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O1 %s -pthread -ldl -o app
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app return 2>&1 | count 0
// RUN: %python %S/Inputs/show_memory.py app.json | FileCheck %s

// What a library has counted is not lost where another thread unloads it, and not where the
// measured thread ends before the program.
// CHECK:      complete rate 1
// CHECK-NEXT: unloaded executions=1 reads={{409[6-9]}} writes=0
// CHECK-NEXT:   stream first={{51[2-5]}}

// Where another thread ends the program, what the measured one has in registers is.
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app exit 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: %python %S/Inputs/show_memory.py app.json | FileCheck %s --check-prefix=EXIT
// WHY:  prophet: the memory profile is incomplete: the program ended in another thread while the measured one ran{{$}}
// EXIT: incomplete rate 1
// EXIT: unloaded executions=1 reads={{409[6-9]}} writes=0
#ifdef LIBRARY
static __attribute__((aligned(64))) volatile long numbers[4096];

void work(void);
void work(void) {
  for (int i = 0; i < 4096; i++)
    (void)numbers[i];
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void *load(void *unused) {
  library = dlopen("./library.so", RTLD_NOW);
  return unused;
}

static void *unload(void *unused) {
  dlclose(library);
  return unused;
}

static void inThread(void *(*work)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}

static void *measured(void *unused) {
#pragma prophet parallel for name(unloaded)
  for (int i = 0; i < 1; i++) {
    void (*work)(void) = (void (*)(void))dlsym(library, "work");
    work();
    inThread(unload);
  }
  return unused;
}

static void *ending(void *unused) {
  (void)unused;
  exit(0);
}

int main(int argc, char **argv) {
  (void)argc;
  inThread(load);
  if (strcmp(argv[1], "exit") != 0) {
    inThread(measured);
    return 0;
  }
  measured(NULL);
  inThread(ending);
  return 1;
}
#endif
