// RUN: %clang-prophet -fsyntax-only -Xclang -verify=list -DLIST %s
// RUN: %clang-prophet -fsyntax-only -Xclang -verify=enum -DENUM %s
// RUN: %clang-prophet -fsyntax-only -Xclang -verify=try -DTRY --target=x86_64-pc-windows-msvc %s
// RUN: %clang-prophet -fsyntax-only -Xclang -verify=into -DINTO %s
// RUN: %clang-prophet -fsyntax-only -Xclang -verify=into -DSWITCH %s

// Where Clang has nothing to complain of, an annotation that has no effect is an error all the same.

int f(int n) {
#ifdef LIST
  int a[] = {
#pragma prophet critical // list-error {{'#pragma prophet critical' cannot be applied here: no statement follows it that could be read; move it directly before its statement}}
      1, 2};
  n += a[0];
#endif
#ifdef ENUM
  enum {
#pragma prophet critical // enum-error {{cannot be applied here}}
    A
  };
  n += A;
#endif
#ifdef TRY
#pragma prophet critical // try-error {{cannot be applied here}}
  __try {
    n++;
  } __finally {
    n--;
  }
#endif
#ifdef INTO
  goto inside; // into-error {{cannot jump from this goto statement to its label}}
#pragma prophet critical
  { // into-note {{jump bypasses initialization of variable with __attribute__((cleanup))}}
  inside:
    n++;
  }
#endif
#ifdef SWITCH
  switch (n) {
#pragma prophet critical
  { // into-note {{jump bypasses initialization of variable with __attribute__((cleanup))}}
  case 1: // into-error {{cannot jump from switch statement to this case label}}
    n++;
  }
  }
#endif
  return n;
}
