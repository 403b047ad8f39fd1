// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %top/examples/mandelbrot.c %top/examples/support.h .
// RUN: sed -e 's/^ *#pragma .*//' mandelbrot.c > plain.c
// DEFINE: %{flags} =
// DEFINE: %{same} = %clang %{flags} -c plain.c -o out.o && mv out.o without.o && \
// DEFINE:   %clang-prophet %{flags} -c plain.c -o out.o && cmp out.o without.o

// In a real file without annotations the plugin changes nothing, whatever is generated.
// REDEFINE: %{flags} = -O0 -g
// RUN: %{same}
// REDEFINE: %{flags} = -O2 -g
// RUN: %{same}
// REDEFINE: %{flags} = -O2 -flto
// RUN: %{same}
// REDEFINE: %{flags} = -O2 -flto=thin
// RUN: %{same}
// REDEFINE: %{flags} = -O1 --coverage
// RUN: %{same}
// REDEFINE: %{flags} = -O1 -fprofile-instr-generate -fcoverage-mapping
// RUN: %{same}
// REDEFINE: %{flags} = -O1 -g -fsanitize=address,undefined
// RUN: %{same}
// REDEFINE: %{flags} = -O2 -g -fplugin-arg-prophet-openmp
// RUN: %clang -O2 -g -c plain.c -o out.o && mv out.o without.o
// RUN: %clang-prophet %{flags} -c plain.c -o out.o && cmp out.o without.o

// Nor in C++.
// RUN: sed -n -e '/[V]ECTORS/,$p' %s | grep -v '#pragma' > plain.c
// REDEFINE: %{flags} = -O0 -g -xc++
// RUN: %{same}
// REDEFINE: %{flags} = -O2 -g -xc++ -std=c++20
// RUN: %{same}

// With annotations the statements keep their lines.
// RUN: %clang -O0 -gdwarf-4 -c %s -o without.o && %llvm-bin/llvm-dwarfdump --debug-line without.o > without.txt
// RUN: %clang-prophet -O0 -gdwarf-4 -c %s -o with.o && %llvm-bin/llvm-dwarfdump --debug-line with.o > with.txt
// RUN: FileCheck %s --input-file=without.txt --check-prefix=LINES
// RUN: FileCheck %s --input-file=with.txt --check-prefix=LINES
// LINES-DAG: {{^0x[0-9a-f]+}} {{ *}}[[#@LINE+5]] {{ *}}12
// LINES-DAG: {{^0x[0-9a-f]+}} {{ *}}[[#@LINE+6]] {{ *}}7
int lines(int n) {
  int s = 0;
#pragma prophet parallel for
  for (int i = 0; i < n; i++)
#pragma prophet critical
    s += i;
  return s;
}

#ifdef __cplusplus // VECTORS
#include <algorithm>
#include <iostream>
#include <vector>
int main(int argc, char **argv) {
  std::vector<int> v(argv[0], argv[0] + argc);
#pragma prophet parallel for
  for (int &x : v)
    x++;
  std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
  std::cout << v[0];
}
#endif
