// What parts that run at the same time share is said: sections, and tasks before a taskwait.
// RUN: %prophet-rewrite --openmp %s -- -fno-caret-diagnostics 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning:
struct S {
  int a, b;
};
int fib(int n) {
  int a, b, c = 0;
  if (n < 2)
    return n;
#pragma prophet task
  a = fib(n - 1);
#pragma prophet task
  b = fib(n - 2);
  // CHECK-DAG: :[[#@LINE+1]]:7: warning: 'a' is used here while the task of line 10 may still run
  c = a;
#pragma prophet taskwait
  c += a + b;
#pragma prophet task
  a = c;
  // CHECK-DAG: :[[#@LINE+2]]:7: warning: 'a' is used here and by the task of line 18
#pragma prophet task
  b = a;
#pragma prophet taskwait
  for (int i = 0; i < n; ++i) {
    int own;
#pragma prophet task
    {
      own = i;
#pragma prophet critical
      b += own;
      // CHECK-DAG: :[[#@LINE+1]]:7: warning: 'c' is used here and by the task of line 36
      c += own;
    }
#pragma prophet taskwait
    own = 0;
#pragma prophet task
    c += i;
  }
#pragma prophet taskwait
  return b + c;
}
int parts(int n) {
  int v = 0, sum = 0;
  struct S s;
#pragma prophet parallel tasks
  fib(n);
#pragma prophet parallel sections
  {
#pragma prophet section
    {
      v = n;
      s.a = n;
#pragma prophet critical
      sum += n;
    }
#pragma prophet section
    {
      // CHECK-DAG: :[[#@LINE+1]]:17: warning: 'v' is used here and in line 51, in another part
      s.b = n + v;
#pragma prophet critical
      sum += n;
    }
  }
#pragma prophet parallel for
  for (int i = 0; i < n; ++i)
    if (i % 3 == 0)
      // CHECK-DAG: :[[#@LINE+1]]:7: warning: the loop's body may change its variable 'i'
      i++;
  return sum + s.a + s.b;
}
