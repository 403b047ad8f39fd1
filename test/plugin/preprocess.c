// RUN: %clang-prophet -E %s | FileCheck %s
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -E %s -o preprocessed.i
// RUN: %clang-prophet -O1 -c preprocessed.i -o from-preprocessed.o
// RUN: %clang-prophet -O1 -c %s -o direct.o
// RUN: cmp from-preprocessed.o direct.o

// Preprocessing alone keeps the pragmas; what it prints compiles to the same object.

#define LOCK _Pragma("prophet critical(sum)")

int f(int n) {
  int i, s = 0;
// CHECK:      #pragma prophet parallel for name(rows) reduction(+:s)
#pragma prophet parallel for name(rows) reduction(+:s)
  for (i = 0; i < n; i++)
// CHECK:      #pragma prophet critical(sum)
// CHECK:      s += i;
    LOCK s += i;
  return s;
}
