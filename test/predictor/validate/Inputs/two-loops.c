#include <stdio.h>
#include <stdlib.h>

#define LOOPS 40
static double sums[LOOPS];

static double work(long n) {
  double x = 1;
  for (long i = 0; i < n; ++i)
    x = x * 0.999 + 1;
  return x;
}

int main(int count, char **words) {
  const long n = count > 1 ? atol(words[1]) : 2000;
  if (n < 0)
    return 3;
  for (int round = 0; round < 3; ++round) {
#pragma prophet parallel for name(first)
    for (int i = 0; i < LOOPS; ++i)
      sums[i] = work(n);
#pragma prophet parallel for name(outer)
    for (int i = 0; i < LOOPS; ++i) {
      double sum = 0;
#pragma prophet parallel for name(inner) reduction(+ : sum)
      for (int j = 0; j < 4; ++j)
        sum += work(n);
      sums[i] += sum;
    }
  }
  double all = 0;
  for (int i = 0; i < LOOPS; ++i)
    all += sums[i];
  printf("sum %.6g\n", all);
  return 0;
}
