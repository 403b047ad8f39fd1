// RUN: rm -rf %t && split-file %s %t && cd %t
// DEFINE: %{flags} =
// DEFINE: %{compile} = %clangxx-prophet -std=c++20 %{flags}

// Annotations in a C++20 module's interface, in its inline functions and in what imports it are recorded.
// REDEFINE: %{flags} = -O0
// RUN: %{compile} --precompile work.cppm -o work.pcm && %{compile} -c work.pcm -o work.o
// RUN: %{compile} -fmodule-file=work=work.pcm main.cpp work.o -o app
// RUN: env PROPHET_OUT=app.json ./app && python3 %S/../runtime/Inputs/show_tree.py app.json | FileCheck main.cpp
// REDEFINE: %{flags} = -O2
// RUN: %{compile} --precompile work.cppm -o work.pcm && %{compile} -c work.pcm -o work.o
// RUN: %{compile} -fmodule-file=work=work.pcm main.cpp work.o -o app
// RUN: env PROPHET_OUT=app.json ./app && python3 %S/../runtime/Inputs/show_tree.py app.json | FileCheck main.cpp

//--- work.cppm
export module work;
export int count(int n) {
  volatile int s = 0;
#pragma prophet parallel for name(exported)
  for (int i = 0; i < n; i++)
#pragma prophet critical(exported)
    s = s + i;
  return s;
}
export template <class T> inline T twice(T n) {
  volatile T s = 0;
#pragma prophet parallel sections name(template)
  {
#pragma prophet section
    s = n;
#pragma prophet section
    s = s + n;
  }
  return s;
}

//--- main.cpp
// CHECK: complete: true
// CHECK: events: 26
// CHECK: importer[{{.*}}task[{{.*}}exported[{{.*}}task[{{.*}}L(exported){{.*}}task[{{.*}}template[{{.*}}task[
import work;
int main() {
  int s = 0;
#pragma prophet parallel tasks name(importer)
  {
#pragma prophet task
    s += count(3);
#pragma prophet task
    s += twice(2);
  }
  return s != 7;
}
