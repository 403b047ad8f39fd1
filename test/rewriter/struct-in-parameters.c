// An annotation in a struct that a parameter list defines, left open at the file's end, is an error
// and nothing worse.
// RUN: not %clang-prophet -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck %s
// RUN: not %prophet-rewrite %s -- -ferror-limit=0 2>&1 | FileCheck %s

// CHECK: struct-in-parameters.c:[[#@LINE+4]]:17: error: '#pragma prophet critical' is only allowed inside a function
// CHECK-NOT: Stack dump
int more(struct S { void);
#include <stdio.h>
#pragma prophet critical(early)
