// Annotations in a precompiled header and in a module keep their own clauses: the early exit below
// is allowed there, and no business of the annotations in this file.

// RUN: rm -rf %t && mkdir -p %t/module && cd %t
// RUN: %clangxx-prophet -x c++-header %S/Inputs/early_exit.h -o early_exit.pch
// RUN: %clangxx-prophet -include-pch early_exit.pch -O0 -S -emit-llvm %s -o - | FileCheck %s

// RUN: cp %S/Inputs/early_exit.h module
// RUN: echo 'module Early { header "early_exit.h" export * }' > module/module.modulemap
// RUN: %clangxx-prophet -fmodules -fcxx-modules -fmodules-cache-path=cache -Imodule \
// RUN:   -include early_exit.h -O0 -S -emit-llvm %s -o - | FileCheck %s

// CHECK-DAG: c"parallel_for|{{.*}}early_exit.h|4|early|cancel\00"
// CHECK-DAG: c"parallel_for|{{.*}}precompiled.cpp|[[#@LINE+2]]|main|\00"
void f(int n) {
#pragma prophet parallel for name(main)
  for (int i = 0; i < n; ++i)
    early_exit(i);
}
