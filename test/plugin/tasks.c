/*
RUN: %each-build --std c89,c17,c++17 %s | FileCheck %s --match-full-lines

A task opens a section of its function, unless one is open; a wait and every end of the function
close it. A task's body, an iteration and a block of tasks hold tasks of their own.
*/

#include <stdio.h>

static int fib(int n) {
  int a, b;
  if (n < 2)
    return n;
#pragma prophet task name(fib) firstprivate(n)
  a = fib(n - 1);
#pragma prophet task
  b = fib(n - 2);
#pragma prophet taskwait
  puts("add");
  return a + b;
}

static int leaves(int n) {
  int i;
  for (i = 0;; i++) {
    if (i == n)
      return i;
    if (i == 2)
      goto out;
#pragma prophet task name(leaves)
    {
      puts("spawned");
    }
  }
out:
#pragma prophet task name(out)
  n--;
  return n;
}

static int scopes(int n) {
  int i;
#pragma prophet parallel tasks name(block) num_threads(4)
  {
#pragma prophet task
    {
#pragma prophet task name(inner)
      puts("inner");
      puts("outer");
    }
#pragma prophet taskwait
#pragma prophet taskwait
#pragma prophet task name(again)
    n++;
  }
#pragma prophet parallel for name(loop)
  for (i = 0; i < 1; i++)
#pragma prophet task name(iteration)
    n++;
  return n;
}

int main(void) {
  /* CHECK:      section tasks|{{.*}}tasks.c|14|fib|firstprivate(n)
     CHECK-NEXT:   task
     CHECK-NEXT:     section tasks|{{.*}}|fib|firstprivate(n)
     CHECK-NEXT:       task
     CHECK-NEXT:       end task
     CHECK-NEXT:       task
     CHECK-NEXT:       end task
     CHECK-NEXT:     end section
     CHECK-NEXT: add
     CHECK-NEXT:   end task
     CHECK-NEXT:   task
     CHECK-NEXT:   end task
     CHECK-NEXT: end section
     CHECK-NEXT: add
  */
  int sum = fib(3);

  /* CHECK-NEXT: section tasks|{{.*}}|leaves|
     CHECK-NEXT:   task
     CHECK-NEXT: spawned
     CHECK-NEXT:   end task
     CHECK-NEXT: end section
     CHECK-NEXT: section tasks|{{.*}}|leaves|
     CHECK-NEXT:   task
     CHECK-NEXT: spawned
     CHECK-NEXT:   end task
     CHECK-NEXT:   task
     CHECK-NEXT: spawned
     CHECK-NEXT:   end task
     CHECK-NEXT:   task
     CHECK-NEXT:   end task
     CHECK-NEXT: end section
  */
  sum += leaves(1);
  sum += leaves(9);

  /* CHECK-NEXT: section tasks|{{.*}}|block|num_threads(4)
     CHECK-NEXT:   task
     CHECK-NEXT:     section tasks|{{.*}}|inner|
     CHECK-NEXT:       task
     CHECK-NEXT: inner
     CHECK-NEXT:       end task
     CHECK-NEXT: outer
     CHECK-NEXT:     end section
     CHECK-NEXT:   end task
     CHECK-NEXT: end section
     CHECK-NEXT: section tasks|{{.*}}|again|
     CHECK-NEXT:   task
     CHECK-NEXT:   end task
     CHECK-NEXT: end section
     CHECK-NEXT: section parallel_for|{{.*}}|loop|
     CHECK-NEXT:   task
     CHECK-NEXT:     section tasks|{{.*}}|iteration|
     CHECK-NEXT:       task
     CHECK-NEXT:       end task
     CHECK-NEXT:     end section
     CHECK-NEXT:   end task
     CHECK-NEXT: end section
     CHECK-NEXT: sum 14
     CHECK-NOT:  {{.}}
  */
  sum += scopes(1);
  printf("sum %d\n", sum);
  return 0;
}
