// RUN: not %clang-prophet -fplugin-arg-prophet-opnmp -c %s -o %t.o 2>&1 | FileCheck %s

// The plugin takes no option silently that it does not know.
// CHECK: error: unknown option '-fplugin-arg-prophet-opnmp'; known are: openmp, memory
int main(void) { return 0; }
