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

// The first lane of a mask is the number's highest bit where the highest byte comes first.
// RUN: %{ir} -O3 -target aarch64_be-linux-gnu -march=armv8-a+sve | FileCheck %s --check-prefix=BIG
// BIG-LABEL: define {{.*}}@masked(
// BIG:       call i4 @llvm.bitreverse.i4(
// BIG:       @llvm.masked.store
void masked(float *to, const int *from, long n);
void masked(float *to, const int *from, long n) {
#pragma clang loop vectorize_width(4, fixed) interleave(disable)
  for (long i = 0; i < n; i++)
    if (from[i])
      to[i] = 3;
}
