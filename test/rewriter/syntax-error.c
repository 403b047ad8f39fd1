// RUN: %clang-prophet -fsyntax-only -Xclang -verify %s
// RUN: %prophet-rewrite %s -o %t.c -- -Xclang -verify

// A syntax error is Clang's to report, as if there were no annotation.

int f(int n) {
#pragma prophet parallel for
  for (int i = 0; i < n i++) // expected-error {{expected ';' in 'for' statement specifier}} 
    n += 2;
#pragma prophet critical
  n = (n + 1; // expected-error {{expected ')'}} expected-note {{to match this '('}}
  return n;
} 
