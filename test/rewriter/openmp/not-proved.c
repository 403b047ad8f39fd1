// A variable whose address is known elsewhere, or that is read later, is not made private.
// RUN: %prophet-rewrite --openmp %s -- -fno-caret-diagnostics 2>&1 | FileCheck %s
int g(int *);
int f(int *a, int n) {
  int escapes, later, *p = &escapes;
// CHECK-DAG: warning: all iterations write 'escapes'
// CHECK-DAG: warning: all iterations write 'later'{{.*}}'lastprivate(later)'
// CHECK-DAG: warning: all iterations pass on 'n'
// CHECK-DAG: {{^}}#pragma omp parallel for{{$}}
#pragma prophet parallel for
  for (int i = 0; i < 9; ++i) {
    escapes = a[i];
    later = escapes;
    a[i] = later + g(&n);
  }
  return later + *p;
}
