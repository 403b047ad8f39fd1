// REQUIRES: memory-profile, lld
// RUN: rm -rf %t && split-file %s %t && cd %t
// DEFINE: %{flags} =
// DEFINE: %{app} = %clang-prophet -fplugin-arg-prophet-memory -O2 %{flags} -c main.c && \
// DEFINE:   %clang-prophet -fplugin-arg-prophet-memory -O2 %{flags} -c work.c && \
// DEFINE:   %clang-prophet -fplugin-arg-prophet-memory -O2 %{flags} main.o work.o -fuse-ld=lld -o app && \
// DEFINE:   env PROPHET_MEMORY_OUT=app.json ./app && \
// DEFINE:   %python -c "import json; print('calls %%d' %% json.load(open('app.json'))['sites'][0]['flops'])" | FileCheck main.c

// What functions count that the compiler knows to write nothing, or to read nothing, is not lost where
// the linker optimises calls of them.
// RUN: %{app}
// REDEFINE: %{flags} = -flto
// RUN: %{app}
// REDEFINE: %{flags} = -flto=thin
// RUN: %{app}
// Objects for both ways of linking count once either way.
// REDEFINE: %{flags} = -flto -ffat-lto-objects
// RUN: %{app}
// RUN: %clang -fno-lto main.o work.o -o app && env PROPHET_MEMORY_OUT=app.json ./app
// RUN: %python -c "import json; print('calls %%d' %% json.load(open('app.json'))['sites'][0]['flops'])" | FileCheck main.c

//--- work.h
__attribute__((pure)) double sum(double x);
__attribute__((const)) double power(double x);

//--- work.c
#include "work.h"
double numbers[1000] = {1, 2};
__attribute__((noinline)) double sum(double x) {
  for (int i = 0; i < 1000; i++)
    x += numbers[i];
  return x;
}
__attribute__((noinline)) double power(double x) {
  double result = 1;
  for (int i = 0; i < 1000; i++)
    result *= x;
  return result;
}

//--- main.c
// CHECK: calls 5006
#include "work.h"
static volatile double result;
int main(int argc, char **argv) {
  (void)argv;
#pragma prophet parallel for name(calls)
  for (int i = 0; i < 1; i++) {
    double x = sum(argc) + 1;
    x = power(x) + 2;
    x = sum(x) + 3;
    x = power(x) + 4;
    result = x + sum(x + 5);
  }
  return 0;
}
