// A second build counts memory accesses, and its profile slows the prediction down: each line of `cells` is written by two tasks.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang-prophet -O1 app.c -o app
// RUN: env PROPHET_MEMORY_RATE=1 %prophet run --memory-build '%clang-prophet -fplugin-arg-prophet-memory -O1 app.c -o {}' --threads 2 --machine m.json --overheads none --format json -- ./app 3 > out.json 2> err.txt
// RUN: python3 %S/../Inputs/check-prediction.py out.json "[e['memory'] for e in p['estimates']] == ['curve'] * 3" \
// RUN:   "(lambda w: w['memory'] > 10 * w['useful'])(p['estimates'][1]['waterfall']) and p['estimates'][1]['schedule'] == 'static,1'" \
// RUN:   "p['estimates'][0]['loss']['memory'] < 0.1" "[w for w in p['warnings'] if 'waited for its core' not in w] == []"
// RUN: test -s app.prophet-memory.json && not grep -q . err.txt

// A program that fails has its prediction, without memory, and keeps its status.
// RUN: sh %S/../Inputs/expect-status.sh 3 %prophet run --memory-build '%clang-prophet -fplugin-arg-prophet-memory -O1 app.c -o {}' --threads 2 --machine m.json --overheads none --format json -o failed.json -- ./app 3 3 > failed.out 2> err.txt
// RUN: FileCheck app.c --check-prefix=FAILED < err.txt
// RUN: python3 %S/../Inputs/check-prediction.py failed.out "[e['memory'] for e in p['estimates']] == ['none'] * 3"
// RUN: test -s failed.json && test ! -e failed.prophet-memory.json

// What goes wrong says what to do.
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build 'cc app.c' --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=PLACE
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build 'echo reason; false {}' --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=FAILS
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build ': {}' --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=NOTHING
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build '%clang-prophet -O1 app.c -o {}' --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=PLAIN
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build ': {}' --machine none -- ./app 2>&1 | FileCheck app.c --check-prefix=MACHINE
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build ': {}' --memory-profile a --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=BOTH

//--- app.c
// FAILED: prophet: ./app: exited with status 3; the prediction covers what it ran until then
// FAILED-NEXT: prophet: ./app: its use of memory was not measured and does not slow the prediction down; see that the program ends well
// PLACE: prophet: --memory-build 'cc app.c' has no {} for the program that it makes; write for example 'prophet cc -fplugin-arg-prophet-memory -O2 app.c -o {}'
// FAILS: reason
// FAILS: prophet: --memory-build 'echo reason; false {}' exited with status 1; see that it builds the program as {}
// NOTHING: prophet: --memory-build ': {}' made no program; see that it builds the program as {}
// PLAIN: prophet: ./app: the build for memory exited with status 0 and wrote no memory profile; see that --memory-build compiles all files with -fplugin-arg-prophet-memory
// MACHINE: prophet: a memory profile goes with a machine file, and there is none; run 'prophet calibrate', or name one with --machine
// BOTH: prophet: --memory-build makes a profile, and --memory-profile has one; leave out one of the two
#include <stdlib.h>

static _Alignas(64) volatile long cells[512];

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int round = 0; round < rounds; round++)
#pragma prophet parallel for name(pairs)
    for (int i = 0; i < 128; i++)
      cells[4 * i] += 1;
  return argc > 2 ? atoi(argv[2]) : 0;
}
//--- m.json
{"format": "prophet-machine", "version": 1, "cores": 2, "line": 64,
 "caches": [{"level": 2, "bytes": 65536, "shared_by": 1}, {"level": 3, "bytes": 1048576, "shared_by": 2}],
 "memory": {"threads": 2, "saturation_seen": true, "curves": {"1": [[0.5, 0.01], [1000000, 0.01]]},
            "classes": {"stream": 120000, "stride": 60000, "irregular": 40000}, "shared_cache_gbs": 100000, "transfer_ns": 100000}}
