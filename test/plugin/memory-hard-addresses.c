// REQUIRES: memory-profile
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 -c %s -o %t.o
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O0 -c %s -o %t.o

// Addresses that are computed of much, or of what no processor computes, end neither the compiler nor its patience.

double gather(unsigned long n, const double *from, const unsigned long *sizes) {
  double sum = 0;
  unsigned long first = sizes[0], second = sizes[1], third = sizes[2];
#pragma prophet parallel for
  for (unsigned long i = 0; i < n; i++) {
    unsigned long at = i;
#pragma clang loop unroll(full)
    for (int k = 0; k < 30; k++)
      at = (at + 7 + k) % (k % 3 == 0 ? first : k % 3 == 1 ? second : third);
    sum += from[at];
  }
  return sum;
}

double never(int i, const double *from) {
  if (i < 0)
    return from[i / 0u];
  return from[i];
}
