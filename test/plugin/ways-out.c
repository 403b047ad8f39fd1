/*
RUN: %each-build --std c89,c17,c++17 %s | FileCheck %s

Whatever way execution leaves, what is open there is closed and nothing else is.
*/

#include <setjmp.h>
#include <stdio.h>

static int returns(int x) {
#pragma prophet critical(returned)
  {
    if (x)
      return 1;
    puts("stays");
  }
  return 0;
}

static void jumps(void) {
#pragma prophet critical(outer)
  {
#pragma prophet critical(inner)
    {
      goto out;
    }
  }
out:
  puts("out");
}

static void continues(void) {
  int i, j;
#pragma prophet parallel for name(continued)
  for (i = 0; i < 3; i++) {
#pragma prophet critical
    {
      if (i == 0)
        continue;
    }
    for (j = 0; j < 2; j++) {
#pragma prophet critical(j)
      if (j == 1)
        break;
      else
        continue;
    }
    switch (i) {
    case 1:
      break;
    default:
      goto next;
    }
    puts("body");
  next:;
  }
}

static int cancels(int how) {
  int i, j;
#pragma prophet parallel for name(rows) cancel
  for (i = 0; i < 9; i++) {
#pragma prophet parallel for name(columns) cancel
    for (j = 0; j < 9; j++) {
#pragma prophet critical
      {
        if (how == 0)
          break;
        if (how == 1)
          return 7;
        if (how == 2)
          goto out;
      }
    }
    break;
  }
out:
  return 0;
}

int main(void) {
  /* CHECK:      {{^}}lock returned
     CHECK-NEXT: end lock
     CHECK-NEXT: lock returned
     CHECK-NEXT: stays
     CHECK-NEXT: end lock
  */
  returns(1);
  returns(0);
  /* CHECK-NEXT: lock outer
     CHECK-NEXT:   lock inner
     CHECK-NEXT:   end lock
     CHECK-NEXT: end lock
     CHECK-NEXT: {{^}}out
  */
  jumps();
  /* CHECK-NEXT: section {{.*}}|continued|
     CHECK-NEXT:   task
     CHECK-NEXT:     lock
     CHECK-NEXT:     end lock
     CHECK-NEXT:   end task
     CHECK-NEXT:   task
     CHECK-NEXT:     lock
     CHECK-NEXT:     end lock
     CHECK-NEXT:     lock j
     CHECK-NEXT:     end lock
     CHECK-NEXT:     lock j
     CHECK-NEXT:     end lock
     CHECK-NEXT: body
     CHECK-NEXT:   end task
     CHECK-NEXT:   task
     CHECK-NEXT:     lock
     CHECK-NEXT:     end lock
     CHECK-NEXT:     lock j
     CHECK-NEXT:     end lock
     CHECK-NEXT:     lock j
     CHECK-NEXT:     end lock
     CHECK-NEXT:   end task
     CHECK-NEXT: end section
  */
  continues();
  /* CHECK-COUNT-3: section {{.*}}|rows|cancel
     CHECK:      section {{.*}}|columns|cancel
     CHECK:      {{^}}end section
     CHECK-NEXT: cancelled 0 7 0
     CHECK-NOT:  OPEN AT EXIT
  */
  {
    int a = cancels(0), b = cancels(1), c = cancels(2);
    printf("cancelled %d %d %d\n", a, b, c);
  }
  return 0;
}
