// RUN: %clang-prophet -fsyntax-only -Xclang -verify %s
// RUN: %prophet-rewrite %s -o %t.c -- -Xclang -verify

// Sections stand in their block, and collapsed loops in each other, with nothing between.

void sections(int n) {
#pragma prophet section // expected-error {{'#pragma prophet section' is only allowed directly inside the block of a '#pragma prophet parallel sections'}}
  n++;
#pragma prophet parallel sections
  n++; // expected-error {{'#pragma prophet parallel sections' must be followed by a block of sections}}
#pragma prophet parallel sections
  {
    n++;
    n--; // expected-error {{'#pragma prophet parallel sections' needs a '#pragma prophet section' before each statement in its block but the first; put one here}}
  }
#pragma prophet parallel sections
  {
    n++;
#pragma prophet section
    {
#pragma prophet section // expected-error {{'#pragma prophet section' is only allowed directly inside the block}}
      n--;
    }
  }
#pragma prophet parallel sections
  {
#pragma prophet section
  } // expected-error {{'#pragma prophet section' must be followed by a statement}}
}

void collapsed(int n) {
#pragma prophet parallel for collapse(2)
  for (int i = 0; i < n; i++) {
    n--; // expected-error {{'#pragma prophet parallel for' with 'collapse(2)' needs 2 'for' loops directly inside each other}}
    for (int j = 0; j < n; j++)
      ;
  }
#pragma prophet parallel for collapse(3)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++)
        ;
      n--; // expected-error {{needs 3 'for' loops directly inside each other}}
    }
#pragma prophet parallel for collapse(2)
  for (int i = 0; i < n; i++)
#pragma prophet parallel for
    for (int j = 0; j < n; j++) // expected-error {{needs 2 'for' loops directly inside each other}}
      ;
}
