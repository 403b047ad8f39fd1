// RUN: not %clang-prophet -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %prophet-rewrite %s -- 2>&1 | FileCheck %s

// The file ends inside an annotated statement, without even a line end.
// CHECK: end-of-file.c:9:23: error: expected '}'

int f(int n) {
#pragma prophet critical
  { n++; if (n) { n++;