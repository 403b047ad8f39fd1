#pragma once
static inline int once(int n) {
#pragma prophet critical(once)
  n++;
  return n;
}
