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
#pragma omp for
  while (n) // expected-error {{'#pragma omp for' must be followed by a 'for' loop}}
    --n;
  return n;
}
