#pragma once
static inline int locked(int n) {
#pragma prophet critical
  n++;
  return n;
}
