// What the profiler costs is not in the lengths: a task of some 50 ns is as long as without
// profiler.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet-noop -Wl,-rpath,%libdir -o %t-noop
// RUN: python3 %S/Inputs/net_length.py %t.json %t-noop %t
#include "annotate.h"

#include <stdio.h>
#include <time.h>

/* As many chains as the processor has units for: what the profiler does cannot be hidden in the time
 * that one chain waits for itself. */
#ifndef CHAINS
#define CHAINS 48
#define STEPS 16
#endif
static void chains(unsigned x[CHAINS]) {
  for (int i = 0; i < STEPS; ++i)
    for (int j = 0; j < CHAINS; ++j)
      x[j] = (x[j] ^ x[j] >> 7) + (unsigned)i;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(void) {
  enum { ROUNDS = 200, TASKS = 2000 };
  double best = 1;
  unsigned x[CHAINS] = {1};
  for (int round = 0; round < ROUNDS; ++round) {
    double start = seconds();
    {
      SECTION("loop");
      for (int i = 0; i < TASKS; ++i) {
        TASK;
        chains(x);
      }
    }
    double each = (seconds() - start) / TASKS;
    best = each < best ? each : best;
  }
  sink = (double)(x[0] + x[CHAINS - 1]);
  printf("%f\n", best * 1e9);
  return 0;
}
