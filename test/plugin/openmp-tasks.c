// RUN: %each-build --std c99,c17,c++17 --openmp %s | FileCheck %s --implicit-check-not=MISMATCH --implicit-check-not=section

// Tasks belong to the construct at whose end OpenMP waits for them, or to their function.

#include <stdio.h>

static int fib(int n) {
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a) if (n > 2)
  a = fib(n - 1);
#pragma omp task shared(b) untied
  b = fib(n - 2);
#pragma omp taskwait
  printf("fib %d\n", a + b);
  return a + b;
}

static void recursive(void) {
  // The task of fib(2)'s `if` is no task.
  // CHECK:      {{^}}section tasks|{{.*}}openmp-tasks.c|11||shared(a) if(n > 2)
  // CHECK-NEXT: {{^}} task
  // CHECK-NEXT: {{^}}  section tasks|{{.*}}|13||shared(b)
  // CHECK-NEXT: {{^}}   task
  // CHECK-NEXT: {{^}}   end task
  // CHECK-NEXT: {{^}}  end section
  // CHECK-NEXT: fib 1
  // CHECK-NEXT: {{^}} end task
  // CHECK-NEXT: {{^}} task
  // CHECK-NEXT: {{^}} end task
  // CHECK-NEXT: {{^}}end section
  // CHECK-NEXT: fib 2
#pragma omp parallel
#pragma omp single
  fib(3);
}

static void scopes(void) {
#pragma omp parallel
  {
    // CHECK-NEXT: {{^}}section tasks|{{.*}}|[[@LINE+8]]||
    // CHECK-NEXT: {{^}} task
    // CHECK-NEXT: in
    // CHECK-NEXT: {{^}} end task
    // CHECK-NEXT: {{^}}end section
    // CHECK-NEXT: after single
#pragma omp single
    {
#pragma omp task
      puts("in");
    }
    puts("after single");
    // CHECK-NEXT: {{^}}section tasks
    // CHECK-NEXT: {{^}} task
    // CHECK-NEXT: in
    // CHECK-NEXT: {{^}} end task
    // CHECK-NEXT: after master
    // CHECK-NEXT: {{^}}end section
    // CHECK-NEXT: after barrier
#pragma omp master
    {
#pragma omp task
      puts("in");
    }
    puts("after master");
#pragma omp barrier
    puts("after barrier");
    // CHECK-NEXT: {{^}}section tasks
    // CHECK-NEXT: {{^}} task
    // CHECK-NEXT: in
    // CHECK-NEXT: {{^}} end task
    // CHECK-NEXT: after single nowait
    // CHECK-NEXT: {{^}}end section
    // CHECK-NEXT: after parallel
#pragma omp single nowait
    {
#pragma omp task
      puts("in");
    }
    puts("after single nowait");
  }
  puts("after parallel");
}

static void groups(void) {
  // CHECK-NEXT: {{^}}section tasks|{{.*}}|[[@LINE+8]]||
  // CHECK-NEXT: {{^}} task
  // CHECK-NEXT: in
  // CHECK-NEXT: {{^}} end task
  // CHECK-NEXT: {{^}}end section
  // CHECK-NEXT: after group
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task
    puts("in");
  }
  puts("after group");
  // CHECK-NEXT: {{^}}section tasks|{{.*}}|[[@LINE+6]]||collapse(2)
  // CHECK-NEXT: {{^}} task
  // CHECK-NEXT: {{^}} end task
  // CHECK-NEXT: {{^}} task
  // CHECK-NEXT: {{^}} end task
  // CHECK-NEXT: {{^}}end section
#pragma omp parallel master taskloop collapse(2)
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 1; ++j)
      (void)j;
  // CHECK-NEXT: end
  puts("end");
}

int main(void) {
  recursive();
  scopes();
  groups();
  return 0;
}
