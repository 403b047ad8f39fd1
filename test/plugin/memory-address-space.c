// Where 'ulimit -v' leaves too little for the profile and the program, the program has all of it, and
// that is said.
// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O1 %s -o app
// RUN: sh -c 'for limit in 240000 200000 140000 130000 120000 110000 100000 80000; do ulimit -v $limit && ./app || exit 1; done' 2>&1 | FileCheck %s
// RUN: not test -e app.prophet-memory.json
// CHECK-COUNT-8: prophet: not measuring memory: the address space is too small; raise 'ulimit -v'
// RUN: sh -c 'ulimit -v 1000000; ./app' && test -s app.prophet-memory.json
#include <stdlib.h>

int main(void) {
  const int size = 1000;
  double *numbers = calloc(size * size, sizeof *numbers); // 8 MB
  if (!numbers)
    return 1;
#pragma prophet parallel for name(rows)
  for (int i = 0; i < size; ++i)
    numbers[i * size] = i;
  return numbers[size] == 1 ? 0 : 1;
}
