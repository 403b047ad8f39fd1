// What iterations share is said at its line, with the clause that is likely missing.
// RUN: %prophet-rewrite --openmp %s -- -fno-caret-diagnostics 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning:
int counter, rand(void);
static int state;
static int next(void) { return ++state; }
struct S {
  double total, *v;
};

double f(double *a, const int *index, int *histogram, struct S *s, int n) {
  double sum = 0, biggest = 0, last, t, scratch[9];
  int found = 0;
#pragma prophet parallel for
  for (int i = 0; i < n; ++i) {
    t = a[i]; // proved private
    // CHECK: :[[#@LINE+1]]:5: warning: all iterations write 'sum'{{.*}}'reduction(+ : sum)'
    sum += t;
    // CHECK: :[[#@LINE+1]]:22: warning: all iterations write 'biggest'{{.*}}'reduction(max : biggest)'
    if (t > biggest) biggest = t;
    // CHECK: :[[#@LINE+1]]:5: warning: all iterations write 'last'{{.*}}'lastprivate(last)'
    last = t;
    // CHECK: :[[#@LINE+1]]:16: warning: all iterations write 'found'{{.*}}(private, lastprivate, reduction)
    if (t < 0) found = 1;
    // CHECK: :[[#@LINE+1]]:5: warning: all iterations write 'counter'{{.*}}'reduction(+ : counter)'
    counter++;
    // CHECK: :[[#@LINE+2]]:7: warning: all iterations write 'scratch[j]', which is the same place
    for (int j = 0; j < 9; ++j)
      scratch[j] = t;
    // CHECK: :[[#@LINE+1]]:5: warning: two iterations may write the same element 'histogram[index[i]]'
    histogram[index[i]]++;
    // CHECK: :[[#@LINE+1]]:8: warning: all iterations write 's->total', which is the same place
    s->total += t;
    // CHECK: :[[#@LINE+1]]:15: warning: 'next' writes 'state'
    s->v[i] = next();
    // CHECK: :[[#@LINE+2]]:5: warning: 'a[i]' is written by one iteration, and 'a[i - 1]' is used by it
    // CHECK: :[[#@LINE+1]]:12: warning: 'rand' keeps state
    a[i] = rand() + a[i - 1];
#pragma prophet critical
    state += i; // protected
  }
  return sum + biggest + last + found;
}
