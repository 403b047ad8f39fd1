// Variables that are proved to be private, and the last value of a loop's variable, become clauses.
// RUN: %prophet-rewrite --openmp %s -- 2>&1 | grep -v // | FileCheck %s --implicit-check-not=warning:
int everywhere;
double f(double *a, int n, int m) {
  int i, j;
  double t, *row;
// CHECK: #pragma omp parallel for private(row, t, j)
#pragma prophet parallel for
  for (i = 0; i < n; ++i) {
    row = a + i * m;
    t = 0;
    for (j = 0; j < m; ++j)
      t += row[j];
    row[0] = t;
  }
  for (j = 0; j < m; ++j)
    a[j] = 0;
// CHECK: #pragma omp parallel for lastprivate(i)
#pragma prophet parallel for
  for (i = 0; i < n; ++i)
    a[i] = 1;
  a[0] = i;
// CHECK: #pragma omp parallel for collapse(2) lastprivate(i, j)
#pragma prophet parallel for collapse(2)
  for (i = 0; i < n; ++i)
    for (j = 0; j < m; ++j)
      a[i * m + j] = 1;
  a[1] = i + j;
  int k, *end = &k;
// CHECK: #pragma omp parallel for lastprivate(k)
#pragma prophet parallel for
  for (k = 0; k < n; ++k)
    a[k] = 1;
  a[2] = *end;
// CHECK: #pragma omp parallel for lastprivate(everywhere)
#pragma prophet parallel for
  for (everywhere = 0; everywhere < n; ++everywhere)
    a[everywhere] = 1;
  return *end;
}
