/* The rules by which an OpenMP runtime deals out tasks, made visible. Threads are kept out where they are not to help. */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int go, ran, order[1000];

static void waitFor(atomic_int *value, int least) {
  while (atomic_load(value) < least)
    sched_yield();
}

static void reset(void) {
  atomic_store(&go, 0);
  atomic_store(&ran, 0);
}

/* The number of tasks that wait before one is run by its creator at once, and whether those are then run newest first. */
static void queue(void) {
  int room = -1;
  reset();
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (int i = 0; i < 200; ++i) {
#pragma omp task
      atomic_store(&order[atomic_fetch_add(&ran, 1)], i);
      if (room < 0 && atomic_load(&ran) > 0)
        room = i;
    }
    int atOnce = atomic_load(&ran);
#pragma omp taskwait
    int newest = 1;
    for (int n = atOnce; n < 200; ++n)
      newest &= atomic_load(&order[n]) == room - 1 - (n - atOnce);
    printf("%d wait for two threads; the waiter runs the %s first\n", room, newest ? "newest" : "oldest");
    atomic_store(&go, 1);
  } else {
    waitFor(&go, 1);
  }
}

/* The order in which a thread at the barrier runs what another has created. */
static void barrier(void) {
  reset();
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (int i = 0; i < 10; ++i)
#pragma omp task
      atomic_store(&order[atomic_fetch_add(&ran, 1)], i);
    atomic_store(&go, 1);
    waitFor(&ran, 10);
    int oldest = 1;
    for (int i = 0; i < 10; ++i)
      oldest &= atomic_load(&order[i]) == i;
    printf("at the barrier the %s is first\n", oldest ? "oldest" : "newest");
  } else {
    waitFor(&go, 1);
  }
}

/* Whether who waits for a task helps with that one's children. */
static void waiter(void) {
  reset();
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    {
      for (int i = 0; i < 3; ++i)
#pragma omp task
        atomic_fetch_add(&ran, 1);
      atomic_store(&go, 1);
      usleep(50000);
      printf("a waiter runs %d of the children of what it waits for\n", atomic_load(&ran));
    }
    waitFor(&go, 1); /* the other thread has it */
#pragma omp taskwait
  }
}

/* How a taskloop of ten on four threads is split. */
static void loop(void) {
  reset();
#pragma omp parallel num_threads(4)
  if (omp_get_thread_num() == 0) {
#pragma omp taskloop
    for (int i = 0; i < 10; ++i)
      atomic_store(&order[atomic_fetch_add(&ran, 1)], i);
    printf("taskloop, newest first:");
    for (int n = 0, first = 0; n < 10; ++n)
      if (n == 9 || atomic_load(&order[n + 1]) != atomic_load(&order[n]) + 1) {
        printf(" %d", n + 1 - first);
        first = n + 1;
      }
    printf("\n");
    atomic_store(&go, 1);
  } else {
    waitFor(&go, 1);
  }
}

int main(void) {
  queue();
  barrier();
  waiter();
  loop();
  return 0;
}
