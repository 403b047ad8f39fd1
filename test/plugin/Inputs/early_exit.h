#pragma once

inline int early_exit(int n) {
#pragma prophet parallel for cancel name(early)
  for (int i = 0; i < n; ++i)
    if (i == 2)
      return i;
  return n;
}
