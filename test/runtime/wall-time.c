// The lengths add up to the time that passed, with what was subtracted for the profiler.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: %python %S/Inputs/wall_time.py %t
#include "annotate.h"

#include <stdio.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void piece(void) {
  SECTION("loop");
  for (int i = 0; i < 100; ++i) {
    TASK;
    work(2000);
    LOCK("m");
    work(i * 50);
  }
}

int main(void) {
  { SECTION("first"); } // where the profiler gets ready, which is not the program's time
  double start = seconds();
  while (seconds() < start + 0.2)
    piece();
  printf("%f\n", seconds() - start);
  return 0;
}
