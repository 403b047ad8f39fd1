// A thread that opens the first section waits for the one that has been measured so far to get out
// of the profiler: here that reads a description it must first be given. What that one has counted by then is not lost.
// RUN: %clang -O1 -I%include -I%S/Inputs %s -L%libdir -lprophet-memory -Wl,-rpath,%libdir -pthread -o %t
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=%t.json %t
// RUN: %python %S/../plugin/Inputs/show_memory.py %t.json --outside | FileCheck %s
// CHECK:      complete rate 1
// CHECK-NEXT: first executions=1 reads=4 writes=0
// CHECK-NEXT:   stream first=4 again=0
// CHECK:      outside reads=100 writes=0
// CHECK-NEXT:   stream first=1 again=0
#include "measured.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static _Alignas(64) char lines[8][64];
static unsigned *description;
static pthread_barrier_t within;

static void give(int number) {
  (void)number;
  pthread_barrier_wait(&within);
  usleep(100000); // the other thread is at its section by now
  mprotect(description, 4096, PROT_READ | PROT_WRITE);
  *(unsigned long long *)description = 1;
  description[2] = 8 << 8;
}

static void *first(void *unused) {
  pthread_barrier_wait(&within);
  read_in_section("parallel_for|app.c|1|first|", lines, 4);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct sigaction action = {.sa_handler = give};
  sigaction(SIGSEGV, &action, 0);
  description = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  start_measuring();
  pthread_barrier_init(&within, 0, 2);
  pthread_create(&thread, 0, first, 0);
  counted[0] += 100;
  api->touch((unsigned long long)lines[7], description);
  pthread_join(thread, 0);
  return 0;
}
