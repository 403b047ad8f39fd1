// REQUIRES: other-clang
// RUN: not %other-clang -fplugin=%plugin -c %s -o %t.o 2>&1 | FileCheck -DMAJOR=%llvm-major %s

// A clang of another version is told so instead of crashing.

// CHECK: error: the prophet plugin was built for clang [[MAJOR]].{{[0-9]+}} and cannot be loaded into '{{.*}}clang version {{.*}}'; compile with clang-[[MAJOR]]{{$}}
// CHECK-NOT: {{.}}
int main(void) { return 0; }
