// A variable that a reference in the loop's body may change is named; one that it only reads is not.
// RUN: %prophet-rewrite --openmp %s -- -fno-caret-diagnostics 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning:
int f(const int *a, int n) {
  int sum = 0, seen = 0;
#pragma prophet parallel for reduction(+ : seen)
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[#@LINE+1]]:20: warning: all iterations pass on 'sum'
    int &changed = sum;
    changed += a[i];
    const int &read = n;
    seen += read;
  }
  return sum + seen;
}
