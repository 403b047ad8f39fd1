// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fsyntax-only -Xclang -verify %s

// What no OpenMP compiler takes is an error that spells the pragma as it was written.

int search(const int *a, int n) {
  for (int k = 0; k < n; ++k) {
// expected-note@+1 2 {{the loop is marked here}}
#pragma omp parallel for simd
    for (int i = 0; i < n; ++i) {
      if (a[i] == k)
        return i; // expected-error {{'return' leaves a loop marked '#pragma omp parallel for simd', which then cannot run in parallel}}
      if (a[i] < 0)
        break; // expected-error {{'break' leaves a loop marked '#pragma omp parallel for simd'}}
    }
  }
#pragma omp section // expected-error {{'#pragma omp section' is only allowed directly inside the block of a '#pragma omp sections'}}
  ++n;
#pragma omp sections
  {
    ++n;
    ++n; // expected-error {{'#pragma omp sections' needs a '#pragma omp section' before each statement in its block but the first}}
  }
  // expected-note@+1 {{the statement is marked here}}
#pragma omp task
  return n; // expected-error {{'return' leaves a statement marked '#pragma omp task', which then cannot run as a task}}
  // expected-note@+1 {{the loop is marked here}}
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
    break; // expected-error {{'break' leaves a loop marked '#pragma omp taskloop'}}
  if (n)
#pragma omp taskwait // expected-error {{'#pragma omp taskwait' must stand directly in a block}}
    ++n;
#pragma omp for
  while (n) // expected-error {{'#pragma omp for' must be followed by a 'for' loop}}
    --n;
  return n;
}
