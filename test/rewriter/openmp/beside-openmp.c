// Where an OpenMP pragma of the same meaning stands beside the annotation, it stays, clauses and all.
// RUN: echo '{"sites": [{"file": "beside-openmp.c", "line": 10, "schedule": "dynamic,4"}]}' > %t.plan
// RUN: %prophet-rewrite --openmp --plan=%t.plan %s -- 2>&1 | grep -v // | FileCheck %s
int f(int *a, int n) {
  int sum = 0;
// CHECK:      int sum
// CHECK-EMPTY:
// CHECK-NEXT: #pragma omp parallel for reduction(+ : sum) schedule(dynamic,4) if(n > 9)
// CHECK-NEXT: for
#pragma prophet parallel for
#pragma omp parallel for reduction(+ : sum) schedule(runtime) if(n > 9)
  for (int i = 0; i < n; ++i) {
    sum += a[i];
// CHECK:      #pragma omp critical(x)
// CHECK-EMPTY:
// CHECK-NEXT: a[0]++
#pragma omp critical(x)
#pragma prophet critical(x)
    a[0]++;
  }
  return sum;
}
