/*
RUN: %each-build --std c89,c11,c23,c++11,c++20 %s | FileCheck %s

A critical section takes any statement, up to the end of that statement and no further.
*/

#include <stdio.h>

static int forms(int x) {
  int y = 0;

/* CHECK: {{^}}lock block
   CHECK-NEXT: in block
   CHECK-NEXT: end lock
   CHECK-NEXT: out
  */
#pragma prophet critical(block)
  { puts("in block"); }
  puts("out");

/* CHECK-NEXT: lock
   CHECK-NEXT: in expression
   CHECK-NEXT: end lock
   CHECK-NEXT: out
  */
#pragma prophet critical
  puts("in expression"), y = x ? 1 : 2;
  puts("out");

/* CHECK-NEXT: lock if
   CHECK-NEXT: in else
   CHECK-NEXT: end lock
   CHECK-NEXT: out
  */
#pragma prophet critical(if)
  if (x == 1)
    puts("in if");
  else if (x == 2)
    puts("in else if");
  else
    puts("in else");
  puts("out");

/* CHECK-NEXT: lock if
   CHECK-NEXT: in if
   CHECK-NEXT: end lock
   CHECK-NEXT: lock next
   CHECK-NEXT: end lock
  */
#pragma prophet critical(if)
  if (x == 0)
    puts("in if");
#pragma prophet critical(next)
  y += x;

/* CHECK-NEXT: lock for
   CHECK-NEXT: in for
   CHECK-NEXT: in for
   CHECK-NEXT: end lock
   CHECK-NEXT: out
  */
#pragma prophet critical(for)
  for (y = 0; y < 2; y++)
    if (x == 1) ; else puts("in for");
  puts("out");

/* CHECK-NEXT: lock do
   CHECK-NEXT: in do
   CHECK-NEXT: end lock
   CHECK-NEXT: out
  */
#pragma prophet critical(do)
  do
    while (puts("in do"), x) ;
  while (x);
  puts("out");

/* CHECK-NEXT: lock switch
   CHECK-NEXT: case 0
   CHECK-NEXT: lock inner
   CHECK-NEXT: end lock
   CHECK-NEXT: end lock
   CHECK-NEXT: out
  */
#pragma prophet critical(switch)
  switch (x)
  case 0: default: {
    puts("case 0");
#pragma prophet critical(inner)
  case 1 ? 2 : 3:
    y++;
  }
  puts("out");

/* CHECK-NEXT: lock outer
   CHECK-NEXT: lock inner
   CHECK-NEXT: end lock
   CHECK-NEXT: end lock
   CHECK-NEXT: out
  */
#pragma prophet critical(outer)
#pragma prophet critical(inner)
  y++;
  puts("out");

/* CHECK-NEXT: lock empty
   CHECK-NEXT: end lock
   CHECK-NEXT: out
  */
#pragma prophet critical(empty)
  ;
  puts("out");
  return y;
}

/* An annotated statement is still one statement of the `if` around it. */
static void dangling(int x) {
  int i;
  if (x)
#pragma prophet parallel for name(taken)
    for (i = 0; i < 1; i++)
      if (i)
        puts("never");
      else
        puts("then");
  else
#pragma prophet critical(else)
    puts("else");
}

/* A label stays outside: a jump to it enters the section again. */
static void labels(void) {
  int i = 0;
#pragma prophet critical(labelled)
again:
#ifndef __cplusplus /* where it would be the statement's */
  __attribute__((__unused__))
#endif
  i++;
  if (i < 2)
    goto again;
}

int main(void) {
  forms(0);
  /* CHECK-NEXT: section parallel_for|{{.*}}|taken|
     CHECK-NEXT: task
     CHECK-NEXT: then
     CHECK-NEXT: end task
     CHECK-NEXT: end section
     CHECK-NEXT: lock else
     CHECK-NEXT: else
     CHECK-NEXT: end lock
  */
  dangling(1);
  dangling(0);
  /* CHECK-NEXT: lock labelled
     CHECK-NEXT: end lock
     CHECK-NEXT: lock labelled
     CHECK-NEXT: end lock
     CHECK-NOT: {{.}}
  */
  labels();
  return 0;
}
