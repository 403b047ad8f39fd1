// RUN: %clang-prophet -c -std=c11 -Werror -Weverything -Wno-unknown-warning-option -Wno-unsafe-buffer-usage %s -o %t.o
// RUN: %clangxx-prophet -xc++ -c -std=c++17 -Werror -Weverything -Wno-c++98-compat %s -o %t.o
// RUN: %prophet-rewrite %s -o %t.c -- -std=c11
// RUN: %gcc -c -std=c11 -Werror -Wall -Wextra -Wshadow -pedantic -I%include %t.c -o %t.o
// RUN: %clang -c -std=c11 -Werror -Wall -Wextra -Wshadow -pedantic -I%include %t.c -o %t.o
// RUN: %prophet-rewrite %s -o %t.cpp -- -xc++ -std=c++17
// RUN: %gxx -c -std=c++17 -Werror -Wall -Wextra -Wshadow -Wold-style-cast -pedantic -I%include %t.cpp -o %t.o

// Annotations give rise to no warning.

static int sums(int x, int n) {
  int i, j, s = 0;
  if (x)
#pragma prophet parallel for
    for (i = 0; i < n; i++)
#pragma prophet parallel for
      for (j = 0; j < n; j++)
#pragma prophet critical
        s += j;
  else
#pragma prophet critical
    s++;
  s++;
  for (i = 0; i < n; i++)
#pragma prophet critical(a)
#pragma prophet critical(b)
    s++;
  s--;
  return s;
}

static int returns(int n) {
#pragma prophet critical
  return n + 1;
}

static int spawns(int n) {
  int i, j, s = 0;
#pragma prophet pause
#pragma prophet task
  s++;
#pragma prophet task
  {
#pragma prophet task
    s++;
#pragma prophet taskwait
  }
#pragma prophet taskwait
#pragma prophet parallel tasks
  {
#pragma prophet task
    s++;
  }
#pragma prophet parallel sections
  {
    s++;
#pragma prophet section
    {
#pragma prophet task
      s--;
    }
  }
#pragma prophet resume
#pragma prophet parallel for collapse(2)
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
#pragma prophet atomic
      s += j;
  return s;
}

int both(int n);
int both(int n) {
#pragma prophet parallel for
  for (int i = 0; i < n; i++)
    n--;
  return sums(n, n) + returns(n) + spawns(n);
}
