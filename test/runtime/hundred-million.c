// 10^8 iterations: the file and the memory stay small, and no time is lost; what
// the profiler takes, which is all of theirs, is measured and subtracted.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: python3 %S/Inputs/small_tree.py 100000 %t.json %t > %t.wall
// RUN: python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=MEMORY < %t.wall
// RUN: %python -c "import json, sys; sys.exit(json.load(open(sys.argv[1]))['profiler']['subtracted_ticks'] == 0)" %t.json
// CHECK: complete: true
// CHECK: events: 200000002
// CHECK: tree: root[U loop[100000000*task[U]] U]
// MEMORY: resident memory below 64 MB
#include "annotate.h"

#include <stdio.h>
#include <sys/resource.h>

int main(void) {
  {
    SECTION("loop");
    for (int i = 0; i < 100000000; ++i) {
      TASK;
    }
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("resident memory %s 64 MB (%ld kB)\n", usage.ru_maxrss < 64 * 1024 ? "below" : "above",
         usage.ru_maxrss);
  return 0;
}
