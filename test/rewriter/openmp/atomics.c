// Atomics are OpenMP's where only their own variable is touched; all others exclude each other.
// RUN: %prophet-rewrite --openmp %s -- 2>&1 | grep -v // | FileCheck %s
// RUN: %prophet-rewrite --openmp %s -- -fno-caret-diagnostics -DMORE 2>/dev/null | grep -v // | FileCheck %s --check-prefix=MORE
// MORE-NOT: omp atomic
int x;
void f(int *a, int k) {
// CHECK: #pragma omp atomic{{$}}
// MORE:  #pragma omp critical(prophet_atomic)
#pragma prophet atomic
  x += k;
// CHECK: #pragma omp atomic write
// MORE:  #pragma omp critical(prophet_atomic)
#pragma prophet atomic
  a[0] = k;
#ifdef MORE
// MORE:  #pragma omp critical(prophet_atomic)
#pragma prophet atomic
  k = x++;
// MORE:  #pragma omp critical(prophet_atomic)
#pragma prophet atomic
  a[k] = x;
#endif
}
