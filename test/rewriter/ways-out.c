// RUN: %clang-prophet -fsyntax-only -Xclang -verify %s
// RUN: %clangxx-prophet -xc++ -fsyntax-only -Xclang -verify %s
// RUN: %prophet-rewrite %s -o %t.c -- -Xclang -verify

// Sections and tasks that are left by a jump could not run in parallel.

int sections(int n) {
  while (n) {
#pragma prophet parallel sections // expected-note 3 {{the block is marked here}}
    {
      if (n == 1)
        return 1; // expected-error {{'return' leaves a block marked '#pragma prophet parallel sections', which then cannot run in parallel; the clause 'cancel' allows it}}
#pragma prophet section
      if (n == 2)
        break; // expected-error {{'break' leaves a block}}
#pragma prophet section
      {
        while (n--)
          if (n == 3)
            break;
          else
            continue;
        continue; // expected-error {{'continue' leaves a block}}
      }
    }
#pragma prophet parallel sections cancel
    {
#pragma prophet section
      if (n)
        break;
      else
        return 2;
    }
  }
  return 0;
}

int tasks(int n) {
#pragma prophet parallel tasks // expected-note {{the block is marked here}}
  {
    for (;;) {
#pragma prophet task // expected-note 3 {{the statement is marked here}}
      {
        if (n == 1)
          break; // expected-error {{'break' leaves a statement marked '#pragma prophet task', which then cannot run as a task}}
        if (n == 2)
          return 2; // expected-error {{'return' leaves a statement}}
        if (n == 3)
          goto inside; // expected-error {{'goto' leaves a statement}}
        switch (n) {
        case 4:
          break;
        }
      }
      break;
    }
  inside:
    if (n == 5)
      return n; // expected-error {{'return' leaves a block marked '#pragma prophet parallel tasks', which then cannot run in parallel; the clause 'cancel' allows it}}
  }
#pragma prophet parallel tasks cancel
  {
    if (n == 6)
      return 6;
  }
  return 0;
}

int collapsed(int n) {
  int i, j, k;
#pragma prophet parallel for collapse(2) // expected-note 2 {{the loop is marked here}}
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      if (j == 1)
        continue;
      for (k = 0; k < n; k++)
        break;
      if (j == 2)
        break; // expected-error {{'break' leaves a loop}}
      if (j == 3)
        goto out; // expected-error {{'goto' leaves a loop}}
    }
out:
  return 0;
}
