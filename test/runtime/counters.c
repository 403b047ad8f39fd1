// Instructions, cycles and cache misses of outermost sections come from a libpapi that is found at
// run time; without one, the tree says why.
// RUN: %clang -O1 -shared -fPIC %S/Inputs/fake-papi.c -o %t.papi.so
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t
// DEFINE: %{env} =
// DEFINE: %{run} = env -u PROPHET_COUNTERS PROPHET_OUT=%t.json PROPHET_PAPI=%t.papi.so %{env} %t && %python %S/Inputs/counted.py %t.json
//
// RUN: %{run} | FileCheck %s
// CHECK: rows: source papi, executions 10, instructions 3000, cycles 2000, llc_misses 40, miss_event perf::CACHE-MISSES
// CHECK-NEXT: columns: nothing
// CHECK-NEXT: papi
//
// REDEFINE: %{env} = PROPHET_COUNTERS=0
// RUN: %{run} | FileCheck %s --check-prefix=OFF
// OFF: rows: nothing
// OFF: none: switched off by PROPHET_COUNTERS=0
//
// REDEFINE: %{env} = FAKE_PAPI="no counters"
// RUN: %{run} | FileCheck %s --check-prefix=NO-COUNTERS
// NO-COUNTERS: none: PAPI has no hardware counters here: Error finding PMU
//
// REDEFINE: %{env} = FAKE_PAPI="uninitialized"
// RUN: %{run} | FileCheck %s --check-prefix=UNINITIALIZED
// UNINITIALIZED: none: PAPI_library_init: Insufficient memory
//
// REDEFINE: %{env} = FAKE_PAPI="no misses"
// RUN: %{run} | FileCheck %s --check-prefix=NO-MISSES
// NO-MISSES: none: PAPI does not count PAPI_L3_TCM here: Event does not exist
//
// REDEFINE: %{env} = FAKE_PAPI="busy"
// RUN: %{run} | FileCheck %s --check-prefix=BUSY
// BUSY: none: PAPI does not start counting: EventSet is currently counting
//
// REDEFINE: %{env} = PROPHET_PAPI=%t.json.gone
// RUN: %{run} | FileCheck %s --check-prefix=GONE
// GONE: none: PROPHET_PAPI: {{.*}}.json.gone: cannot open shared object file: No such file or directory
//
// REDEFINE: %{env} = PROPHET_PAPI=%libdir/libprophet-noop.so.1
// RUN: %{run} | FileCheck %s --check-prefix=OTHER
// OTHER: none: libpapi has no PAPI_get_opt
//
// A program that counts by itself is left alone.
// REDEFINE: %{env} = LD_PRELOAD=%t.papi.so
// RUN: %{run} | FileCheck %s --check-prefix=OWN
// OWN: none: the program uses PAPI itself, which counts for one user at a time
#include "annotate.h"

#include <dlfcn.h>
#include <stdlib.h>

static long long nothing[3];

/// The counters of the libpapi that the profiler has loaded.
static long long *counters(void) {
  void *papi = dlopen(getenv("PROPHET_PAPI"), RTLD_LAZY | RTLD_NOLOAD);
  void *found = papi ? dlsym(papi, "fake_counters") : NULL;
  return found ? found : nothing;
}

int main(void) {
  for (int run = 0; run < 10; ++run) {
    {
      SECTION("rows");
      for (int i = 0; i < 10; ++i) {
        TASK;
        {
          SECTION("columns");
          {
            TASK;
            counters()[0] += 30;
          }
        }
        counters()[1] += 20;
      }
      counters()[2] += 4;
    }
    counters()[0] += 1000000;
  }
}
