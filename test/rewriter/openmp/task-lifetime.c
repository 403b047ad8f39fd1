// A variable whose block ends before the task, and tasks that no team takes, are said.
// RUN: %prophet-rewrite --openmp %s -- -fno-caret-diagnostics 2>&1 | FileCheck %s
void use(int *p);
static void f(void) {
  for (int i = 0; i < 3; ++i) {
    int own = i;
// CHECK-DAG: :[[#@LINE+3]]:10: warning: 'own' may be gone when the task uses it
// CHECK-DAG: :[[#@LINE+1]]:17: warning: no other thread takes these tasks; put the call of 'f' in line 14
#pragma prophet task
    use(&own);
// CHECK-DAG: {{^}}#pragma omp task shared(own)
  }
}
void g(void) { f(); }
