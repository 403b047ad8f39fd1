// RUN: rm -rf %t && split-file %s %t && cd %t
// DEFINE: %{flags} =
// DEFINE: %{app} = %clang-prophet -O2 %{flags} -c main.c && %clang-prophet -O2 %{flags} -c work.c && \
// DEFINE:   %clang-prophet -O2 %{flags} main.o work.o -o app && rm -f app.json && env PROPHET_OUT=app.json ./app && \
// DEFINE:   python3 %S/../runtime/Inputs/show_tree.py app.json --without-u | FileCheck main.c

// A program of several files is recorded alike whatever its linker optimises.
// RUN: %{app}
// REDEFINE: %{flags} = -flto -fuse-ld=lld
// RUN: %if lld %{ %{app} %}
// REDEFINE: %{flags} = -flto=thin -fuse-ld=lld
// RUN: %if lld %{ %{app} %}
// REDEFINE: %{flags} = -flto
// RUN: %if linker-plugin %{ %{app} %}
// REDEFINE: %{flags} = -flto=thin
// RUN: %if linker-plugin %{ %{app} %}

//--- work.h
int work(int i);

//--- work.c
#include "work.h"
int work(int i) {
  static volatile int total;
#pragma prophet critical(total)
  total += i;
  return total;
}

//--- main.c
// CHECK: complete: true
// CHECK-NEXT: events: 14
// CHECK-NEXT: tree: root[outer[3*task[L(total)]]]
#include "work.h"
int main(void) {
#pragma prophet parallel for name(outer)
  for (int i = 0; i < 3; i++)
    work(i);
  return 0;
}
