// Where the tree goes, and what is said when it cannot go there.
// RUN: rm -rf %t.dir && mkdir -p %t.dir/sub
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t.dir/app
//
// The default is the working directory at the start, though the program moves.
// RUN: cd %t.dir && ./app && ls app.prophet.json && not ls sub/app.prophet.json
// RUN: cd %t.dir && env PROPHET_OUT=sub/%%p-%%%%.json ./app && ls sub | FileCheck %s --check-prefix=PID
// PID: {{^[0-9]+-%.json$}}
//
// An unwritable target: one line, and the program's own status.
// RUN: cd %t.dir && env PROPHET_OUT=nowhere/x.json python3 %S/Inputs/status.py 3 ./app 3 2>&1 | FileCheck %s --check-prefix=NODIR
// NODIR: prophet: cannot write {{.*}}/nowhere/x.json: no such directory; name another file with PROPHET_OUT
// NODIR-NOT: prophet
// RUN: cd %t.dir && env PROPHET_OUT=sub python3 %S/Inputs/status.py 3 ./app 3 2>&1 | FileCheck %s --check-prefix=ISDIR
// ISDIR: prophet: cannot write {{.*}}/sub: it is a directory; name another file with PROPHET_OUT
// RUN: env PROPHET_OUT=/dev/full python3 %S/Inputs/status.py 3 %t.dir/app 3 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: prophet: cannot write /dev/full: no space left; name another file with PROPHET_OUT
//
// A failed write leaves an older tree as it was, and nothing beside it.
// RUN: echo old > %t.dir/sub/tree && rm %t.dir/sub/*.json
// RUN: env PROPHET_OUT=%t.dir/sub/tree python3 %S/Inputs/status.py 3 %t.dir/app 3 limit 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: prophet: cannot write {{.*}}/tree: the file size limit is too low
// RUN: grep old %t.dir/sub/tree && ls %t.dir/sub | count 1
//
// Quiet unless asked.
// RUN: cd %t.dir && ./app 2>&1 | count 0
// RUN: cd %t.dir && env PROPHET_VERBOSE=1 ./app 2>&1 | FileCheck %s --check-prefix=VERBOSE
// VERBOSE: prophet: wrote {{.*}}/app.prophet.json
// RUN: rm %t.dir/app.prophet.json
// RUN: cd %t.dir && env PROPHET_VERBOSE=1 ./app 0 skip 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: prophet: nothing to write: no annotated section was reached
// RUN: cd %t.dir && env PROPHET_DISABLE=1 PROPHET_VERBOSE=1 ./app 2>&1 | count 0
// RUN: not ls %t.dir/app.prophet.json
//
// RUN: env PROPHET_OUT=/dev/stdout PROPHET_TOLERANCE=0.125 %t.dir/app | grep '"tolerance": 0.125,'
// RUN: env PROPHET_OUT=/dev/stdout PROPHET_TOLERANCE=0 %t.dir/app | grep '"tolerance": 0,'
// RUN: env PROPHET_OUT=/dev/stdout PROPHET_TOLERANCE=5%% %t.dir/app 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: prophet: PROPHET_TOLERANCE='5%' is not a number from 0 to 0.5 (at most 6 decimals); using 0.05
// TOLERANCE: "tolerance": 0.05,
//
// A standard stream that is a file goes on where it was; shared memory holds files like any other.
// RUN: sh -c 'echo mine; PROPHET_OUT=/dev/stdout %t.dir/app' > %t.both && head -1 %t.both | grep mine && tail -n +2 %t.both | python3 -m json.tool
// RUN: mkdir -p /dev/shm/prophet-test && env PROPHET_OUT=/dev/shm/prophet-test/%%p.json %t.dir/app && ls /dev/shm/prophet-test | count 1
// RUN: rm -r /dev/shm/prophet-test
//
// What lies at the temporary name is not written through. A broken pipe is not the end.
// RUN: echo precious > %t.dir/sub/precious && sh -c 'ln -s precious %t.dir/sub/new.$$.tmp; PROPHET_OUT=%t.dir/sub/new exec %t.dir/app'
// RUN: grep '^precious$' %t.dir/sub/precious && python3 -m json.tool %t.dir/sub/new
// RUN: env PROPHET_OUT=/nowhere/x sh -c '{ sleep 0.2; %t.dir/app 3; echo $? > %t.status; } 2>&1 | true' && grep '^3$' %t.status
#include "annotate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *what = argv[argc - 1];
  if (strcmp(what, "skip")) {
    SECTION("loop");
    TASK;
  }
  if (!strcmp(what, "limit")) {
    struct rlimit limit = {100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (chdir("sub") != 0)
    work(1);
  return argc > 1 ? atoi(argv[1]) : 0;
}
