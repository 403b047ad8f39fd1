// RUN: %clangxx-prophet -fsyntax-only -Xclang -verify %s
// RUN: %prophet-rewrite %s -o %t.cpp -- -Xclang -verify

// A template is checked once, however often it is instantiated; a lambda's and a local class's
// own `return` leaves no loop around them.

template <typename T> T first(T n) {
#pragma prophet parallel for // expected-note {{the loop is marked here}}
  for (T i = 0; i < n; ++i)
    if (i == 1)
      return i; // expected-error {{'return' leaves a loop}}
  return 0;
}

struct Member {
  void f(int n) {
#pragma prophet parallel for // expected-note 2 {{the loop is marked here}}
    for (int i = 0; i < n; ++i) {
      auto inner = [=] {
        if (i == 1)
          return 1;
        for (int j = 0;; ++j)
          if (j == i)
            break;
        return 2;
      };
      struct Local {
        int g() { return 1; }
      };
      if (inner() + Local().g() == 5)
        break; // expected-error {{'break' leaves a loop}}
      try {
        if (i == 3)
          throw 3;
        if (i == 4)
          return; // expected-error {{'return' leaves a loop}}
      } catch (int) {
      }
    }
    auto whole = [=](int m) {
#pragma prophet parallel for // expected-note {{the loop is marked here}}
      for (int i = 0; i < m; ++i)
        if (i == n)
          return; // expected-error {{'return' leaves a loop}}
    };
    whole(2);
  }
};

int main() {
  Member().f(1);
  return first(1) + static_cast<int>(first(1L));
}
