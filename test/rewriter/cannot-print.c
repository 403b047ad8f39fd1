// RUN: %clang-prophet -fsyntax-only -Werror -Wall %s
// RUN: %clang-prophet -fsyntax-only -Werror -Wall -DHEADER %s
// RUN: not %prophet-rewrite %s -o %t.c -- 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: not %prophet-rewrite %s -o %t.c -- -DHEADER 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not ls %t.c
// RUN: not %prophet-rewrite %s %s -- 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %prophet-rewrite %t-none.c -- 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %prophet-rewrite %s -o %t-none/out.c -- -DPLAIN 2>&1 | FileCheck %s --check-prefix=OUTPUT

// What only the plugin can do, prophet-rewrite refuses by name.

// HEADER: Inputs/annotated.h:2:17: error: '#pragma prophet critical' stands in an included file, and only the main file is rewritten; compile with the plugin instead
// HEADER-NOT: error:
// TWO: prophet-rewrite: one source file at a time
// NONE: prophet-rewrite: '{{.*}}none.c' does not exist; name the source file before --
// OUTPUT: prophet-rewrite: cannot write '{{.*}}out.c': {{.*}}
// TWO-NOT: {{.}}
// NONE-NOT: {{.}}
// OUTPUT-NOT: {{.}}

#ifdef HEADER
#include "Inputs/annotated.h"
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
