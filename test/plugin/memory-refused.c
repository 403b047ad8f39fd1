// UNSUPPORTED: memory-profile
// Clangs without the classes that the memory profile's pass is written for refuse its option.
// RUN: not %clang-prophet -fplugin-arg-prophet-memory -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o
// CHECK: error: -fplugin-arg-prophet-memory needs Clang 17 or newer, and this is 1{{[456]$}}
int main(void) { return 0; }
