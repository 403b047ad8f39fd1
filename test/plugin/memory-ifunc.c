// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 -static %s -o app -L%libdir -lprophet-memory
// RUN: env PROPHET_MEMORY_OUT=app.json ./app && %python %S/Inputs/show_memory.py app.json | FileCheck %s
// What chooses between definitions of a function runs in static programs before there are thread-local
// variables: so it, what it calls, and what says that it is to be left alone, counts nothing.
// CHECK: chosen executions=1 reads=64 writes=0
#include <stdio.h>

static volatile int numbers[64];

__attribute__((noinline, disable_sanitizer_instrumentation)) static int told(int (*unknown)(int), int i) {
  return unknown(i);
}
__attribute__((noinline, disable_sanitizer_instrumentation)) static int elsewhere(int i) {
  return numbers[i];
}
__attribute__((noinline)) static int deeper(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += numbers[i]++;
  return sum;
}
__attribute__((noinline)) static int detect(int n) { return numbers[3] + deeper(n); }

static int first(int i) { return numbers[i]; }
static int second(int i) { return numbers[i] + 1; }
static int (*choose(void))(int) { return detect(64) + told(elsewhere, 7) > 1 ? second : first; }
int chosen(int i) __attribute__((ifunc("choose")));

int main(void) {
  int sum = 0;
#pragma prophet parallel for name(chosen)
  for (int i = 0; i < 64; i++)
    sum += chosen(i);
  return sum != 64;
}
