// RUN: %each-build --std c99,c17,c++17 --openmp %s | FileCheck %s --implicit-check-not=MISMATCH --implicit-check-not=section

// Sections, conditional loops, atomics, and barriers that have nothing to wait for.

#include <stdio.h>

static void parts(void) {
  // CHECK:      {{^}}section sections|{{.*}}|[[@LINE+11]]||nowait
  // CHECK-NEXT: {{^}} task
  // CHECK-NEXT: first
  // CHECK-NEXT: {{^}} end task
  // CHECK-NEXT: {{^}} task
  // CHECK-NEXT: second
  // CHECK-NEXT: {{^}} end task
  // CHECK-NEXT: {{^}}end section
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp sections nowait
    {
      puts("first");
#pragma omp section
      puts("second");
    }
    if (printf("barrier\n")) {
#pragma omp barrier
    }
  }
}

static void conditional(int n) {
  // CHECK-NEXT: barrier
  // CHECK-NEXT: n 1
  // CHECK-NEXT: n 2
  // CHECK-NEXT: section parallel_for|{{.*}}||if(n > 1 && n < 9)
  // CHECK-NEXT: task
  // CHECK-NEXT: end task
  // CHECK-NEXT: end section
  printf("n %d\n", n);
#pragma omp parallel for if (parallel : n > 1 && n < 9)
  for (int i = 0; i < 1; ++i)
    (void)i;
}

static void atomics(void) {
  int a = 0, b = 0;
  // CHECK-NEXT: lock atomic openmp-regions.c:[[@LINE+2]]
  // CHECK-NEXT: end lock
#pragma omp atomic
  a += 2;
  // CHECK-NEXT: lock atomic openmp-regions.c:[[@LINE+2]]
  // CHECK-NEXT: end lock
#pragma omp atomic capture
  {
    b = a;
    a++;
  }
#pragma omp atomic read
  b = a;
  // CHECK-NEXT: {{^ *lock *$}}
  // CHECK-NEXT: end lock
#pragma omp critical
  // CHECK-NEXT: b 3
  b = a;
  printf("b %d\n", b);
}

int main(void) {
  parts();
  conditional(1);
  conditional(2);
  atomics();
  return 0;
}
