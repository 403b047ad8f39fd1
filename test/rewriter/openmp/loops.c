// Only the annotations' lines change; comments, continued lines and everything else stay.
// RUN: %prophet-rewrite --openmp %s -- > %t.c
// RUN: FileCheck %s --strict-whitespace < %t.c
// RUN: grep -vi pragma %s | sed "s/^  for$//" > %t.before && grep -vi pragma %t.c > %t.after && diff %t.before %t.after
// RUN: %clang -fopenmp -fsyntax-only -Werror %t.c && %gcc -fopenmp -fsyntax-only -Werror %t.c

void scale(double *a, double factor, int n) {
// CHECK: {{^}}#pragma omp parallel for num_threads(4) firstprivate(factor){{$}}
#pragma prophet parallel for name(scale) firstprivate(factor) num_threads(4)
  for (int i = 0; i < n; ++i)
    a[i] *= factor;
// CHECK: {{^}}  #pragma omp parallel for schedule(static, 4) /* in chunks */{{$}}
  #  pragma prophet parallel for schedule(static, 4) /* in chunks */
  for (int i = 0; i < n; ++i)
    a[i] += 1;
// CHECK:      {{^}}#pragma omp parallel for{{$}}
// CHECK-EMPTY:
// CHECK-NEXT: for (int i
#pragma prophet parallel \
  for
  for (int i = 0; i < n; ++i)
    a[i] -= 1;
// CHECK: {{^}}  _Pragma("omp parallel for") for (int i
  _Pragma("prophet parallel for") for (int i = 0; i < n; ++i)
    a[i] -= 1;
}
