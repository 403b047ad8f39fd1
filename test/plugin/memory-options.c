// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t

// With OpenMP's pragmas as annotations.
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O1 -DMAIN %s -o app
// RUN: env PROPHET_MEMORY_OUT=%%p.json ./app && %python %S/Inputs/show_memory.py [0-9]*.json | FileCheck %s
// CHECK:      complete rate 1
// CHECK-NEXT: memory-options.c:[[# @LINE + 20]] executions=1 reads=0 writes=256

// A static program links the archive.
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O1 -DMAIN %s -static -L%libdir -lprophet-memory -o static
// RUN: env PROPHET_MEMORY_OUT=static.json ./static && %python %S/Inputs/show_memory.py static.json | FileCheck %s

// No tree, and nothing where that is asked for; else a line on what was written.
// RUN: env PROPHET_DISABLE=1 PROPHET_VERBOSE=1 ./app 2>&1 | count 0
// RUN: env PROPHET_VERBOSE=1 ./app 2>&1 | FileCheck %s --check-prefix=VERBOSE
// RUN: not ls app.prophet.json
// VERBOSE: prophet: wrote {{.*}}/app.prophet-memory.json{{$}}

// Files that are compiled to be timed do not mix with them.
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -O1 -c %s -o timed.o
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fplugin-arg-prophet-memory -O1 -c -DMAIN %s -Dwork=other -o measured.o
// RUN: %clang timed.o measured.o -o mixed && rm -f *.json && ./mixed 2>&1 | FileCheck %s --check-prefix=MIXED && not ls mixed.*json
// MIXED: prophet: some of this program's files were compiled to measure memory and some to be timed

static double a[256];
void work(void) {
#pragma omp parallel for
  for (int i = 0; i < 256; i++)
    *(volatile double *)&a[i] = i;
}

// RUN: not %clang-prophet -fplugin-arg-prophet-memory -save-temps -c %s 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: error: -fplugin-arg-prophet-memory adds a pass, and without passes (as with -save-temps) nothing is measured

#ifdef MAIN
int main(void) {
  work();
  return 0;
}
#endif
