// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fsyntax-only -Xclang -verify %s
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fsyntax-only -Werror -Wno-backend-plugin %s
// RUN: %clang-prophet -fplugin-arg-prophet-openmp -fsyntax-only -Werror -w %s
// RUN: not %clang-prophet -fplugin-arg-prophet-openmp -fopenmp -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %clang-prophet -fsyntax-only -Werror %s

// What has no meaning for the profile is named at its place; one group switches that off.
// CHECK: error: OpenMP pragmas are profiled in the serial program; compile without '-fopenmp'

int omp_get_thread_num(void);
void orphaned(void);

int main(void) {
  int s = 0;
// expected-warning@+1 {{the work of this '#pragma omp parallel' is shared out by hand, which the serial profile cannot see}}
#pragma omp parallel
  s += omp_get_thread_num();
// expected-warning@+1 {{the work of this '#pragma omp parallel' is shared out by hand}}
#pragma omp parallel
  while (s < 9) {
#pragma omp critical
    ++s;
  }
#pragma omp parallel
  orphaned();
#pragma omp parallel
  {
#pragma omp single
    {
// expected-warning@+1 {{clause 'depend' of '#pragma omp task' is not modelled; tasks are taken to be independent}}
#pragma omp task depend(in : s)
      s += omp_get_thread_num();
    }
  }
// expected-warning@+1 {{clause 'ordered' of '#pragma omp parallel for' is not modelled; iterations}}
#pragma omp parallel for ordered
  for (int i = 0; i < 2; ++i) {
// expected-warning@+1 {{'#pragma omp ordered' is not modelled}}
#pragma omp ordered
    s += i;
  }
// expected-warning@+1 {{unknown directive 'paralel' after '#pragma omp' is ignored; did you mean 'parallel'?}}
#pragma omp paralel for
  for (int i = 0; i < 2; ++i)
    s += i;
// expected-warning@+1 {{unknown clause 'nowiat' of '#pragma omp for' is ignored; did you mean 'nowait'?}}
#pragma omp for private(s) nowiat
  for (int i = 0; i < 2; ++i)
    s += i;
  return s;
}
