#include <stdio.h>
int main(void) {
  static double a[1000];
  for (int k = 1; k <= 1000; k += 999) {
#pragma prophet parallel for
    for (int i = 0; i < k; ++i)
      a[i] += i;
  }
#pragma prophet parallel for
  for (int i = 0; i < 2; ++i)
    a[i] += 1;
#pragma prophet parallel for
  for (int i = 0; i < 1000; ++i)
    a[i] += 1;
  printf("%g\n", a[999]);
  return 0;
}
