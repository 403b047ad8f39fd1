// Tasks share what they write, and are waited for where the serial program has run them.
// RUN: %prophet-rewrite --openmp %s -- -fno-caret-diagnostics > %t.c 2> %t.err
// RUN: grep -v // %t.c | FileCheck %s && FileCheck %s --check-prefix=SAID --implicit-check-not=warning: < %t.err
// RUN: %clang -fopenmp %t.c -o %t %libomp && env OMP_NUM_THREADS=2 %t
// RUN: %gcc -fopenmp %t.c -o %t && env OMP_NUM_THREADS=2 %t
static long fib(int n) {
  long a, b;
  if (n < 2)
    return n;
// CHECK:      #pragma omp task shared(a)
// CHECK-NEXT: a = fib
#pragma prophet task
  a = fib(n - 1);
// CHECK: #pragma omp task firstprivate(n) shared(b)
#pragma prophet task name(second) firstprivate(n)
  b = fib(n - 2);
// CHECK:      #pragma omp taskwait
// CHECK-NEXT: return a + b;
#pragma prophet taskwait
  return a + b;
}
static void increase(int *values, int n) {
  for (int i = 0; i < n; ++i) {
// CHECK:      {{^}}#pragma omp task{{$}}
// CHECK-NEXT: values[i]++;
// CHECK-NEXT: }
// CHECK-NEXT: {{^}}#pragma omp taskwait
// CHECK-NEXT: }
#pragma prophet task
    values[i]++;
  }
}
static int early(int *values) {
#pragma prophet task
  values[0]++;
  if (!values)
    return 1; // SAID-DAG: tasks.c:[[#@LINE]]:5: warning: tasks may still run when this is left here
// CHECK:      {{^}}  #pragma omp taskwait
// CHECK-NEXT: return 2;
  return 2;
}
int main(void) {
  int values[3] = {0}, first, second, sum = 0, largest = 0;
  long r;
// CHECK:      #pragma omp parallel
// CHECK-NEXT: #pragma omp single
// CHECK-NEXT: {
#pragma prophet parallel tasks name(all)
  {
    r = fib(10);
    increase(values, 3);
    early(values);
  }
// CHECK: #pragma omp parallel sections
#pragma prophet parallel sections
  {
    first = 1;
// CHECK: #pragma omp section
#pragma prophet section
    second = 2;
  }
// CHECK: #pragma omp parallel for collapse(2)
#pragma prophet parallel for collapse(2)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
// CHECK: #pragma omp critical(prophet_atomic){{$}}
// SAID-DAG: remark: becomes a critical section, as an atomic elsewhere in the file does
#pragma prophet atomic
      sum += i;
// CHECK: #pragma omp critical(prophet_atomic)
// SAID-DAG: remark: OpenMP has no atomic of this form
#pragma prophet atomic
      largest = i > largest ? i : largest;
    }
  return !(r == 55 && values[0] == 2 && values[2] == 1 && first + second == 3 && sum == 24 && largest == 3);
}
