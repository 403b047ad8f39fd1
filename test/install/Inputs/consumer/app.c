#include <prophet/profile.h>
#include <stdio.h>

int rows(int n);

int main(void) {
  int i, sum = 0;
#pragma prophet parallel for name(calls)
  for (i = 0; i < 3; i++)
    sum += rows(4);
  printf("%d of interface %u\n", sum, prophet_runtime_get_api(1) ? PROPHET_RUNTIME_API_VERSION : 0);
  return sum == 18 ? 0 : 1;
}
