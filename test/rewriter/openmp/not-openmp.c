// What OpenMP cannot do stays serial and is said; a loop that Clang refuses gives Clang's own error.
// RUN: %prophet-rewrite --openmp %s -- -fno-caret-diagnostics 2>&1 | FileCheck %s
// RUN: not %prophet-rewrite --openmp -o %t.none %s -- -DWORSE 2>&1 | FileCheck %s --check-prefix=WORSE
// RUN: not ls %t.none
int f(int *a, int n) {
// CHECK-DAG: :[[#@LINE+1]]:17: remark: stays serial: it may be left early
#pragma prophet parallel for cancel
  for (int i = 0; i < n; ++i)
    if (a[i])
      break;
// CHECK-DAG: :[[#@LINE+2]]:17: remark: 'nowait' is left out
// CHECK-DAG: {{^}}#pragma omp parallel for{{$}}
#pragma prophet parallel for nowait
  for (int i = 0; i < n; ++i)
    a[i] = 0;
#ifdef WORSE
// WORSE: not-openmp.c:[[#@LINE+2]]:19: error: condition of OpenMP for loop must be a relational comparison
#pragma prophet parallel for
  for (int i = 0; a[i]; ++i)
    a[i] = 0;
#endif
  return 0;
}
