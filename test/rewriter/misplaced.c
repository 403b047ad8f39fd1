// RUN: %clang-prophet -fsyntax-only -Xclang -verify %s
// RUN: %prophet-rewrite %s -o %t.c -- -Xclang -verify

// An annotation that has no statement of its own is an error, wherever it stands.

#pragma prophet critical // expected-error {{'#pragma prophet critical' is only allowed inside a function}}
int x;

int needsAFor(int n) {
#pragma prophet parallel for
  while (n--) // expected-error {{'#pragma prophet parallel for' must be followed by a 'for' loop}}
    ;
#pragma prophet parallel for
#pragma prophet critical
  for (int i = 0; i < n; i++) // expected-error {{'#pragma prophet parallel for' must be followed by a 'for' loop}}
    ;
  return n;
}

void atTheEnd(int n) {
  if (n) {
    n++;
#pragma prophet critical
  } // expected-error {{'#pragma prophet critical' must be followed by a statement}}
}

void beforeElse(int n) {
  if (n)
#pragma prophet critical(a)
    n++;
#pragma prophet critical(b)
  else // expected-error {{'#pragma prophet critical' must be followed by a statement}}
    n--;
}

struct Fields {
  int a;
#pragma prophet critical // expected-error {{'#pragma prophet critical' is only allowed inside a function}}
  int b;
};

void insideAStatement(int n) {
#pragma prophet critical
  n = n +
#pragma prophet critical // expected-error {{'#pragma prophet critical' must stand before a statement, not inside one}}
      1;
}

int declares(int n) {
#pragma prophet critical
  int y = n; // expected-error {{a declaration cannot be the statement of '#pragma prophet critical'; annotate a block that also uses what is declared}}
#pragma prophet parallel for
  for (int i = 0; i < n; i++)
    int z = i; // expected-error {{a declaration cannot be the statement of '#pragma prophet parallel for'}}
  return 0;
}
