/* DEFINE: %{std} =
   DEFINE: %{warnings} = -Werror -Wall -Wextra -Wpedantic -Wshadow
   DEFINE: %{c} = %clang-prophet -std=%{std} -O0 %{warnings} -c %s -o %t.o && %clang-prophet -std=%{std} -O2 %{warnings} -c %s -o %t.o
   DEFINE: %{cxx} = %clangxx-prophet -std=%{std} -O0 %{warnings} -c -xc++ %s -o %t.o && %clangxx-prophet -std=%{std} -O2 %{warnings} -c -xc++ %s -o %t.o

   No directive gives rise to a warning in any standard of the language. (C89 has no other comments.)
   REDEFINE: %{std} = c89
   RUN: %{c}
   REDEFINE: %{std} = gnu89
   RUN: %{c}
   REDEFINE: %{std} = c99
   RUN: %{c}
   REDEFINE: %{std} = c11
   RUN: %{c}
   REDEFINE: %{std} = c17
   RUN: %{c}
   REDEFINE: %{std} = c2x
   RUN: %{c}
   REDEFINE: %{std} = c++11
   RUN: %{cxx}
   REDEFINE: %{std} = c++14
   RUN: %{cxx}
   REDEFINE: %{std} = c++17
   RUN: %{cxx}
   REDEFINE: %{std} = c++20
   RUN: %{cxx}
   REDEFINE: %{std} = c++2b
   RUN: %{cxx}
*/
int every(int n);
int every(int n) {
  int i, j, s = 0;
#pragma prophet parallel for name(one)
  for (i = 0; i < n; i++) {
#pragma prophet critical
    s += i;
#pragma prophet critical(named)
    {
#pragma prophet atomic
      s++;
    }
#pragma prophet task
    s--;
#pragma prophet taskwait
  }
#pragma prophet parallel for collapse(2)
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      s += j;
#pragma prophet pause
  s++;
#pragma prophet resume
#pragma prophet parallel sections
  {
    s++;
#pragma prophet section
    s--;
#pragma prophet section
    {
#pragma prophet task
      s += 2;
#pragma prophet taskwait
    }
  }
#pragma prophet parallel tasks
  {
#pragma prophet task
    {
#pragma prophet task
      s += 3;
    }
  }
#pragma prophet task
  s++;
#pragma prophet taskwait
  return s;
}
