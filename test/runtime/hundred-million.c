// 10^8 iterations: the file and the memory stay small, whatever other programs do to the run, which is
// in its tree as tasks that took longer (CompressionTest.cpp says exactly which are kept); what the
// profiler takes, which is all of theirs, is measured and subtracted.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: env PROPHET_OUT=%t.json %t > %t.wall
// RUN: %python -c "import os, sys; sys.exit(os.path.getsize(sys.argv[1]) > 64 << 20)" %t.json
// RUN: %python %S/Inputs/show_tree.py %t.json --without-u | FileCheck %s
// RUN: FileCheck %s --check-prefix=MEMORY < %t.wall
// RUN: %python -c "import json, sys; sys.exit(json.load(open(sys.argv[1]))['profiler']['subtracted_ticks'] == 0)" %t.json
// CHECK: complete: true
// CHECK: events: 200000002
// CHECK: tree: root[loop[100000000*task]]
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
