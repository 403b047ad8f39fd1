// RUN: %clang-prophet -fsyntax-only -Xclang -verify %s
// RUN: %clangxx-prophet -xc++ -fsyntax-only -Xclang -verify %s
// RUN: %prophet-rewrite %s -o %t.c -- -Xclang -verify

// A parallel loop cannot be left early. The error stands at the statement that does.

int leaves(int n) {
  int i, j;
#pragma prophet parallel for // expected-note 4 {{the loop is marked here}}
  for (i = 0; i < n; i++) {
    if (i == 1)
      break; // expected-error {{'break' leaves a loop marked '#pragma prophet parallel for', which then cannot run in parallel; the clause 'cancel' allows it}}
    if (i == 2)
      return i; // expected-error {{'return' leaves a loop}}
    if (i == 3)
      goto out; // expected-error {{'goto' leaves a loop}}
#pragma prophet critical
    {
      if (i == 4)
        break; // expected-error {{'break' leaves a loop}}
    }
  }
out:
  return 0;
}

int leavesTheOuterLoop(int n) {
  int i, j;
#pragma prophet parallel for name(outer) // expected-note 2 {{the loop is marked here}}
  for (i = 0; i < n; i++)
#pragma prophet parallel for cancel
    for (j = 0; j < n; j++) {
      if (j == 1)
        break;
      if (j == 2)
        return j; // expected-error {{'return' leaves a loop}}
      if (j == 3)
        goto next; // expected-error {{'goto' leaves a loop}}
    }
next:
  return 0;
}

int stays(int n) {
  int i, j;
#pragma prophet parallel for
  for (i = 0; i < n; i++) {
    switch (i) {
    case 1:
      break;
    }
    for (j = 0; j < n; j++)
      if (j == i)
        break;
    while (1) {
#pragma prophet critical
      {
        if (n)
          goto inside;
        break;
      }
    }
  inside:
    continue;
  }
  return 0;
}

int leavesThatMay(int n) {
  int i;
#pragma prophet parallel for cancel
  for (i = 0; i < n; i++) {
    if (i == 1)
      break;
    if (i == 2)
      return i;
    if (i == 3)
      goto out;
  }
out:
  return 0;
}

int restarts(int n) {
  int i;
#pragma prophet parallel for // expected-note {{the loop is marked here}}
again:
  for (i = 0; i < n; i++)
    if (i == 9)
      goto again; // expected-error {{'goto' leaves a loop}}
  return i;
}

void aPlainLoopAsTheWholeBody(int n) {
  int i, j;
#pragma prophet parallel for
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      if (j == i)
        break;
}
