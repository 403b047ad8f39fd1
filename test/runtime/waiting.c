// How long the program was ready and had no core: here another process has that for some of the time.
// REQUIRES: schedstat
// RUN: %clang -O2 -D_GNU_SOURCE -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// RUN: env PROPHET_OUT=%t.json %t
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); waited = t['profiler']['waited_ticks'] / t['timebase_hz']; print(waited); sys.exit(waited < 0.01)" %t.json
// RUN: %prophet predict %t.json --threads 2 | FileCheck %s
// CHECK: warning: the program waited for its core for {{[0-9]+}} % of its run
#include "annotate.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  pid_t other = fork();
  if (other < 0)
    return 1;
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile int on = 1; on;)
      ;
    _exit(0);
  }
  {
    SECTION("loop");
    for (double end = seconds() + 0.3; seconds() < end;) {
      TASK;
      work(1000);
    }
  }
  kill(other, SIGKILL);
  return 0;
}
