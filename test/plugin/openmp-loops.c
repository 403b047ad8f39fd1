// RUN: %each-build --std c99,c17,c++17 --openmp %s | FileCheck %s --implicit-check-not=MISMATCH

// Worksharing loops are sections, inside a parallel region, orphaned and from a macro; clauses are
// kept with macros expanded, as OpenMP has it.

#include <stdio.h>

#define CHUNK 4
#define SCHEDULE schedule(static, CHUNK)
#define LOOP(clauses) _Pragma("omp parallel for num_threads(2)") for (int i = 0; i < 2; ++i)

static void orphaned(void) {
#pragma omp for simd
  for (int i = 0; i < 2; ++i)
    (void)i;
}

int main(void) {
  int s = 0;
// CHECK:      section parallel_for|{{.*}}|[[@LINE+9]]||nowait schedule(static, 4) reduction(+ : s)
// CHECK-NEXT:   task
// CHECK-NEXT:     lock sum
// CHECK-NEXT:     end lock
// CHECK-NEXT:   end task
// CHECK:      end section
// CHECK-NEXT: single 1
#pragma omp parallel default(shared)
  {
#pragma omp for nowait SCHEDULE reduction(+ : s)
    for (int i = 0; i < 2; ++i) {
#pragma omp critical(sum)
      s += i;
    }
#pragma omp single
    printf("single %d\n", s);
  }
// CHECK-NEXT: section parallel_for|{{.*}}openmp-loops.c|[[@LINE-24]]||{{$}}
// CHECK:      end section
#pragma omp parallel
  orphaned();
  // CHECK-NEXT: section parallel_for|{{.*}}|[[@LINE+1]]||num_threads(2)
  LOOP() (void)i;
  // CHECK:     end section
  // CHECK-NEXT: section {{.*}}|ours|
  // CHECK-NOT: section parallel_for
// Where an OpenMP loop is annotated too, the annotation counts.
#pragma omp parallel for
#pragma prophet parallel for name(ours)
  for (int i = 0; i < 3; ++i)
    s += i;
// CHECK:      section {{.*}}|ours too|
#pragma prophet parallel for name("ours too")
#pragma omp parallel for
  for (int i = 0; i < 3; ++i)
    s += i;
  // CHECK:     sum 7
  printf("sum %d\n", s);
  return 0;
}
