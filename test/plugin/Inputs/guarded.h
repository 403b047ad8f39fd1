#ifndef GUARDED_H
#define GUARDED_H
#include "once.h"
#define EACH(i, n) for (int i = 0; i < (n); i++)
static inline int guarded(int n) {
  int s = 0;
#pragma prophet parallel for name(guarded)
  EACH(i, n)
    s += once(i) + __LINE__;
  return s;
}
#endif
