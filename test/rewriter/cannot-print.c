// RUN: %clang-prophet -fsyntax-only -Werror -Wall %s
// RUN: %clang-prophet -fsyntax-only -Werror -Wall -DHEADER %s
// RUN: not %prophet-rewrite %s -o %t.c -- 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: not %prophet-rewrite %s -o %t.c -- -DHEADER 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not %prophet-rewrite %s -o %t.c -- -DPLAIN -include %S/Inputs/once.h 2>&1 | FileCheck %s --check-prefix=FORCED
// RUN: not ls %t.c
// RUN: not %prophet-rewrite %s %s -- 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %prophet-rewrite %t-none.c -- 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %prophet-rewrite %s -o %t-none/out.c -- -DPLAIN 2>&1 | FileCheck %s --check-prefix=OUTPUT

// What only the plugin can do, prophet-rewrite refuses by name.

// AGAIN: Inputs/once.h:1:1: error: this file holds annotations and is included again, where '#pragma once' could not keep it out of the rewritten source; give it an include guard
// FORCED: Inputs/once.h:1:1: error: this file holds annotations, and no '#include' that could be replaced by it; compile with the plugin instead
// TWO: prophet-rewrite: one source file at a time
// NONE: prophet-rewrite: '{{.*}}none.c' does not exist; name the source file before --
// OUTPUT: prophet-rewrite: cannot write '{{.*}}out.c': {{.*}}
// TWO-NOT: {{.}}
// NONE-NOT: {{.}}
// OUTPUT-NOT: {{.}}

#ifdef HEADER
#include "Inputs/once.h"
#include "Inputs/once.h"
#endif

#define HINTED(i, n) _Pragma("prophet parallel for") _Pragma("unroll") for (int i = 0; i < (n); i++)

#ifndef PLAIN
int f(int n);
int f(int n) {
#ifdef HEADER
  return locked(n);
#else
  // MACRO: cannot-print.c:[[#@LINE+1]]:3: error: this macro expands to an annotation and to another pragma, which the rewritten source would lose; compile with the plugin instead
  HINTED(i, n)
    n--;
  return n;
#endif
}
#endif
