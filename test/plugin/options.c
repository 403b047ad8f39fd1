// RUN: not %clang-prophet -fplugin-arg-prophet-openmp -c %s -o %t.o 2>&1 | FileCheck %s

// The plugin has no options yet, and takes none silently.
// CHECK: error: unknown option '-fplugin-arg-prophet-openmp'; this version has none
int main(void) { return 0; }
