extern "C" int rows(int n) {
  int sum = 0;
#pragma prophet parallel for name(rows)
  for (int i = 0; i < n; ++i)
    sum += i;
  return sum;
}
