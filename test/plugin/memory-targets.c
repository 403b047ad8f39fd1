// REQUIRES: memory-profile
// Where a target has no calls that keep registers, the filters' calls and what they call are
// ordinary ones: both of the same convention on all targets.
// DEFINE: %{ir} = %clang-prophet -fplugin-arg-prophet-memory -O2 -S -emit-llvm %s -o -
// RUN: %{ir} -target x86_64-linux-gnu | FileCheck %s -DCALL="call preserve_mostcc void" -DDEFINE="define linkonce_odr hidden preserve_mostcc void"
// RUN: %{ir} -target aarch64-linux-gnu | FileCheck %s -DCALL="call preserve_mostcc void" -DDEFINE="define linkonce_odr hidden preserve_mostcc void"
// RUN: %{ir} -target riscv64-linux-gnu | FileCheck %s -DCALL="call void" -DDEFINE="define linkonce_odr hidden void"
// RUN: %{ir} -target powerpc64le-linux-gnu | FileCheck %s -DCALL="call void" -DDEFINE="define linkonce_odr hidden void"
// CHECK-LABEL: define {{.*}}@first(
// CHECK:       [[CALL]] @__prophet_memory_line(
// CHECK:       [[DEFINE]] @__prophet_memory_line(
int first(const int *numbers);
int first(const int *numbers) { return *numbers; }
