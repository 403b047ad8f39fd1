// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 %s -o app
// RUN: env PROPHET_MEMORY_OUT=app.json ./app && %python %S/Inputs/show_memory.py app.json | FileCheck %s
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 -g %s -o app
// RUN: env PROPHET_MEMORY_OUT=app.json ./app && %python %S/Inputs/show_memory.py app.json | FileCheck %s

// Calls that functions end with remain jumps, so that deep recursion by them needs no stack; and what
// has been counted before them is not lost.
// CHECK:      recursion executions=1 reads={{600000[0-2]}} writes={{600000[0-2]}}
// CHECK:      interpreter executions=1 reads={{1500000[0-9]}} writes={{500000[0-3]}}
#include <stdio.h>

static long numbers[16];
long odd(long n);
__attribute__((noinline)) long even(long n) {
  numbers[n & 15]++;
  if (n == 0)
    return numbers[3];
  return odd(n - 1);
}
__attribute__((noinline)) long odd(long n) {
  numbers[n & 15] += 2;
  if (n == 0)
    return numbers[4];
  return even(n - 1);
}

typedef void operation(long *sum, const unsigned char *code, long n);
operation add, back;
static operation *volatile table[2] = {add, back};
void add(long *sum, const unsigned char *code, long n) {
  *sum += n;
  if (n == 0)
    return;
  table[code[1]](sum, code + 1, n - 1);
}
void back(long *sum, const unsigned char *code, long n) {
  *sum -= n;
  if (n == 0)
    return;
  table[code[-8]](sum, code - 8, n - 1);
}

int main(void) {
  static unsigned char code[32];
  long sum = 0;
#pragma prophet parallel for name(recursion)
  for (int i = 0; i < 1; i++)
    even(6000000);
  code[20] = 1;
#pragma prophet parallel for name(interpreter)
  for (int i = 0; i < 1; i++)
    table[0](&sum, code + 12, 5000000);
  return numbers[5] == sum;
}
