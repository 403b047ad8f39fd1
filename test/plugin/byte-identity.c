// RUN: rm -rf %t && mkdir -p %t
// RUN: sed -e 's/^#pragma prophet.*//' %s > %t/plain.c
// RUN: cp %s %t/marked.c

// Without a pragma the plugin changes nothing.
// RUN: %clang -O2 -g -c -fdebug-prefix-map=%t/plain.c=x.c %t/plain.c -o %t/plain.o
// RUN: %clang-prophet -O2 -g -c -fdebug-prefix-map=%t/plain.c=x.c %t/plain.c -o %t/plain-plugin.o
// RUN: cmp %t/plain.o %t/plain-plugin.o
// RUN: %clang -O0 -c -xc++ %t/plain.c -o %t/plain.o
// RUN: %clang-prophet -O0 -c -xc++ %t/plain.c -o %t/plain-plugin.o
// RUN: cmp %t/plain.o %t/plain-plugin.o

// Without the plugin the pragmas change nothing (DWARF 5 would hold the source's checksum).
// RUN: cd %t && cp plain.c same.c && %clang -O2 -gdwarf-4 -c same.c -o plain.o
// RUN: cd %t && cp marked.c same.c && %clang -O2 -gdwarf-4 -c same.c -o marked.o
// RUN: cmp %t/plain.o %t/marked.o

// With both they do: the comparisons above are not of files that are always equal.
// RUN: cd %t && %clang-prophet -O2 -g -c same.c -o profiled.o
// RUN: not cmp %t/marked.o %t/profiled.o

int work(int n) {
  int i, s = 0;
#pragma prophet parallel for
  for (i = 0; i < n; i++)
#pragma prophet critical
    s += i;
  return s;
}
