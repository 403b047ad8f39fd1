// The lengths add up to the time that passed, with what was subtracted for the profiler.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: env PROPHET_OUT=%t.json %t > %t.wall
// RUN: python3 %S/Inputs/show_tree.py %t.json > %t.tree
// RUN: python3 -c "import json; profiler, hz = map(json.load(open('%t.json')).get, ('profiler', 'timebase_hz')); own = profiler['subtracted_ticks'] / hz; wall = float(open('%t.wall').read()); tree = float(open('%t.tree').read().split('seconds: ')[1]); assert 0.98 < (tree + own) / wall < 1.02, (tree, own, wall)"
#include "annotate.h"

#include <stdio.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(void) {
  double start = seconds();
  while (seconds() < start + 0.2) {
    SECTION("loop");
    for (int i = 0; i < 100; ++i) {
      TASK;
      work(2000);
      LOCK("m");
      work(i * 50);
    }
  }
  printf("%f\n", seconds() - start);
  return 0;
}
