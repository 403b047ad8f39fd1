// A task works on the objects themselves, not on copies, also where member functions change them.
// RUN: %prophet-rewrite --openmp %s -- > %t.cpp
// RUN: grep -v // %t.cpp | FileCheck %s
// RUN: %clangxx -fopenmp %t.cpp -o %t %libomp && env OMP_NUM_THREADS=2 %t
#include <algorithm>
#include <vector>
static int f(int n) {
  std::vector<int> v(n, 1), w(n, 2), u(n, 1);
  int c = 0;
// CHECK: #pragma omp task shared(v)
#pragma prophet task
  v[0] = 3;
// CHECK: #pragma omp task shared(w)
#pragma prophet task
  std::fill(w.begin(), w.end(), 7);
// CHECK: #pragma omp task shared(u)
#pragma prophet task
  for (int &x : u)
    x = 5;
// CHECK: #pragma omp task shared(c)
#pragma prophet task
  {
    int &r = c;
    r = 5;
  }
#pragma prophet taskwait
  return v[0] + w[1] + u[1] + c;
}
int main() {
  int r = 0;
#pragma prophet parallel tasks
  r = f(3);
  return r != 20;
}
