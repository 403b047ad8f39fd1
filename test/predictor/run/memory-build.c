// A second build counts memory accesses, and its profile slows the prediction down: each line of `cells` is written by two tasks.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang-prophet -O1 app.c -o app
// RUN: env PROPHET_MEMORY_RATE=1 %prophet run --memory-build '%clang-prophet -fplugin-arg-prophet-memory -O1 app.c -o {}' --threads 2 --machine m.json --overheads none --format json -- ./app 3 > out.json 2> err.txt
// RUN: python3 %S/../Inputs/check-prediction.py out.json "[e['memory'] for e in p['estimates']] == ['curve'] * 3" \
// RUN:   "(lambda w: w['memory'] > 10 * w['useful'])(p['estimates'][1]['sites'][0]['waterfall']) and p['estimates'][1]['schedule'] == 'static,1'" \
// RUN:   "abs(p['estimates'][1]['sites'][0]['waterfall']['memory'] / p['timebase_hz'] - 0.032) < 1e-9" \
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
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build '' --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=EMPTY
// RUN: env PROPHET_DISABLE=1 sh %S/../Inputs/expect-status.sh 2 %prophet run --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=DISABLED
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build ': {}' --memory none --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=NOEFFECT
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build ': {}' --machine none -- ./app 2>&1 | FileCheck app.c --check-prefix=MACHINE
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build ': {}' --memory-profile a --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=BOTH

// A build for memory that measures none, or fails, leaves the prediction and the timed tree; an older profile is not used, and not lost.
// RUN: cp app.prophet-memory.json before.json
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build '%clang-prophet -O1 app.c -o {}' --threads 2 --machine m.json --overheads none --format json -- ./app 3 > plain.out 2> err.txt
// RUN: FileCheck app.c --check-prefix=PLAIN < err.txt
// RUN: python3 %S/../Inputs/check-prediction.py plain.out "[e['memory'] for e in p['estimates']] == ['none'] * 3"
// RUN: cmp app.prophet-memory.json before.json && grep -q '"command": \["./app"' app.prophet.json
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build 'printf "#!/bin/sh\nexit 7\n" > {}; chmod +x {}' --threads 2 --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=NOPROFILE

// A library of the program that is compiled to be timed is named, and its tree goes nowhere.
// RUN: %clang-prophet -O1 -shared -fPIC -DLIBRARY app.c -o library.so && %clang-prophet -O1 -DLOADS app.c -o loads
// RUN: %prophet run --memory-build '%clang-prophet -fplugin-arg-prophet-memory -DLOADS -O1 app.c -o {}' --threads 2 --machine m.json --overheads none --format json -- ./loads 2> err.txt > loads.out
// RUN: FileCheck app.c --check-prefix=LOADS < err.txt
// RUN: grep -q '"command": \["./loads"' loads.prophet.json && grep -q pairs loads.prophet.json && grep -q inside loads.prophet.json

// Of a pipe that the timed run has read nothing is left.
// RUN: %clang-prophet -DREADS -O1 app.c -o reads
// RUN: echo 5 | sh %S/../Inputs/later.sh %prophet run --memory-build '%clang-prophet -fplugin-arg-prophet-memory -DREADS -O1 app.c -o {}' --threads 2 --machine m.json --overheads none -- ./reads 2>&1 | FileCheck app.c --check-prefix=PIPE

// What a build for memory says when it is cut short.
// RUN: sh %S/../Inputs/expect-status.sh 2 %prophet run --memory-build '%clang-prophet -fplugin-arg-prophet-memory -DCUT -O1 app.c -o {}' --threads 2 --machine m.json --overheads none -- ./app 2>&1 | FileCheck app.c --check-prefix=CUT

//--- app.c
// FAILED: prophet: ./app: exited with status 3; the prediction covers what it ran until then
// FAILED-NEXT: prophet: ./app: its use of memory was not measured and does not slow the prediction down; see that the program ends well
// PLACE: prophet: --memory-build 'cc app.c' has no {} for the program that it makes; write for example 'prophet cc -fplugin-arg-prophet-memory -O2 app.c -o {}'
// FAILS: reason
// FAILS: prophet: --memory-build 'echo reason; false {}' exited with status 1; see that it builds the program as {}
// NOTHING: prophet: --memory-build ': {}' made no program; see that it builds the program as {}
// EMPTY: prophet: run: --memory-build is empty; give it a value, or leave it out
// DISABLED: prophet: PROPHET_DISABLE is set, so nothing would be profiled; unset it
// PLAIN: prophet: ./app: the build for memory exited with status 0 and wrote no memory profile; have --memory-build compile with -fplugin-arg-prophet-memory; the prediction is without memory
// NOPROFILE: prophet: ./app: the build for memory exited with status 7 and wrote no memory profile; see what it says above, or have --memory-build compile with -fplugin-arg-prophet-memory; the prediction is without memory
// LOADS: prophet: ./loads: 'inside' of the build for memory, or of a library that it loads, was compiled without -fplugin-arg-prophet-memory: memory does not slow that down
// PIPE: prophet: standard input is a pipe that the timed run has read to its end: the build for memory gets nothing of it; give the input as a file: < FILE
// CUT: prophet: ./app: the build for memory was killed by signal 6 (Aborted); its profile covers what it ran until then
// CUT: covers its run only up to where that was cut short
// MACHINE: prophet: a memory profile goes with a machine file, and there is none; run 'prophet calibrate', or name one with --machine
// NOEFFECT: prophet: --memory-build has no effect with --memory none; leave out one of the two
// BOTH: prophet: --memory-build makes a profile, and --memory-profile has one; leave out one of the two
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef LIBRARY
void library(int *numbers) {
#pragma prophet parallel for name(inside)
  for (int i = 0; i < 100; i++)
    numbers[i] = i;
}
#else
static _Alignas(64) volatile long cells[512];

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int round = 0; round < rounds; round++)
#pragma prophet parallel for name(pairs)
    for (int i = 0; i < 128; i++)
      cells[4 * i] += 1;
#ifdef LOADS
  int numbers[100];
  void (*library)(int *) = (void (*)(int *))dlsym(dlopen("./library.so", RTLD_NOW), "library");
  library(numbers);
#endif
#ifdef READS
  while (getchar() != EOF)
    ;
#endif
#ifdef CUT
  abort();
#endif
  return argc > 2 ? atoi(argv[2]) : 0;
}
#endif
//--- m.json
{"format": "prophet-machine", "version": 1, "cores": 2, "line": 64,
 "caches": [{"level": 2, "bytes": 65536, "shared_by": 1}, {"level": 3, "bytes": 1048576, "shared_by": 2}],
 "memory": {"threads": 2, "saturation_seen": true, "curves": {"1": [[0.5, 0.01], [1000000, 0.01]]},
            "classes": {"stream": 120000, "stride": 60000, "irregular": 40000}, "shared_cache_gbs": 100000, "transfer_ns": 100000}}
