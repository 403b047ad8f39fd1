// REQUIRES: compiler-rt
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s main.c && cp %s main.cc
// DEFINE: %{compiler} =
// DEFINE: %{file} =
// DEFINE: %{run} = env PROPHET_OUT=tree.json LLVM_PROFILE_FILE=raw ./app
// DEFINE: %{mapped} = %{compiler} -O0 -fprofile-instr-generate -fcoverage-mapping %{file} -o app && %{run} && \
// DEFINE:   %llvm-bin/llvm-profdata merge raw -o data && \
// DEFINE:   %llvm-bin/llvm-cov export -format=lcov -instr-profile=data app > info && grep ^DA: info

// Each annotated line is counted as often as without the plugin.
// REDEFINE: %{file} = main.c
// REDEFINE: %{compiler} = %clang -Wno-unknown-pragmas
// RUN: %{mapped} > without
// REDEFINE: %{compiler} = %clang-prophet
// RUN: %{mapped} > with && diff without with
// RUN: FileCheck %s --input-file=with
//
// In C++ as well, but in lambdas, classes and constexpr functions, where calls are guarded.
// REDEFINE: %{file} = main.cc
// REDEFINE: %{compiler} = %clangxx -Wno-unknown-pragmas
// RUN: %{mapped} > without
// REDEFINE: %{compiler} = %clangxx-prophet
// RUN: %{mapped} > with && diff without with
// RUN: FileCheck %s --input-file=with

static int odd(int n) { return n % 2; }

#ifdef __cplusplus
#include <map>

struct sum {
  int total;
  template <typename T> void add(const std::map<int, T> &values);
};

template <typename T> void sum::add(const std::map<int, T> &values) {
#pragma prophet parallel for
  for (const auto &[key, value] : values) {
    if (key == 2)
      continue;
#pragma prophet critical
    total += value;
  }
#pragma prophet pause
  total += 1;
#pragma prophet resume
}
#endif

int main(void) {
  int s = 0;
#ifdef __cplusplus
  sum of{0};
  of.add(std::map<int, int>{{1, 1}, {2, 2}, {3, 3}});
  of.add(std::map<int, char>{});
#endif
#pragma prophet parallel for
  for (int i = 0; i < 10; i++) {
    if (odd(i)) {
#pragma prophet critical
      s += i; // CHECK: DA:[[#@LINE]],5{{$}}
    } else if (s < 0) {
#pragma prophet atomic
      s--; // CHECK: DA:[[#@LINE]],0{{$}}
    }
  }
#pragma prophet parallel sections
  {
#pragma prophet section
    s += 2; // CHECK: DA:[[#@LINE]],1{{$}}
#pragma prophet section
    {
#pragma prophet task
      s++;
#pragma prophet taskwait
    }
  }
#pragma prophet parallel tasks
  {
#pragma prophet task
    s += odd(s);
  }
#pragma prophet parallel for collapse(2)
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      s += odd(j); // CHECK: DA:[[#@LINE]],12{{$}}
  return s == 0;
}
