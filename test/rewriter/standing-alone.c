// RUN: %clang-prophet -fsyntax-only -Xclang -verify %s
// RUN: %prophet-rewrite %s -o %t.c -- -Xclang -verify

// What stands alone may not become the body of an `if` or a loop; an atomic is one expression.

void alone(int n) {
  if (n)
#pragma prophet taskwait // expected-error {{'#pragma prophet taskwait' must stand directly in a block; put it and the statement around it in braces}}
    n++;
#pragma prophet critical
  while (n--)
#pragma prophet pause // expected-error {{'#pragma prophet pause' must stand directly in a block}}
    n++;
  if (n)
  label:
#pragma prophet resume // expected-error {{'#pragma prophet resume' must stand directly in a block}}
    n++;
  switch (n) {
  case 1:
#pragma prophet taskwait
  case 2:
#pragma prophet pause
    n++;
  }
#pragma prophet barrier // expected-error {{'#pragma prophet barrier' is not supported: the end of a construct is a barrier, so end the construct here and begin another one}}
  if (n == 3)
    goto label;
#pragma prophet parallel for
  for (int i = 0; i < n; i++)
#pragma prophet taskwait // expected-error {{'#pragma prophet taskwait' must stand directly in a block}}
    n--;
}

void atomic(int n) {
#pragma prophet atomic
  if (n) // expected-error {{'#pragma prophet atomic' must be followed by an expression statement; any other can be 'critical'}}
    n++;
#pragma prophet atomic
  return; // expected-error {{'#pragma prophet atomic' must be followed by an expression statement}}
}
